package io.jverbs.soft.capture;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.time.Duration;

/** Tells whether something is kept by nobody. */
final class Collected {
    private static final long DEADLINE_NANOS = Duration.ofSeconds(20).toNanos();

    private Collected() {}

    /** Waits until it is collected. */
    static void await(WeakReference<?> reference) {
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (reference.get() != null) {
            assertTrue(System.nanoTime() < deadline, () -> "kept: " + reference.get());
            System.gc();
            Thread.yield();
        }
    }
}
