package io.jverbs.bench.process;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Measures how much a thread allocates in each operation: the minimum of all runs of 16 operations. An operation that
 * allocates does so in each run, whereas JMH, for samples, and code that is not compiled yet allocate in some runs
 * only. Not thread-safe.
 */
public final class MinimumAllocation {
    private static final int RUN = 16;
    /**
     * The smallest number of operations to judge: with fewer, native calls are not compiled yet and allocate a slice.
     */
    private static final int ENOUGH = 5_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private int operations;
    private long before;
    private long minimum = Long.MAX_VALUE;

    /** Creates an object that has measured nothing. */
    public MinimumAllocation() {
        // the fields have their initial values
    }

    /** Called after each operation by the thread that performs it. */
    public void operation() {
        operations++;
        if (operations % RUN == 0) {
            endRun();
        }
    }

    private void endRun() {
        long now = THREADS.getCurrentThreadAllocatedBytes();
        if (operations != RUN) {
            minimum = Math.min(minimum, now - before);
        }
        before = now;
    }

    /**
     * Checks that the operations do not allocate.
     *
     * @throws IllegalStateException if they allocate
     */
    public void check() {
        if (operations >= ENOUGH && minimum > 0) {
            throw new IllegalStateException("allocates at least " + (double) minimum / RUN + " B/op");
        }
    }
}
