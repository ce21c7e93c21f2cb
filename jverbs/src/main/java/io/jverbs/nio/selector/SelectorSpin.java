package io.jverbs.nio.selector;

import io.jverbs.spi.SystemProperties;
import java.util.concurrent.TimeUnit;

/**
 * Decides whether a selection polls before it blocks, and for how long. After polls that have found nothing, the next
 * selection blocks at once, and after each further one twice as many do, at most {@link #MAX_SKIPS}: the peers may need
 * the processor. Of the thread that selects.
 */
public final class SelectorSpin {
    private static final int MAX_SKIPS = 64;
    private static final long MAX_MICROS = 1_000_000;
    private static final boolean HAS_ONE_PROCESSOR = Runtime.getRuntime().availableProcessors() == 1;
    private static final long DEFAULT_MICROS = HAS_ONE_PROCESSOR ? 0 : 50;

    private final long nanos;
    private int skips;
    private int next = 1;

    SelectorSpin(long nanos) {
        this.nanos = nanos;
    }

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

    /** Returns how long a selection polls that would block now. */
    long begin() {
        if (nanos == 0) {
            return 0;
        }
        if (skips > 0) {
            skips--;
            return 0;
        }
        return nanos;
    }

    /** Notes whether polls have found something. */
    void end(boolean isReady) {
        if (isReady) {
            next = 1;
        } else {
            skips = next;
            next = Math.min(2 * next, MAX_SKIPS);
        }
    }

    /** Lets other threads of the processor run between two polls. */
    static void pause() {
        if (HAS_ONE_PROCESSOR) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }
}
