package io.jverbs.bench.wire;

import java.util.Arrays;

/** The round trips of one round. */
final class Latencies {
    private static final double NANOS_PER_MICRO = 1_000;

    private final long[] nanos;
    private int count;

    Latencies(int capacity) {
        nanos = new long[capacity];
    }

    void clear() {
        count = 0;
    }

    void add(long value) {
        nanos[count++] = value;
    }

    /** Half of the median round trip, in microseconds. */
    double medianHalf() {
        long[] sorted = Arrays.copyOf(nanos, count);
        Arrays.sort(sorted);
        return sorted[count / 2] / NANOS_PER_MICRO / 2;
    }
}
