package io.jverbs.contract.end;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

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

    /** Tests a condition each millisecond until it holds or the time is over; returns whether it holds. */
    public static boolean until(long millis, BooleanSupplier condition) throws InterruptedException {
        Wait wait = new Wait(millis);
        while (!condition.getAsBoolean()) {
            if (!wait.goesOn()) {
                return false;
            }
            Thread.sleep(1);
        }
        return true;
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
