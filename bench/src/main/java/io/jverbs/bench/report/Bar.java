package io.jverbs.bench.report;

import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.annotations.Mode;

/**
 * What a benchmark must keep beside a baseline.
 *
 * @param words the case, as README's results name it
 * @param limit the bar in words
 * @param benchmark class and method, without the packages that all have in common
 * @param mode what of the benchmark is compared: its average, or its median
 * @param params the parameters that it is about
 * @param baseline the baseline's method
 * @param kind how the two are compared
 * @param value the limit
 */
record Bar(String words, String limit, String benchmark, Mode mode, Map<String, String> params,
        String baseline, Kind kind, double value) {

    /** How a benchmark is compared with its baseline. */
    enum Kind {
        /** It takes so many times as long at most. */
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
        /** It is so many times as fast at least. */
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
        /** It takes so many nanoseconds more at most. */
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
        };

        abstract double measured(Comparison comparison);

        abstract String show(double measured, double limit);

        abstract boolean holds(double measured, double limit);
    }

    /** Whether it is about this comparison. */
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

    /** As "1.62x holds". */
    String show(Comparison comparison) {
        return kind.show(measured(comparison), value) + (holds(comparison) ? " holds" : " MISSED")
                + (comparison.isSteady() ? "" : "?");
    }
}
