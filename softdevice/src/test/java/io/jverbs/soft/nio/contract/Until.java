package io.jverbs.soft.nio.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.end.Wait;

/** Waits for conditions that may throw checked exceptions. */
public final class Until {
    /** How long a condition may take to hold on a busy machine, in milliseconds. */
    static final long DEADLINE_MILLIS = 30_000;

    private Until() {}

    /** A condition. */
    @FunctionalInterface
    public interface Condition {
        /** Returns whether it holds. */
        boolean holds() throws Exception;
    }

    /** Waits until a condition holds; the test fails if it does not hold within 30 s. */
    public static void holds(String what, Condition condition) throws Exception {
        assertTrue(holdsWithin(DEADLINE_MILLIS, condition),
                () -> "not within " + DEADLINE_MILLIS + " ms: " + what);
    }

    /** Waits until a condition holds or the time is over; returns whether it holds. */
    static boolean holdsWithin(long millis, Condition condition) throws Exception {
        Wait wait = new Wait(millis);
        while (!condition.holds()) {
            if (!wait.goesOn()) {
                return false;
            }
            Thread.sleep(1);
        }
        return true;
    }
}
