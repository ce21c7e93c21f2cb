package io.jverbs.soft.rsocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamListener;
import io.jverbs.rsocket.RdmaStreamOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A close at any time: it ends, gives everything back, and no other thread gets wrong bytes. */
@Timeout(120)
final class RdmaStreamCloseTest {
    private static final int ROUNDS = 100;
    private static final int LARGE = 16 << 20;
    private static final MemorySegment PATTERN = pattern();
    private final SplittableRandom random = new SplittableRandom();

    private void awaitRandomTime(long maxNanos) {
        long end = System.nanoTime() + random.nextLong(maxNanos);
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    /** Returns bytes of which each is one more than that before. */
    private static MemorySegment pattern() {
        MemorySegment bytes = Arena.ofAuto().allocate(LARGE + 256);
        for (long i = 0; i < bytes.byteSize(); i++) {
            bytes.set(ValueLayout.JAVA_BYTE, i, (byte) i);
        }
        return bytes;
    }

    /** Writes the pattern, until the stream is closed. */
    private static void writeAll(RdmaStream to) throws InterruptedException {
        MemorySegment bytes = PATTERN.asSlice(0, LARGE / 4);
        try {
            while (true) {
                to.write(bytes);
            }
        } catch (IOException | IllegalStateException e) {
            // a side has closed the stream
        }
    }

    /** Reads the pattern, until the stream is closed. */
    private static void readAll(RdmaStream from, MemorySegment segment, boolean segments) throws InterruptedException {
        ByteBuffer bytes = segment.asByteBuffer();
        long position = 0;
        try {
            int count = 0;
            while (count >= 0) {
                assertEquals(-1, segment.asSlice(0, count).mismatch(PATTERN.asSlice(position % 256, count)));
                position += count;
                count = segments ? from.read(segment) : from.read(bytes.clear());
            }
        } catch (IOException | IllegalStateException e) {
            // a side has closed the stream
        }
    }

    /** Waits until the writer has found no room in many checks: once may be until it learns of the other half. */
    private static void awaitFullBuffer(StreamPair pair) throws InterruptedException {
        AtomicInteger full = new AtomicInteger();
        StreamPair.await("a full receive buffer", () -> {
            boolean isWritable = (pair.client().ready() & RdmaStream.WRITABLE) != 0;
            return full.updateAndGet(count -> isWritable ? 0 : count + 1) == 20;
        });
    }

    /** The read takes long, and goes on at the begin of the receive buffer, so most of the closes come during it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aThreadThatReadsDuringTheCloseGetsOnlyBytesOfTheStreamInOrder(boolean segments) throws Exception {
        RdmaStreamOptions large = RdmaStreamOptions.DEFAULT.withReceiveBufferSize(LARGE)
                .withCloseTimeout(Duration.ofMillis(100));
        for (int i = 0; i < 20; i++) {
            try (StreamPair pair = StreamPair.connect("jvm", large, large)) {
                BackgroundTransfer writer = BackgroundTransfer.start(() -> writeAll(pair.client()));
                awaitFullBuffer(pair);
                ByteBuffer first = ByteBuffer.allocate(LARGE / 4 * 3);
                while (first.hasRemaining()) {
                    pair.server().read(first);
                }
                awaitFullBuffer(pair);
                MemorySegment into = Arena.ofAuto().allocate(LARGE);
                CountDownLatch begin = new CountDownLatch(1);
                BackgroundTransfer reader = BackgroundTransfer.start(() -> {
                    begin.countDown();
                    readAll(pair.server(), into, segments);
                });
                begin.await();
                awaitRandomTime(4_000_000);
                pair.server().close();
                reader.get();
                writer.get();
            }
        }
    }

    /** The last close of a context closes its channel, which is impossible while a completion queue is left. */
    @Test
    void aCloseDuringTheConnectGivesEverythingBack() throws Exception {
        RdmaStreamOptions large = RdmaStreamOptions.DEFAULT.withReceiveQueueSize(16_000).withSpin(Duration.ZERO);
        try (RdmaContext server = Verbs.open("soft");
                RdmaContext client = Verbs.open("soft");
                RdmaStreamListener listener = RdmaStreamListener.bind(server, StreamPair.anyPort(server))) {
            for (int i = 0; i < ROUNDS; i++) {
                RdmaStream stream = RdmaStream.beginConnect(client, listener.localAddress(), large);
                awaitRandomTime(3_000_000);
                stream.close();
                RdmaStream accepted = listener.accept(Duration.ZERO);
                if (accepted != null) {
                    accepted.close();
                }
            }
        }
    }

    /** A virtual thread reads, so that the thread of the context retrieves the events, and acknowledges them. */
    @Test
    void aCloseByAnInterruptedThreadGivesEverythingBackAndKeepsTheInterruptStatus() throws Exception {
        RdmaStreamOptions blocking = RdmaStreamOptions.DEFAULT.withSpin(Duration.ZERO);
        MemorySegment into = Arena.ofAuto().allocate(LARGE);
        for (int i = 0; i < ROUNDS; i++) {
            try (StreamPair pair = StreamPair.connect("jvm", blocking, blocking)) {
                BackgroundTransfer reader = BackgroundTransfer.startVirtual(() -> readAll(pair.server(), into, false));
                BackgroundTransfer writer = BackgroundTransfer.start(() -> writeAll(pair.client()));
                awaitRandomTime(1_000_000);
                Thread.currentThread().interrupt();
                pair.server().close();
                assertTrue(Thread.interrupted());
                reader.get();
                writer.get();
            }
        }
    }

    @Test
    void aListenerThatIsClosedDuringConnectRequestsGivesEverythingBack() throws Exception {
        Set<Thread> before = StreamPair.threads();
        try (RdmaContext server = Verbs.open("soft"); RdmaContext client = Verbs.open("soft")) {
            for (int i = 0; i < ROUNDS; i++) {
                RdmaStreamListener listener = RdmaStreamListener.bind(server, StreamPair.anyPort(server));
                List<RdmaStream> streams = new ArrayList<>();
                for (int each = 0; each < 8; each++) {
                    streams.add(RdmaStream.beginConnect(client, listener.localAddress(), RdmaStreamOptions.DEFAULT));
                }
                awaitRandomTime(2_000_000);
                listener.close();
                streams.forEach(RdmaStream::close);
                StreamPair.await("the end of the threads", () -> before.containsAll(StreamPair.threads()));
            }
        }
    }

    @Test
    void aListenerWaitsForThePeersOfAllItsStreamsAtTheSameTime() throws Exception {
        int count = 6;
        Duration closeTimeout = Duration.ofMillis(500);
        RdmaStreamOptions options = RdmaStreamOptions.DEFAULT.withCloseTimeout(closeTimeout);
        try (StreamPair pair = StreamPair.connect("perfect", options, options)) {
            List<RdmaStream> streams = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                streams.add(RdmaStream.connect(pair.clientContext(), pair.listener().localAddress(), options));
            }
            pair.clientContext().device().capability(SimulatedNetwork.class).orElseThrow().partition(1);
            long start = System.nanoTime();
            pair.listener().close();
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            assertTrue(millis < count * closeTimeout.toMillis() / 2, millis + " ms");
            streams.forEach(RdmaStream::close);
        }
    }
}
