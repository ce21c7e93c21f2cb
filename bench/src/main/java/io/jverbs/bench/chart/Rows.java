package io.jverbs.bench.chart;

import io.jverbs.bench.report.Score;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The results of a chart among others: one for each method and value of its {@link Selection}. */
final class Rows {
    private final Selection selection;
    private final Map<String, List<Score>> found = new HashMap<>();

    Rows(Selection selection, Collection<Score> all) {
        this.selection = selection;
        for (String method : selection.methods()) {
            for (String value : selection.values()) {
                Map<String, String> params = selection.params(value);
                found.put(key(method, value), all.stream().filter(score -> score.mode() == selection.mode()
                        && score.benchmark().equals(selection.benchmark(method)) && score.params().equals(params))
                        .toList());
            }
        }
    }

    private static String key(String method, String value) {
        return method + " " + value;
    }

    /** {@return why the chart cannot be drawn, each as the end of a sentence; empty if it can} */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        addFault(faults, "needs results that are missing: ", List::isEmpty);
        addFault(faults, "has several results of ", scores -> scores.size() > 1);
        addFault(faults, "has results that are not positive: ", scores -> !scores.stream().allMatch(Rows::isPositive));
        return faults;
    }

    private static boolean isPositive(Score score) {
        double most = score.percentiles() == null ? score.nanos() : Math.max(score.nanos(), score.p99());
        return score.nanos() > 0 && most < Double.POSITIVE_INFINITY;
    }

    /** Adds a fault with the benchmarks that have it, each with its values. */
    private void addFault(List<String> faults, String sentence, Predicate<List<Score>> fault) {
        List<String> names = new ArrayList<>();
        for (String method : selection.methods()) {
            String values = selection.values().stream().filter(value -> fault.test(found.get(key(method, value))))
                    .collect(Collectors.joining(","));
            if (!values.isEmpty()) {
                names.add(selection.benchmark(method) + " " + selection.varied() + "=" + values);
            }
        }
        if (!names.isEmpty()) {
            faults.add(sentence + String.join(", ", names) + common());
        }
    }

    /** {@return what the named results have in common} */
    private String common() {
        String fixed = selection.fixed().entrySet().stream()
                .map(param -> param.getKey() + "=" + param.getValue() + ", ")
                .collect(Collectors.joining());
        return " (" + fixed + "mode " + selection.mode().shortLabel() + ")";
    }

    /** {@return the result of a method with a value} */
    Score get(String method, String value) {
        return found.get(key(method, value)).getFirst();
    }

    /** {@return the results of a method in the order of the values} */
    List<Score> of(String method) {
        return selection.values().stream().map(value -> get(method, value)).toList();
    }

    /** {@return the number of rounds in words} */
    String rounds() {
        int[] counts = found.values().stream().mapToInt(scores -> scores.getFirst().rounds().length).sorted().toArray();
        int most = counts[counts.length - 1];
        return (counts[0] == most ? "" : counts[0] + " to ") + most + (most == 1 ? " round" : " rounds");
    }
}
