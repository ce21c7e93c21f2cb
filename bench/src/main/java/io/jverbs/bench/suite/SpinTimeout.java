package io.jverbs.bench.suite;

import java.util.concurrent.TimeUnit;

/** The timeout of spinning loops, so that a benchmark whose peer does not respond fails instead of hanging. */
public final class SpinTimeout {
    private static final long NANOS = TimeUnit.SECONDS.toNanos(10);
    /** The number of iterations between two reads of the clock. */
    private static final int ITERATIONS = 1 << 16;

    private SpinTimeout() {}

    /**
     * Called in each iteration of a loop.
     *
     * @param iteration the number of the iteration, from 1
     * @param start the value that the previous call returned, 0 in the first iteration
     * @return the value for the next call
     * @throws IllegalStateException if the loop takes more than ten seconds
     */
    public static long spin(int iteration, long start) {
        Thread.onSpinWait();
        return iteration % ITERATIONS == 0 ? check(start) : start;
    }

    private static long check(long start) {
        long now = System.nanoTime();
        if (start != 0 && now - start > NANOS) {
            throw new IllegalStateException("no completion or message within 10 s");
        }
        return start == 0 ? now : start;
    }
}
