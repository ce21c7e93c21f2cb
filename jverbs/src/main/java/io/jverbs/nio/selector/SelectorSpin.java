package io.jverbs.nio.selector;

import io.jverbs.spi.SystemProperties;
import java.util.concurrent.TimeUnit;

/** How long a selection polls before it blocks. */
public final class SelectorSpin {
    private static final long MAX_MICROS = 1_000_000;
    private static final long DEFAULT_MICROS = Runtime.getRuntime().availableProcessors() == 1 ? 0 : 50;

    private SelectorSpin() {}

    /**
     * {@return the time of the system property, in nanoseconds}
     *
     * @throws IllegalArgumentException if the property is not such a time
     */
    public static long nanosOfProperty() {
        String text = System.getProperty(SystemProperties.NIO_SPIN, Long.toString(DEFAULT_MICROS));
        if (text.matches("\\d{1,7}") && Long.parseLong(text) <= MAX_MICROS) {
            return TimeUnit.MICROSECONDS.toNanos(Long.parseLong(text));
        }
        throw new IllegalArgumentException(SystemProperties.refusal(SystemProperties.NIO_SPIN, text,
                "0 to " + MAX_MICROS + " microseconds"));
    }
}
