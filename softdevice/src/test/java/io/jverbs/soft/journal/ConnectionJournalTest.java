package io.jverbs.soft.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.endpoint.Endpoint;
import io.jverbs.endpoint.Listener;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events of the connection manager that Java Flight Recorder records. */
final class ConnectionJournalTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private static List<String> of(List<RecordedEvent> all, String device, String type,
            Function<RecordedEvent, String> text) {
        return all.stream().filter(event -> event.getEventType().getName().equals("io.jverbs." + type)
                && event.getString("device").equals(device)).map(text).toList();
    }

    private static String state(RecordedEvent event) {
        return event.getString("from") + ", " + event.getString("input") + ": " + event.getString("to");
    }

    private List<RecordedEvent> record(RdmaContext clients, Listener listener) throws Exception {
        Path file = folder.resolve("recording.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            Endpoint client = Endpoint.connect(clients, listener.localAddress());
            Endpoint server = listener.accept(LIMIT);
            assertNotNull(server);
            client.close();
            server.close();
            recording.dump(file);
        }
        // a recording file groups events by thread
        return RecordingFile.readAllEvents(file).stream().sorted(Comparator.comparing(RecordedEvent::getStartTime))
                .toList();
    }

    @Test
    void theStatesOfBothHalvesOfAConnectionAndTheEventsOfItsIdsAreRecorded() throws Exception {
        try (RdmaContext clients = Verbs.open("soft:soft72"); RdmaContext servers = Verbs.open("soft:soft73")) {
            InetSocketAddress any = new InetSocketAddress(servers.preferredGid(1).gid().toInetAddress(), 0);
            try (Listener listener = Listener.bind(servers, any)) {
                List<RecordedEvent> all = record(clients, listener);

                assertEquals(List.of("IDLE, SEND_REQ: REQ_SENT", "REQ_SENT, REP: REP_RCVD",
                        "REP_RCVD, SEND_MRA: MRA_REP_SENT", "MRA_REP_SENT, SEND_RTU: ESTABLISHED"),
                        of(all, "soft72", "ConnectionState", ConnectionJournalTest::state).subList(0, 4));
                List<String> passive = of(all, "soft73", "ConnectionState", ConnectionJournalTest::state);
                assertEquals("IDLE, REQ: REQ_RCVD", passive.getFirst());
                assertTrue(passive.contains("REP_SENT, RTU: ESTABLISHED"), passive::toString);
                List<String> events = of(all, "soft72", "CmEvent", event -> event.getString("type") + " "
                        + event.getInt("status") + " " + event.getString("remote"));
                String remote = listener.localAddress().getAddress().getHostAddress() + ":"
                        + listener.localAddress().getPort();
                assertEquals(List.of("ADDR_RESOLVED 0 " + remote, "ROUTE_RESOLVED 0 " + remote,
                        "CONNECT_RESPONSE 0 " + remote), events.subList(0, 3));
                String local = of(all, "soft72", "CmEvent", event -> event.getString("local")).get(1);
                assertTrue(of(all, "soft73", "CmEvent", event -> event.getString("type") + " "
                        + event.getString("local") + " " + event.getString("remote"))
                        .contains("CONNECT_REQUEST " + remote + " " + local), () -> local + " in " + all);
                assertTrue(of(all, "soft73", "CmEvent", event -> event.getString("type"))
                        .containsAll(List.of("CONNECT_REQUEST", "ESTABLISHED")), all::toString);
            }
        }
    }
}
