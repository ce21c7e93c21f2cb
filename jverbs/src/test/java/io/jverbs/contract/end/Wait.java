package io.jverbs.contract.end;

import java.util.concurrent.TimeUnit;

/**
 * A wait for a condition, with a deadline. The last look comes after the deadline: who was held up between a look and the clock has
 * not seen yet what has come meanwhile.
 */
public final class Wait {
    private final long end;
    private boolean over;

    /** Begins. */
    public Wait(long millis) {
        end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Whether to look again. */
    public boolean goesOn() {
        if (over) {
            return false;
        }
        over = System.nanoTime() - end > 0;
        return true;
    }
}
