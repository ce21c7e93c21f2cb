package io.jverbs.samples.interop.process;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for a condition that nothing announces, such as a line of a program's output. */
public final class Polling {
    private static final long POLL_MILLIS = 20;

    private Polling() {}

    /** Waits until a condition holds, the program ends or the time is up. */
    public static void until(BooleanSupplier condition, BooleanSupplier running) throws InterruptedException {
        until(condition, running, InteropSettings.TIMEOUT);
    }

    /** As {@link #until(BooleanSupplier, BooleanSupplier)}, with another time. */
    static void until(BooleanSupplier condition, BooleanSupplier running, Duration timeout)
            throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!condition.getAsBoolean() && running.getAsBoolean() && System.nanoTime() < deadline) {
            Thread.sleep(POLL_MILLIS);
        }
    }
}
