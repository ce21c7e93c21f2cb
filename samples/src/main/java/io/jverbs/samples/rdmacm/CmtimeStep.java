package io.jverbs.samples.rdmacm;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The times of one step of cmtime: of all connections together, and of each. */
final class CmtimeStep {
    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final double NANOS_PER_MICRO = TimeUnit.MICROSECONDS.toNanos(1);

    private final String name;
    private final long[] started;
    private final long[] nanos;
    private long begin;
    private long total;

    CmtimeStep(String name, int connections) {
        this.name = name;
        started = new long[connections];
        nanos = new long[connections];
        Arrays.fill(nanos, -1);
    }

    /** Notes the begin of the step for all connections. */
    void begin() {
        begin = System.nanoTime();
    }

    /** Notes the end of the step for all connections. */
    void end() {
        total = System.nanoTime() - begin;
    }

    void begin(int connection) {
        started[connection] = System.nanoTime();
    }

    void end(int connection) {
        nanos[connection] = System.nanoTime() - started[connection];
    }

    /** Returns the row: the total and the longest time in ms, the shortest and the mean time in microseconds. */
    String row() {
        long longest = Arrays.stream(nanos).max().orElse(0);
        long shortest = Arrays.stream(nanos).filter(each -> each >= 0).min().orElse(0);
        return String.format(Locale.ROOT, "%-13s: %11.2f%11.2f%11.2f%11.2f", name, total / NANOS_PER_MILLI,
                Math.max(0, longest) / NANOS_PER_MILLI, shortest / NANOS_PER_MICRO,
                total / NANOS_PER_MICRO / nanos.length);
    }
}
