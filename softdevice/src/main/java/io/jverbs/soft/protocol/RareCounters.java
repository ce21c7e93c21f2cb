package io.jverbs.soft.protocol;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The counters of rare occurrences of one queue pair. Their memory is allocated with the first occurrence, because most
 * queue pairs have none. Thread-safe.
 */
public final class RareCounters {
    /** The values, indexed by the ordinal of {@link Counter}; null until the first occurrence. */
    private volatile AtomicLongArray values;

    /**
     * Increments a counter.
     *
     * @param counter the counter
     */
    public void increment(Counter counter) {
        AtomicLongArray present = values;
        if (present == null) {
            synchronized (this) {
                present = values == null ? new AtomicLongArray(Counter.values().length) : values;
                values = present;
            }
        }
        present.incrementAndGet(counter.ordinal());
    }

    /**
     * {@return the value of a counter}
     *
     * @param counter the counter
     */
    public long get(Counter counter) {
        AtomicLongArray present = values;
        return present == null ? 0 : present.get(counter.ordinal());
    }
}
