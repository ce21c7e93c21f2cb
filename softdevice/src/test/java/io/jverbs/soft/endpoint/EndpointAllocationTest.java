package io.jverbs.soft.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.jverbs.endpoint.Buffer;
import io.jverbs.endpoint.Endpoint;
import io.jverbs.endpoint.EndpointOptions;
import io.jverbs.endpoint.Message;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of endpoints allocate nothing, neither in the program's thread nor in those in the background. */
@Timeout(120)
@Isolated("its threads spin on both processors")
final class EndpointAllocationTest {
    private static final int WARM_UP = 10_000;
    private static final int ROUNDS = 5_000;
    private static final int SIZE = 64;
    /** The size of the smallest object. One per message would be three per round. */
    private static final long OBJECT_BYTES = 16;
    /** The allocation of a thread in the background when it blocks, which it does for at least 1 ms. */
    private static final long BYTES_PER_MILLISECOND = 64;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final MemorySegment data = Arena.ofAuto().allocate(SIZE);

    @ParameterizedTest
    @ValueSource(strings = {"jvm", "wire"})
    void messagesAndBuffersAllocateNothing(String where) throws InterruptedException {
        EndpointOptions spinning = EndpointOptions.builder().spin(Duration.ofSeconds(10)).build();
        try (EndpointPair pair = EndpointPair.connect(where, spinning, spinning)) {
            exchange(pair, WARM_UP);
            long[] threads = threadsInBackground();
            long start = System.nanoTime();
            long own = THREADS.getCurrentThreadAllocatedBytes();
            long others = allocated(threads);
            exchange(pair, ROUNDS);
            double each = (THREADS.getCurrentThreadAllocatedBytes() - own) / (double) ROUNDS;
            long bytes = allocated(threads) - others;
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);

            assertTrue(threads.length >= 2, "the context has threads");
            assertTrue(each < OBJECT_BYTES, each + " bytes allocated for three messages");
            assertTrue(bytes < OBJECT_BYTES * ROUNDS + BYTES_PER_MILLISECOND * millis,
                    bytes + " bytes for " + 3 * ROUNDS + " messages in " + millis + " ms in the background");
        }
    }

    private void exchange(EndpointPair pair, int rounds) throws InterruptedException {
        for (int i = 0; i < rounds; i++) {
            pair.client().send(data);
            receive(pair.server());
            Buffer buffer = pair.server().buffer();
            pair.server().send(buffer, SIZE);
            receive(pair.client());
            pair.server().send(data);
            receive(pair.client());
        }
    }

    private static void receive(Endpoint from) throws InterruptedException {
        try (Message message = from.receive()) {
            assertTrue(message.length() == SIZE, "wrong length");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jvm", "wire"})
    void callsOfAHandlerAllocateNothingInTheCallingThreadNorInThatOfTheHandler(String where) throws Exception {
        EndpointOptions spinning = EndpointOptions.builder().spin(Duration.ofSeconds(10)).build();
        try (EndpointPair pair = EndpointPair.connect(where, spinning, spinning)) {
            Set<Thread> handlers = ConcurrentHashMap.newKeySet();
            pair.server().onMessage((endpoint, message) -> {
                handlers.add(Thread.currentThread());
                message.reply(data);
            });
            call(pair.client(), WARM_UP);
            long[] threads = threadsInBackground();
            long start = System.nanoTime();
            long before = THREADS.getCurrentThreadAllocatedBytes();
            long others = allocated(threads);
            call(pair.client(), ROUNDS);
            double each = (THREADS.getCurrentThreadAllocatedBytes() - before) / (double) ROUNDS;
            long bytes = allocated(threads) - others;
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);

            assertTrue(each < OBJECT_BYTES, each + " bytes allocated per call");
            assertTrue(handlers.stream().mapToLong(Thread::threadId)
                    .allMatch(id -> LongStream.of(threads).anyMatch(thread -> thread == id)), "measured: " + handlers);
            assertTrue(bytes < OBJECT_BYTES * ROUNDS / 2 + BYTES_PER_MILLISECOND * millis,
                    bytes + " bytes for " + ROUNDS + " calls in " + millis + " ms in the background");
        }
    }

    private void call(Endpoint client, int rounds) throws InterruptedException {
        for (int i = 0; i < rounds; i++) {
            try (Message reply = client.call(data)) {
                assertEquals(SIZE, reply.length());
            }
        }
    }

    private static long[] threadsInBackground() {
        return Thread.getAllStackTraces().keySet().stream().filter(each -> each.getName().startsWith("jverbs-"))
                .mapToLong(Thread::threadId).toArray();
    }

    /** Returns the bytes allocated by the threads of the endpoints and devices. */
    private static long allocated(long[] threads) {
        long sum = 0;
        for (long thread : threads) {
            sum += Math.max(0, THREADS.getThreadAllocatedBytes(thread));
        }
        return sum;
    }
}
