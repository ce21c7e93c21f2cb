package io.jverbs.bench.chart;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Files of results in the format of JMH, with made-up values. */
public final class ResultFiles {
    private ResultFiles() {}

    /**
     * A result of two rounds. In sample mode, 95 of 100 samples are the value and 5 are ten times the value.
     *
     * @param benchmark the class and method without the common packages
     * @param params the parameters
     * @param micros the value
     */
    public record Made(String benchmark, String mode, Map<String, String> params, double micros) {

        /** {@return the result as JMH writes it, without what is not read} */
        String json() {
            String names = params.entrySet().stream()
                    .map(each -> quoted(each.getKey()) + ": " + quoted(each.getValue()))
                    .collect(Collectors.joining(", "));
            String round = mode.equals("sample")
                    ? String.format(Locale.ROOT, "[[[%f, 90], [%f, 5]], [[%f, 5]]]", micros, micros * 10, micros)
                    : String.format(Locale.ROOT, "[%f, %f, %f]", micros * 3, micros, micros / 2);
            return "{\"jmhVersion\": \"1.37\", \"benchmark\": \"io.jverbs.bench." + benchmark + "\", \"mode\": "
                    + quoted(mode) + ", \"forks\": 2, \"params\": {" + names + "}, \"primaryMetric\": {\"scoreError\": "
                    + "\"NaN\", \"scoreUnit\": \"us/op\", "
                    + quoted(mode.equals("sample") ? "rawDataHistogram" : "rawData") + ": [" + round + ", " + round
                    + "]}, \"secondaryMetrics\": {}}";
        }

        private static String quoted(String text) {
            return '"' + text + '"';
        }
    }

    /** {@return the results of all charts: each row takes longer than the one before} */
    public static List<Made> all() {
        return Charts.selections().stream().flatMap(chart -> chart.values().stream().flatMap(value -> chart.methods()
                .stream().map(method -> new Made(chart.benchmark(method), chart.mode().shortLabel(),
                        chart.params(value),
                        1 + chart.values().indexOf(value) * 10 + chart.methods().indexOf(method)))))
                .toList();
    }

    /** {@return the text of a file with some of the results of all charts} */
    public static String json(Predicate<Made> included) {
        return all().stream().filter(included).map(Made::json).collect(Collectors.joining(",\n", "[", "]"));
    }
}
