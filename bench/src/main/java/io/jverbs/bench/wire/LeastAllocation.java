package io.jverbs.bench.wire;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * What a thread allocates in each of its operations: the least of all runs of 16. What allocates does so in all of them; what only
 * JMH, for samples, or code that is not compiled yet allocates now and then is not among that.
 */
final class LeastAllocation {
    private static final int RUN = 16;
    /** Fewer are not worth a word: calls of C that few of them make are not compiled yet, and then allocate a slice each. */
    private static final int ENOUGH = 5_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private int operations;
    private long before;
    private long least = Long.MAX_VALUE;

    /** The thread has done an operation; always the same thread. */
    void operation() {
        operations++;
        if (operations % RUN == 0) {
            run();
        }
    }

    private void run() {
        long now = THREADS.getCurrentThreadAllocatedBytes();
        if (operations != RUN) {
            least = Math.min(least, now - before);
        }
        before = now;
    }

    /**
     * Makes sure that there is nothing.
     *
     * @throws IllegalStateException if there is
     */
    void check() {
        if (operations >= ENOUGH && least > 0) {
            throw new IllegalStateException("allocates " + (double) least / RUN + " B/op at the least");
        }
    }
}
