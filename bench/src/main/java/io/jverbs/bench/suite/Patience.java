package io.jverbs.bench.suite;

import java.util.concurrent.TimeUnit;

/** How loops that spin end where nothing comes: a benchmark that hangs would hide why. */
public final class Patience {
    private static final long NANOS = TimeUnit.SECONDS.toNanos(10);
    /** Turns between looks at the clock. */
    private static final int TURNS = 1 << 16;

    private Patience() {}

    /**
     * One turn of a loop.
     *
     * @param turn the number of the turn, from 1
     * @param began what the turn before returned, 0 at first
     * @return for the next turn
     * @throws IllegalStateException if the loop takes more than ten seconds
     */
    public static long spin(int turn, long began) {
        Thread.onSpinWait();
        return turn % TURNS == 0 ? look(began) : began;
    }

    private static long look(long began) {
        long now = System.nanoTime();
        if (began != 0 && now - began > NANOS) {
            throw new IllegalStateException("what was waited for did not come within 10 s");
        }
        return began == 0 ? now : began;
    }
}
