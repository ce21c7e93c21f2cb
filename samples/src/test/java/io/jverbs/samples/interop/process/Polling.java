package io.jverbs.samples.interop.process;

import java.util.function.BooleanSupplier;

/** Waits for a condition that nothing announces, such as a line of a program's output. */
public final class Polling {
    private static final long POLL_MILLIS = 20;

    private Polling() {}

    /** Waits until a condition holds, the program ends or the time is up. */
    public static void until(BooleanSupplier condition, BooleanSupplier running) throws InterruptedException {
        long deadline = System.nanoTime() + InteropSettings.TIMEOUT.toNanos();
        while (!condition.getAsBoolean() && running.getAsBoolean() && System.nanoTime() < deadline) {
            Thread.sleep(POLL_MILLIS);
        }
    }
}
