package io.jverbs.contract.end;

import java.util.concurrent.TimeUnit;

/**
 * A wait for a condition, with a deadline. The condition is tested once more after the deadline, because the thread may
 * have been descheduled between the last test and the deadline.
 */
public final class Wait {
    private final long end;
    private boolean over;

    /** Starts the wait. */
    public Wait(long millis) {
        end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Returns whether to test the condition again. */
    public boolean goesOn() {
        if (over) {
            return false;
        }
        over = System.nanoTime() - end > 0;
        return true;
    }
}
