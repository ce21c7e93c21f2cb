package io.jverbs;

import java.time.Duration;

/** How long a blocking call waits. */
final class Waiting {

    private Waiting() {}

    /** The nanoseconds of a timeout; one too long for a long waits as long as a long can say, some 292 years. */
    static long nanos(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout " + timeout + " is negative");
        }
        try {
            return timeout.toNanos();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }
}
