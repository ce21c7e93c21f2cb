package io.jverbs.spi;

import java.time.Duration;
import java.util.Objects;

/** Converts the timeouts of blocking calls. */
public final class Waits {

    private Waits() {}

    /**
     * {@return a timeout in nanoseconds; {@link Long#MAX_VALUE}, about 292 years, if it does not fit into a long}
     *
     * @param timeout the timeout
     * @throws IllegalArgumentException if the timeout is negative
     */
    public static long nanos(Duration timeout) {
        if (Objects.requireNonNull(timeout, "timeout").isNegative()) {
            throw new IllegalArgumentException("timeout " + timeout + " is negative");
        }
        try {
            return timeout.toNanos();
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }
}
