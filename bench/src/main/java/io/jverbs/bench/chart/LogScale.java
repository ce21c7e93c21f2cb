package io.jverbs.bench.chart;

import java.util.ArrayList;
import java.util.List;

/**
 * A logarithmic axis between two round values.
 *
 * @param low the smallest value, greater than 0
 * @param high the largest value, greater than the smallest
 * @param from the coordinate of the smallest value
 * @param to the coordinate of the largest value
 */
record LogScale(double low, double high, double from, double to) {
    private static final int[] STEPS = {1, 2, 5, 10};
    /** The part of a step by which values may miss it, because they are rounded. */
    private static final double ROUNDING = 1e-9;

    /**
     * {@return an axis that contains values and whose ends are 1, 2 or 5 times a power of ten}
     *
     * @param least the smallest of the values, greater than 0
     * @param most the largest of the values
     * @param margin the least factor between these values and the ends, greater than 1
     * @param from the coordinate of the smaller end
     * @param to the coordinate of the larger end
     */
    static LogScale around(double least, double most, double margin, double from, double to) {
        double low = 0;
        double high = 0;
        for (double decade = decade(least / margin); high == 0; decade *= 10) {
            for (int step : STEPS) {
                low = decade * step <= least / margin * (1 + ROUNDING) ? Math.max(low, decade * step) : low;
                high = high == 0 && decade * step >= most * margin * (1 - ROUNDING) ? decade * step : high;
            }
        }
        return new LogScale(low, high, from, to);
    }

    /** {@return the largest power of ten that is not greater than a value} */
    private static double decade(double value) {
        return Math.pow(10, Math.floor(Math.log10(value * (1 + ROUNDING))));
    }

    /** {@return the coordinate of a value} */
    double at(double value) {
        return from + (to - from) * Math.log(value / low) / Math.log(high / low);
    }

    /** {@return the values of the axis that are 1, 2 or 5 times a power of ten, in ascending order} */
    List<Double> steps() {
        List<Double> steps = new ArrayList<>();
        for (double decade = decade(low); decade <= high * (1 + ROUNDING); decade *= 10) {
            for (int i = 0; i < STEPS.length - 1; i++) {
                double step = decade * STEPS[i];
                if (step >= low * (1 - ROUNDING) && step <= high * (1 + ROUNDING)) {
                    steps.add(step);
                }
            }
        }
        return steps;
    }

    /** {@return the values to label: the powers of ten, or all steps if the axis has less than two of these} */
    List<Double> labels() {
        List<Double> powers = steps().stream().filter(step -> Math.abs(step / decade(step) - 1) < ROUNDING * 10)
                .toList();
        return powers.size() < 2 ? steps() : powers;
    }
}
