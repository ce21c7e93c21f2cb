package io.jverbs.soft.rsocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamCounters;
import io.jverbs.rsocket.RdmaStreamException;
import io.jverbs.soft.program.ChildJvm;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ends of streams that Java Flight Recorder records. */
@Timeout(60)
final class StreamJournalTest {
    /** What no other stream sends. */
    private static final int LENGTH = 12_347;

    @TempDir
    private Path folder;

    private interface Steps {
        void run() throws Exception;
    }

    /** Runs steps; returns the events of streams. */
    private List<RecordedEvent> record(Steps steps) throws Exception {
        Path file = folder.resolve("recording.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            steps.run();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("io.jverbs.Stream")).toList();
    }

    private static String text(InetSocketAddress address) {
        return address.toString().replaceFirst(".*/", "");
    }

    /** Returns the only event of a stream from one address to another one. */
    private static RecordedEvent of(List<RecordedEvent> all, String local, String remote) {
        List<RecordedEvent> found = all.stream().filter(
                event -> local.equals(event.getString("local")) && remote.equals(event.getString("remote"))).toList();
        assertEquals(1, found.size(), () -> local + " to " + remote + " in " + all);
        return found.getFirst();
    }

    private static void read(RdmaStream from, int length) throws IOException, InterruptedException {
        ByteBuffer into = ByteBuffer.allocate(length);
        while (into.hasRemaining()) {
            assertTrue(from.read(into) > 0, () -> "the stream has ended after " + into.position() + " bytes");
        }
    }

    private static void assertHas(RecordedEvent event, RdmaStreamCounters counters) {
        assertEquals(List.of(counters.sentBytes(), counters.sentMessages(), counters.receivedBytes(),
                counters.receivedMessages()),
                List.of(event.getLong("sentBytes"), event.getLong("sentMessages"), event.getLong("receivedBytes"),
                        event.getLong("receivedMessages")));
        // a thread may begin to block for the end when another one records it
        assertTrue(event.getLong("waits") <= counters.waits(), event::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jvm", "wire"})
    void bothSidesRecordTheEndWithTheirCounters(String where) throws Exception {
        try (StreamPair pair = StreamPair.connect(where)) {
            String client = text(pair.client().localAddress());
            String server = text(pair.server().localAddress());
            List<RecordedEvent> all = record(() -> {
                pair.client().write(ByteBuffer.allocate(1000));
                read(pair.server(), 1000);
                pair.server().write(ByteBuffer.allocate(10));
                read(pair.client(), 10);
                pair.client().close();
                assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
                pair.server().close();
            });
            RecordedEvent active = of(all, client, server);
            RecordedEvent passive = of(all, server, client);

            assertEquals(1000, active.getLong("sentBytes"));
            assertEquals(10, active.getLong("receivedBytes"));
            assertHas(active, pair.client().counters());
            assertHas(passive, pair.server().counters());
            assertEquals(List.of(false, "DISCONNECT_ACKNOWLEDGED"),
                    List.of(active.getBoolean("accepted"), active.getString("reason")));
            assertEquals(List.of(true, "PEER_DISCONNECT"),
                    List.of(passive.getBoolean("accepted"), passive.getString("reason")));
            assertNull(active.getString("explanation"));
            assertEquals(pair.clientContext().device().name(), active.getString("device"));
            assertTrue(active.getInt("queuePair") > 0, active::toString);
            assertTrue(active.getDuration("lifetime").toNanos() > 0, active::toString);
        }
    }

    @Test
    void aStreamThatFailsIsRecordedWithItsReasonAndItsExplanation() throws Exception {
        try (StreamPair pair = StreamPair.connect("jvm")) {
            String client = text(pair.client().localAddress());
            String server = text(pair.server().localAddress());
            List<RecordedEvent> all = record(() -> {
                pair.client().abort();
                assertThrows(RdmaStreamException.class, () -> pair.server().read(ByteBuffer.allocate(1)));
            });

            assertEquals("ABORT", of(all, client, server).getString("reason"));
            RecordedEvent lost = of(all, server, client);
            assertEquals("PEER_LOST", lost.getString("reason"));
            assertTrue(lost.getString("explanation").startsWith("stream from " + client + ": PEER_LOST: the peer has"),
                    lost::toString);
        }
    }

    @Test
    void aConnectionThatCannotBeEstablishedIsRecorded() throws Exception {
        try (RdmaContext context = Verbs.open("soft")) {
            InetSocketAddress unused = new InetSocketAddress(StreamPair.anyPort(context).getAddress(), 9);
            List<RecordedEvent> all = record(
                    () -> assertThrows(RdmaStreamException.class, () -> RdmaStream.connect(context, unused)));

            List<RecordedEvent> refused = all.stream()
                    .filter(event -> event.getString("remote").equals(text(unused))).toList();
            assertEquals(List.of("REJECTED"), refused.stream().map(event -> event.getString("reason")).toList());
            assertEquals(0, refused.getFirst().getLong("sentMessages"));
        }
    }

    @Test
    void theEndByTheCloseOfTheContextIsRecorded() throws Exception {
        try (StreamPair pair = StreamPair.connect("jvm")) {
            String client = text(pair.client().localAddress());
            List<RecordedEvent> all = record(() -> {
                pair.serverContext().close();
                StreamPair.await("the end", () -> !pair.server().isOpen());
            });

            assertEquals(List.of("CONTEXT_CLOSED"), all.stream()
                    .filter(event -> event.getString("remote").equals(client) && event.getBoolean("accepted"))
                    .map(event -> event.getString("reason")).toList());
        }
    }

    /** An address whose text cannot be made. */
    private static final class FailingAddress extends InetSocketAddress {
        private static final long serialVersionUID = 1L;

        private final transient AtomicInteger errors = new AtomicInteger();
        private transient volatile boolean fails;

        FailingAddress(InetSocketAddress address) {
            super(address.getAddress(), address.getPort());
        }

        @Override
        public String toString() {
            if (fails) {
                errors.incrementAndGet();
                throw new InternalError("the text cannot be made");
            }
            return super.toString();
        }
    }

    @Test
    void anErrorWhileTheEventIsMadeLosesTheEventAlone() throws Exception {
        try (StreamPair pair = StreamPair.connect("jvm")) {
            FailingAddress address = new FailingAddress(pair.listener().localAddress());
            List<RecordedEvent> all = record(() -> {
                RdmaStream client = RdmaStream.connect(pair.clientContext(), address);
                try (RdmaStream server = pair.listener().accept()) {
                    client.write(ByteBuffer.allocate(LENGTH));
                    address.fails = true;
                    client.close();
                    assertFalse(client.isOpen());
                    read(server, LENGTH);
                    assertEquals(-1, server.read(ByteBuffer.allocate(1)));
                }
            });

            assertEquals(1, address.errors.get());
            assertEquals(1, all.stream().filter(event -> event.getLong("receivedBytes") == LENGTH).count());
            assertEquals(0, all.stream().filter(event -> event.getLong("sentBytes") == LENGTH).count());
        }
    }

    /** Sends a byte. */
    public static final class Program {
        private Program() {}

        public static void main(String[] args) throws IOException, InterruptedException {
            try (StreamPair pair = StreamPair.connect("jvm")) {
                pair.client().write(ByteBuffer.allocate(1));
                read(pair.server(), 1);
            }
        }
    }

    @Test
    void withoutARecordingNoClassOfFlightRecorderIsLoaded() throws Exception {
        ChildJvm.Result result = ChildJvm.run(folder, List.of("-Xlog:class+load", "-XX:TieredStopAtLevel=1", "-cp",
                System.getProperty("java.class.path"), Program.class.getName()));

        assertEquals(0, result.exit(), result::err);
        assertTrue(result.out().contains(" io.jverbs.rsocket.journal.StreamJournal "), "the end was not recorded");
        for (String name : List.of("jdk.jfr.Event", "io.jverbs.rsocket.journal.StreamEvent",
                "io.jverbs.rsocket.journal.StreamJournal$Recorder")) {
            assertFalse(result.out().contains(" " + name + " "), name);
        }
    }
}
