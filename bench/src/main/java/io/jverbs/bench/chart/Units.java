package io.jverbs.bench.chart;

import java.util.Locale;

/** Formats round numbers for axes, and speeds. */
final class Units {
    private static final String[] TIMES = {"ns", "us", "ms", "s"};
    private static final String[] SIZES = {"B", "KiB", "MiB", "GiB"};
    private static final int KIB = 1024;
    private static final double THOUSAND = 1e3;
    private static final double ROUNDING = 1e-9;

    private Units() {}

    /** {@return a round number of nanoseconds, for instance "10 us"} */
    static String time(double nanos) {
        double value = nanos;
        int unit = 0;
        while (value * (1 + ROUNDING) >= THOUSAND && unit < TIMES.length - 1) {
            value /= THOUSAND;
            unit++;
        }
        return plain(value) + " " + TIMES[unit];
    }

    /** {@return a number of bytes, for instance "64 KiB"} */
    static String size(long bytes) {
        long value = bytes;
        int unit = 0;
        while (value >= KIB && value % KIB == 0 && unit < SIZES.length - 1) {
            value /= KIB;
            unit++;
        }
        return value + " " + SIZES[unit];
    }

    /** {@return a round speed in bytes per nanosecond, for instance "100 MB/s"} */
    static String roundSpeed(double speed) {
        return speed * (1 + ROUNDING) >= 1 ? plain(speed) + " GB/s" : plain(speed * THOUSAND) + " MB/s";
    }

    /** {@return a speed in bytes per nanosecond, with at least two digits} */
    static String speed(double speed) {
        boolean large = speed >= 1;
        double value = large ? speed : speed * THOUSAND;
        return String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value) + (large ? " GB/s" : " MB/s");
    }

    private static String plain(double value) {
        long whole = Math.round(value);
        return Math.abs(value - whole) < ROUNDING * THOUSAND * whole
                ? Long.toString(whole)
                : String.format(Locale.ROOT, "%.1f", value);
    }
}
