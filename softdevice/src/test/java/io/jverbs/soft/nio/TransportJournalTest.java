package io.jverbs.soft.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.nio.RdmaSelectorProvider;
import io.jverbs.rsocket.RdmaStreamOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The choices between RDMA and TCP that Java Flight Recorder records. */
@Timeout(60)
final class TransportJournalTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    @TempDir
    private Path folder;

    /** Connects, and returns the port. */
    private interface Steps {
        int run(RdmaSelectorProvider provider) throws IOException;
    }

    /** Runs steps with a provider; returns the events with its port, in their order. */
    private List<RecordedEvent> record(String rule, Steps steps) throws Exception {
        Path file = folder.resolve("recording.jfr");
        int port;
        try (Recording recording = new Recording(); RdmaContext context = Verbs.open("soft")) {
            recording.start();
            port = steps.run(new RdmaSelectorProvider(context, rule, RdmaStreamOptions.DEFAULT));
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("io.jverbs.SocketTransport")
                        && event.getString("address").endsWith(":" + port))
                .toList();
    }

    private static String text(RecordedEvent event) {
        return (event.getBoolean("listens") ? "listens at " : "connects to ")
                + event.getString("address").replaceFirst(":[0-9]+$", "") + " by " + event.getString("transport")
                + ", rule " + event.getString("rule") + ", " + event.getString("failure");
    }

    private static int port(ServerSocketChannel channel) throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"always | RDMA | RDMA", "127.0.0.1/8 | RDMA | RDMA", "auto | BOTH | RDMA",
        "192.0.2.0/24 | TCP | TCP"})
    void theChoiceOfTheRuleIsRecordedForAListenerAndAClient(String rule, String listens, String connects)
            throws Exception {
        List<RecordedEvent> all = record(rule, provider -> {
            try (ServerSocketChannel listener = provider.openServerSocketChannel()
                    .bind(new InetSocketAddress(LOOPBACK, 0)); SocketChannel client = provider.openSocketChannel()) {
                client.connect(listener.getLocalAddress());
                listener.accept().close();
                return port(listener);
            }
        });

        assertEquals(List.of("listens at 127.0.0.1 by " + listens + ", rule " + rule + ", null",
                "connects to 127.0.0.1 by " + connects + ", rule " + rule + ", null"),
                all.stream().map(TransportJournalTest::text).toList());
    }

    @Test
    void tcpInPlaceOfRdmaIsRecordedWithTheFailureOfRdma() throws Exception {
        List<RecordedEvent> all = record("auto", provider -> {
            try (ServerSocket listener = new ServerSocket(0, 1, LOOPBACK);
                    SocketChannel client = provider.openSocketChannel()) {
                client.connect(listener.getLocalSocketAddress());
                return listener.getLocalPort();
            }
        });

        assertEquals(1, all.size(), all::toString);
        String text = text(all.getFirst());
        assertTrue(text.startsWith("connects to 127.0.0.1 by TCP, rule auto, stream to 127.0.0.1:")
                && text.contains("REJECTED"), text);
    }
}
