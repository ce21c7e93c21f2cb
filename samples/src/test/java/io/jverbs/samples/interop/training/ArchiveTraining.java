package io.jverbs.samples.interop.training;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.nio.RdmaSelectorProvider;
import io.jverbs.rsocket.RdmaStreamOptions;
import io.jverbs.samples.interop.process.InteropSettings;
import io.jverbs.samples.interop.process.Outcome;
import io.jverbs.samples.interop.process.SampleThread;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Both sides of samples in this JVM, on its device, before the virtual machine starts: {@code .ci/rxe-samples} makes an
 * archive of the classes that are loaded here, and the JVMs in the machine start from it.
 */
class ArchiveTraining {
    private static String address() {
        try (RdmaContext context = Verbs.open()) {
            return context.preferredGid(1).gid().toInetAddress().getHostAddress();
        }
    }

    private static SampleThread start(String sample, List<String> more) {
        List<String> words = new ArrayList<>(List.of(sample.split(" ")));
        words.addAll(more);
        return SampleThread.start(words.toArray(String[]::new));
    }

    @ParameterizedTest
    @CsvSource({"rc-pingpong -R -n 20 -p 18690, ''", "ud-pingpong -R -n 20 -s 256 -p 18691, ''",
        "rstream -S 5000 -C 5 -I 2 -T b -T v -p 18692, -s", "rstream -S 500 -C 5 -I 2 -T a -p 18693, -s",
        "write-lat -R -n 20 -p 18694, ''"})
    void bothSidesOfASampleSucceed(String sample, String server) throws InterruptedException {
        SampleThread waiting = start(sample, List.of());
        List<String> more = server.isEmpty() ? List.of(address()) : List.of(server, address());
        long deadline = System.nanoTime() + InteropSettings.TIMEOUT.toNanos();
        Outcome client = start(sample, more).await();
        while (!client.status().equals("0") && waiting.isRunning() && System.nanoTime() < deadline) {
            // it does not listen yet
            client = start(sample, more).await();
        }
        Outcome served = waiting.await();
        assertEquals("0", client.status(), () -> served.describe("the server"));
        assertEquals("0", served.status(), () -> served.describe("the server"));
    }

    @Test
    void channelsAndASelectorTransferBytes() throws Exception {
        try (RdmaContext context = Verbs.open()) {
            transfer(new RdmaSelectorProvider(context, "always", RdmaStreamOptions.DEFAULT));
        }
    }

    private static void transfer(SelectorProvider provider) throws IOException {
        try (ServerSocketChannel listener = provider.openServerSocketChannel()
                .bind(new InetSocketAddress(address(), 0));
                SocketChannel client = provider.openSocketChannel();
                Selector selector = provider.openSelector()) {
            client.connect(listener.getLocalAddress());
            try (SocketChannel server = listener.accept()) {
                server.configureBlocking(false);
                server.register(selector, SelectionKey.OP_READ);
                client.write(ByteBuffer.allocate(Long.BYTES));
                selector.select();
                assertEquals(Long.BYTES, server.read(ByteBuffer.allocate(Long.BYTES)));
            }
        }
    }
}
