package io.jverbs.samples.perftest.run;

import java.util.Locale;

/** Formats the lines of perftest's tables. */
public final class Table {
    /** The line between the parts of the output. */
    public static final String RULE = "-".repeat(87);

    private static final double MEGA = 1e6;
    private static final double FEW_GIGABITS = 0.1;

    private final Settings settings;

    public Table(Settings settings) {
        this.settings = settings;
    }

    /** {@return the line above the rows} */
    public String header() {
        if (!settings.latency()) {
            String unit = settings.gigabits() ? "Gb" : "MB";
            return " #bytes     #iterations    BW peak[" + unit + "/sec]    BW average[" + unit
                    + "/sec]   MsgRate[Mpps]";
        }
        return settings.timed()
                ? " #bytes        #iterations       t_avg[usec]    tps average"
                : " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]"
                        + "   99% percentile[usec]   99.9% percentile[usec]";
    }

    String row(LatencyReport report) {
        return String.format(Locale.ROOT,
                " %-7d %d          %-7.2f        %-7.2f      %-7.2f  \t       %-7.2f     \t%-7.2f\t\t%-7.2f \t\t%-7.2f",
                report.size(), report.iterations(), report.min(), report.max(), report.typical(), report.average(),
                report.deviation(), report.percentile99(), report.percentile999());
    }

    /** {@return the row of a latency test with a duration} */
    String row(int size, long iterations, double average, double rate) {
        return String.format(Locale.ROOT, " %-7d       %d            %-7.2f        %-7.2f", size, iterations, average,
                rate);
    }

    String row(BandwidthReport report) {
        double unit = BandwidthReport.unit(settings.gigabits());
        double average = report.average() / unit;
        String format = settings.gigabits() && average < FEW_GIGABITS
                ? " %-7d    %d           %-7.6f            %-7.6f            %-7.6f"
                : " %-7d    %-10d       %-7.2f            %-7.2f\t\t     %-7.6f";
        return String.format(Locale.ROOT, format, report.size(), report.iterations(), report.peak() / unit, average,
                report.rate() / MEGA);
    }
}
