package io.jverbs.soft.rsocket;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Transfers of streams allocate nothing, neither in the program's thread nor in those in the background, and with or
 * without Flight Recorder.
 */
@Timeout(120)
@Isolated("its threads spin on both processors")
final class RdmaStreamAllocationTest {
    private static final int WARM_UP = 10_000;
    private static final int ROUNDS = 1_000;
    private static final int MEASUREMENTS = 25;
    /** The size of the smallest object. One per transfer would be four per round. */
    private static final long OBJECT_BYTES = 16;
    /** The allocation of a thread in the background when it blocks, which it does for at least 1 ms. */
    private static final long BYTES_PER_MILLISECOND = 64;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static void exchange(StreamPair pair, ByteBuffer bytes, MemorySegment segment, int rounds)
            throws IOException, InterruptedException {
        for (int i = 0; i < rounds; i++) {
            pair.client().write(bytes.clear());
            readAll(pair.server(), bytes.clear());
            pair.server().write(segment);
            readAll(pair.client(), bytes.clear());
        }
    }

    private static void readAll(RdmaStream from, ByteBuffer into) throws IOException, InterruptedException {
        while (into.hasRemaining()) {
            from.read(into);
        }
    }

    @ParameterizedTest
    @CsvSource({"jvm, 64, false", "jvm, 20000, false", "wire, 64, false", "wire, 20000, false", "jvm, 64, true"})
    void transfersAllocateNothing(String where, int size, boolean isRecorded) throws Exception {
        RdmaStreamOptions spinning = RdmaStreamOptions.DEFAULT.withSpin(Duration.ofSeconds(10));
        try (Recording recording = isRecorded ? new Recording() : null;
                StreamPair pair = StreamPair.connect(where, spinning, spinning);
                Arena arena = Arena.ofShared()) {
            if (isRecorded) {
                recording.start();
            }
            ByteBuffer bytes = ByteBuffer.allocateDirect(size);
            MemorySegment segment = arena.allocate(size);
            exchange(pair, bytes, segment, size > 1000 ? WARM_UP / 10 : WARM_UP);
            long[] threads = threadsInBackground();
            assertTrue(threads.length >= 4, "the contexts have threads");
            String measured = null;
            for (int i = 0; i < MEASUREMENTS; i++) {
                long start = System.nanoTime();
                long own = THREADS.getCurrentThreadAllocatedBytes();
                long others = allocated(threads);
                exchange(pair, bytes, segment, ROUNDS);
                own = THREADS.getCurrentThreadAllocatedBytes() - own;
                others = allocated(threads) - others;
                long millis = (System.nanoTime() - start) / 1_000_000;
                measured = own + " bytes, and " + others + " in the background within " + millis + " ms";
                if (own < OBJECT_BYTES * ROUNDS && others < OBJECT_BYTES * ROUNDS + BYTES_PER_MILLISECOND * millis) {
                    return;
                }
            }
            throw new AssertionError(measured);
        }
    }

    private static long[] threadsInBackground() {
        return Thread.getAllStackTraces().keySet().stream().filter(each -> each.getName().startsWith("jverbs-"))
                .mapToLong(Thread::threadId).toArray();
    }

    private static long allocated(long[] threads) {
        long sum = 0;
        for (long thread : threads) {
            sum += Math.max(0, THREADS.getThreadAllocatedBytes(thread));
        }
        return sum;
    }
}
