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
import java.util.stream.Collectors;
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
    private static final int ROUNDS = 1_000;
    private static final int MEASUREMENTS = 25;
    private static final int SIZE = 64;
    /** The size of the smallest object. One per message would be two or three per round. */
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
            Measurement measured = leastAllocation(3, () -> exchange(pair, ROUNDS));

            assertTrue(measured.threads() >= 2, "the context has threads");
            assertTrue(measured.isFree(), measured::toString);
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
            Set<Long> background = LongStream.of(threadsInBackground()).boxed().collect(Collectors.toSet());
            Measurement measured = leastAllocation(2, () -> call(pair.client(), ROUNDS));

            assertTrue(handlers.stream().map(Thread::threadId).allMatch(background::contains), "measured: " + handlers);
            assertTrue(measured.isFree(), measured::toString);
        }
    }

    private void call(Endpoint client, int rounds) throws InterruptedException {
        for (int i = 0; i < rounds; i++) {
            try (Message reply = client.call(data)) {
                assertEquals(SIZE, reply.length());
            }
        }
    }

    /** Operations that shall allocate nothing. */
    private interface Operations {
        void perform() throws InterruptedException;
    }

    /**
     * What {@link #ROUNDS} rounds have allocated.
     *
     * @param messages the number of messages of a round
     * @param own bytes, by the thread of the program
     * @param others bytes, by the threads in the background
     * @param threads the number of these threads
     * @param millis the time that the rounds have taken
     */
    private record Measurement(int messages, long own, long others, int threads, long millis) {
        /** Whether no message has allocated an object. */
        boolean isFree() {
            return own < OBJECT_BYTES * ROUNDS && others < OBJECT_BYTES * ROUNDS * messages / 3
                    + BYTES_PER_MILLISECOND * millis;
        }
    }

    /**
     * Returns the first measurement without allocation, or the last one. A message that allocates does so in all of
     * them. At other times, the JDK customizes a method handle, and a thread in the background blocks.
     */
    private static Measurement leastAllocation(int messages, Operations rounds) throws InterruptedException {
        long[] threads = threadsInBackground();
        Measurement measured = null;
        for (int i = 0; i < MEASUREMENTS && (measured == null || !measured.isFree()); i++) {
            long start = System.nanoTime();
            long own = THREADS.getCurrentThreadAllocatedBytes();
            long others = allocated(threads);
            rounds.perform();
            own = THREADS.getCurrentThreadAllocatedBytes() - own;
            others = allocated(threads) - others;
            measured = new Measurement(messages, own, others, threads.length,
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
        }
        return measured;
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
