package io.jverbs.soft.rsocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamException;
import io.jverbs.rsocket.RdmaStreamException.Reason;
import io.jverbs.rsocket.RdmaStreamOptions;
import io.jverbs.soft.LoopbackAddress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The process of a peer is killed with SIGKILL: its streams end within the time of the keep-alive, and no others. */
@Timeout(120)
final class KilledStreamTest {
    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final Duration TIMEOUT = Duration.ofMillis(500);
    /** Twice the interval and the timeout, and two seconds because the machine may be busy. */
    private static final Duration MOST = INTERVAL.multipliedBy(2).plus(TIMEOUT).plusSeconds(2);
    private static final RdmaStreamOptions CHECKING = RdmaStreamOptions.DEFAULT.withKeepAlive(INTERVAL)
            .withKeepAliveTimeout(TIMEOUT).withCloseTimeout(TIMEOUT);

    private static void assertReplies(RdmaStream stream) throws IOException, InterruptedException {
        stream.write(ByteBuffer.wrap(new byte[] {7}));
        ByteBuffer reply = ByteBuffer.allocate(1);
        assertEquals(1, stream.read(reply));
        assertEquals(7, reply.get(0));
    }

    @Test
    void readsAndWritesThatWaitThrowAndTheStreamsOfOtherProcessesContinue() throws Exception {
        try (StreamProcess victim = StreamProcess.start();
                StreamProcess survivor = StreamProcess.start();
                RdmaContext context = Verbs.open("soft:" + LoopbackAddress.next());
                RdmaStream reading = RdmaStream.connect(context, victim.address(), CHECKING);
                RdmaStream writing = RdmaStream.connect(context, victim.address(), CHECKING);
                RdmaStream notified = RdmaStream.connect(context, victim.address(), CHECKING);
                RdmaStream other = RdmaStream.connect(context, survivor.address(), CHECKING)) {
            assertReplies(reading);
            assertReplies(writing);
            assertReplies(notified);
            BackgroundTransfer reader = BackgroundTransfer.start(() -> assertSilent(
                    assertThrows(RdmaStreamException.class, () -> reading.read(ByteBuffer.allocate(1)))));
            BackgroundTransfer writer = BackgroundTransfer.startVirtual(() -> assertSilent(
                    assertThrows(RdmaStreamException.class, () -> writing.write(ByteBuffer.allocate(10 << 20)))));
            StreamPair.await("a full buffer", () -> (writing.ready() & RdmaStream.WRITABLE) == 0);
            reader.awaitBlocked();
            AtomicReference<String> notification = new AtomicReference<>();
            assertEquals(0, notified.requestNotification(RdmaStream.READABLE, () -> notification.set("ready")));

            victim.kill();
            long start = System.nanoTime();
            reader.get();
            writer.get();
            StreamPair.await("the notification", () -> notification.get() != null);
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            assertTrue(took.compareTo(MOST) < 0, () -> "took " + took + ", at most " + MOST);
            assertSilent(assertThrows(RdmaStreamException.class, () -> notified.tryRead(ByteBuffer.allocate(1))));
            assertFalse(reading.isOpen());
            assertFalse(writing.isOpen());
            assertReplies(other);
        }
    }

    private static void assertSilent(RdmaStreamException failed) {
        assertEquals(Reason.PEER_SILENT, failed.reason(), failed::getMessage);
    }
}
