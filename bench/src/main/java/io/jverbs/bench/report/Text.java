package io.jverbs.bench.report;

import io.jverbs.bench.suite.Benchmarks;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;

/** Formats names and numbers for the report and the progress. */
public final class Text {
    private static final double THOUSAND = 1e3;
    private static final double HUNDRED = 1e2;
    private static final String[] UNITS = {"ns", "us", "ms", "s"};

    private Text() {}

    /** {@return class and method, without the common packages} */
    public static String shortName(BenchmarkParams params) {
        return Benchmarks.shortName(params.getBenchmark());
    }

    /** {@return class, method, parameters, and the mode if it is not average time} */
    public static String name(BenchmarkParams params) {
        Map<String, String> values = params.getParamsKeys().stream().collect(Collectors.toMap(key -> key,
                params::getParam));
        return shortName(params) + parameters(values) + mode(params.getMode());
    }

    /** {@return parameters, each with a space before it} */
    static String parameters(Map<String, String> params) {
        return params.entrySet().stream().sorted(Map.Entry.comparingByKey())
                .map(param -> " " + param.getKey() + "=" + param.getValue()).collect(Collectors.joining());
    }

    /** {@return the suffix for a mode; empty for average time} */
    static String mode(Mode mode) {
        return mode == Mode.AverageTime ? "" : mode == Mode.SampleTime ? " p50" : " " + mode.shortLabel();
    }

    /** {@return a result of JMH in nanoseconds per operation} */
    public static double nanos(Result<?> result, BenchmarkParams params) {
        return nanos(result.getScore(), params);
    }

    /** {@return a score of JMH in nanoseconds per operation} */
    static double nanos(double score, BenchmarkParams params) {
        double unit = params.getTimeUnit() == null ? 1 : TimeUnit.NANOSECONDS.convert(1, params.getTimeUnit());
        return params.getMode() == Mode.Throughput ? unit / score : unit * score;
    }

    /** {@return a time with at least three digits and a unit} */
    public static String time(double nanos) {
        double value = nanos;
        int unit = 0;
        while (Math.abs(value) >= THOUSAND && unit < UNITS.length - 1) {
            value /= THOUSAND;
            unit++;
        }
        return number(value) + " " + UNITS[unit];
    }

    /** {@return a number with at least three digits, "-" for NaN} */
    static String number(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        return String.format(Locale.ROOT, Math.abs(value) >= HUNDRED ? "%.0f" : Math.abs(value) >= 10 ? "%.1f" : "%.2f",
                value);
    }
}
