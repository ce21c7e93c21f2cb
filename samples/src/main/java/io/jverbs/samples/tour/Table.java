package io.jverbs.samples.tour;

import java.util.Locale;

/** Formats the lines of the tour's table. */
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

    static String row(Step step, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Done done when done.latency().getTotalCount() == 0 -> row(step, "-", "-", "-", lost(done));
            case Outcome.Done done when done.lost() != 0 -> row(step, micros(done.percentile(MEDIAN)),
                    micros(done.percentile(TAIL)), String.format(Locale.ROOT, "%,.0f", done.rate()), lost(done));
            case Outcome.Done done -> row(step, micros(done.percentile(MEDIAN)), micros(done.percentile(TAIL)),
                    String.format(Locale.ROOT, "%,.0f", done.rate()),
                    step.remark().isEmpty() ? throughput(done.rate() * step.size()) : step.remark());
            case Outcome.Skipped skipped -> row(step, "-", "-", "-", "not supported: " + skipped.reason());
            case Outcome.Failed failed -> row(step, "-", "-", "-", "FAILED");
        };
    }

    private static String lost(Outcome.Done done) {
        return String.format(Locale.ROOT, "%,d of %,d lost to network faults", done.lost(), done.tried());
    }

    private static String row(Step step, String median, String tail, String rate, String last) {
        return String.format(Locale.ROOT, ROW, step.name(), step.type(), step.size(), median, tail, rate, last);
    }

    private static String micros(long nanos) {
        return String.format(Locale.ROOT, "%.2f", nanos / NANOS_PER_MICRO);
    }

    private static String throughput(double bytesPerSecond) {
        double megabytes = bytesPerSecond / BYTES_PER_MB;
        return String.format(Locale.ROOT, megabytes < 10 ? "%8.1f" : "%,8.0f", megabytes);
    }
}
