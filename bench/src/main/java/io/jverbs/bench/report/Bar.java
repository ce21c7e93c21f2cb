package io.jverbs.bench.report;

import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.annotations.Mode;

/**
 * A performance goal of a benchmark, most of them relative to a baseline.
 *
 * @param words the name of the case in docs/benchmarks.md
 * @param limit the goal in words
 * @param benchmark the class and method of the benchmark, without the common packages
 * @param mode the mode that is compared: the average or the median
 * @param params the parameters of the benchmark
 * @param baseline the method of the baseline of the same run
 * @param kind how the two are compared
 * @param value the limit
 */
record Bar(String words, String limit, String benchmark, Mode mode, Map<String, String> params,
        String baseline, Kind kind, double value) {

    /** How a benchmark is compared with its baseline. */
    enum Kind {
        /** The limit is the largest ratio of the times. */
        TIMES {
            @Override
            double measured(Comparison comparison) {
                return comparison.ratio();
            }

            @Override
            String show(double measured, double limit) {
                return Text.number(measured) + "x";
            }

            @Override
            boolean holds(double measured, double limit) {
                return measured <= limit;
            }
        },
        /** The limit is the largest ratio of the 99th percentiles of the samples of all rounds. */
        TIMES_OF_P99 {
            @Override
            double measured(Comparison comparison) {
                return comparison.score().p99() / comparison.baseline().p99();
            }

            @Override
            String show(double measured, double limit) {
                return "p99 " + Text.number(measured) + "x";
            }

            @Override
            boolean holds(double measured, double limit) {
                return measured <= limit;
            }
        },
        /** The limit is the smallest ratio of the speeds. */
        SPEED {
            @Override
            double measured(Comparison comparison) {
                return 1 / comparison.ratio();
            }

            @Override
            String show(double measured, double limit) {
                return limit < 1 ? String.format(Locale.ROOT, "%.0f %%", measured * 100) : Text.number(measured) + "x";
            }

            @Override
            boolean holds(double measured, double limit) {
                return measured >= limit;
            }
        },
        /** The limit is the largest difference of the times in nanoseconds. */
        NANOSECONDS_MORE {
            @Override
            double measured(Comparison comparison) {
                return comparison.more();
            }

            @Override
            String show(double measured, double limit) {
                return Text.number(measured) + " ns";
            }

            @Override
            boolean holds(double measured, double limit) {
                return measured <= limit;
            }
        },
        /** The limit is the largest time in microseconds, whatever the baseline takes. */
        MICROSECONDS {
            @Override
            double measured(Comparison comparison) {
                return comparison.score().nanos() / 1000;
            }

            @Override
            String show(double measured, double limit) {
                return Text.number(measured) + " us";
            }

            @Override
            boolean holds(double measured, double limit) {
                return measured <= limit;
            }
        };

        abstract double measured(Comparison comparison);

        abstract String show(double measured, double limit);

        abstract boolean holds(double measured, double limit);
    }

    /** {@return whether this is the bar of a comparison} */
    boolean concerns(Comparison comparison) {
        return comparison.score().benchmark().equals(benchmark) && comparison.baselineMethod().equals(baseline)
                && comparison.score().params().entrySet().containsAll(params.entrySet())
                && comparison.score().mode() == mode;
    }

    double measured(Comparison comparison) {
        return kind.measured(comparison);
    }

    boolean holds(Comparison comparison) {
        return kind.holds(measured(comparison), value);
    }

    /** {@return the text of the report, for instance "1.62x holds"} */
    String show(Comparison comparison) {
        return kind.show(measured(comparison), value) + (holds(comparison) ? " holds" : " MISSED")
                + (comparison.isSteady() ? "" : "?");
    }
}
