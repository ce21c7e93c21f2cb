package io.jverbs.soft.capture;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.time.Duration;

/** Checks that an object can be garbage collected. */
final class Collected {
    private static final long DEADLINE_NANOS = Duration.ofSeconds(20).toNanos();

    private Collected() {}

    /** Waits until the object of a reference has been garbage collected; fails if it remains reachable. */
    static void await(WeakReference<?> reference) {
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (reference.get() != null) {
            assertTrue(System.nanoTime() < deadline, () -> "still reachable: " + reference.get());
            System.gc();
            Thread.yield();
        }
    }
}
