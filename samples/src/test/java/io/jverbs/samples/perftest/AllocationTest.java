package io.jverbs.samples.perftest;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.jverbs.samples.Run;
import java.lang.management.ManagementFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The loops allocate nothing: the bytes that the client allocates do not grow with the number of messages, except for
 * their times.
 */
@Isolated("its threads spin on both processors")
class AllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int FEW = 25_000;
    private static final int MANY = 125_000;
    private static final int TIMES = 4;
    private static final int BYTES_OF_TIMES = 2 * Long.BYTES;

    @ParameterizedTest
    @ValueSource(strings = {"read-lat", "write-bw", "send-bw", "write-bw -l 25", "send-lat -c UD", "write-lat",
        "send-bw -b", "write-bw -e"})
    void theLoopsAllocateNothing(String command) {
        long few = least(command, FEW);
        long more = least(command, MANY) - few;

        // Latency tests record the time of each post, and the report has the latency of each.
        long kept = command.contains("-lat") ? (long) (MANY - FEW) * BYTES_OF_TIMES : 0;
        assertTrue(more < kept + MANY - FEW, more + " bytes for " + (MANY - FEW) + " messages");
    }

    /** {@return the fewest bytes of several runs} The JVM sometimes generates classes when a program starts. */
    private static long least(String command, int iterations) {
        return IntStream.range(0, TIMES).mapToLong(i -> bytes(command, iterations)).min().orElseThrow();
    }

    private static long bytes(String command, int iterations) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        Run run = Run.of((command + " --loopback -d soft:soft50 --warm-up 0 -s 8 -n " + iterations).split(" "));
        assertTrue(run.status() == 0, run.err());
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
