package io.jverbs.samples.tour;

import java.util.Locale;

/** The lines of the tour's table. */
final class Table {
    private static final String ROW = "%-20s %-3s %8s %9s %9s %10s  %s";
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double BYTES_PER_MB = 1e6;
    private static final double MEDIAN = 50;
    private static final double TAIL = 99;

    private Table() {}

    static String header() {
        return String.format(Locale.ROOT, ROW, "operation", "QP", "bytes", "p50 us", "p99 us", "ops/s",
                String.format("%8s", "MB/s"));
    }

    static String row(Stop stop, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Done done when done.latency().getTotalCount() == 0 -> row(stop, "-", "-", "-", spoilt(done));
            case Outcome.Done done when done.spoilt() != 0 -> row(stop, micros(done.percentile(MEDIAN)),
                    micros(done.percentile(TAIL)), String.format(Locale.ROOT, "%,.0f", done.rate()), spoilt(done));
            case Outcome.Done done -> row(stop, micros(done.percentile(MEDIAN)), micros(done.percentile(TAIL)),
                    String.format(Locale.ROOT, "%,.0f", done.rate()),
                    stop.remark().isEmpty() ? throughput(done.rate() * stop.size()) : stop.remark());
            case Outcome.Skipped skipped -> row(stop, "-", "-", "-", "not offered: " + skipped.reason());
            case Outcome.Wrong wrong -> row(stop, "-", "-", "-", "WRONG");
        };
    }

    private static String spoilt(Outcome.Done done) {
        return String.format(Locale.ROOT, "%,d of %,d spoilt by the network", done.spoilt(), done.tried());
    }

    private static String row(Stop stop, String median, String tail, String rate, String last) {
        return String.format(Locale.ROOT, ROW, stop.name(), stop.type(), stop.size(), median, tail, rate, last);
    }

    private static String micros(long nanos) {
        return String.format(Locale.ROOT, "%.2f", nanos / NANOS_PER_MICRO);
    }

    private static String throughput(double bytesPerSecond) {
        double megabytes = bytesPerSecond / BYTES_PER_MB;
        return String.format(Locale.ROOT, megabytes < 10 ? "%8.1f" : "%,8.0f", megabytes);
    }
}
