package io.jverbs.bench.report;

import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Benchmarks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A benchmark beside a baseline of the same run.
 *
 * @param score the benchmark's
 * @param baseline the baseline's
 * @param with parameters in which the baseline differs by intent
 */
record Comparison(Score score, Score baseline, Map<String, String> with) {
    /** By how much half of the rounds may differ from the median of all. */
    private static final double STEADY = 0.25;

    /** Those of a benchmark whose baselines were run too. */
    static List<Comparison> of(Score score, Collection<Score> all) {
        List<Comparison> comparisons = new ArrayList<>();
        for (Against against : Benchmarks.method(score.benchmark()).getAnnotationsByType(Against.class)) {
            Map<String, String> with = new TreeMap<>();
            Arrays.stream(against.with()).map(param -> param.split("=", 2))
                    .forEach(param -> with.put(param[0], param[1]));
            Map<String, String> params = new TreeMap<>(score.params());
            params.putAll(with);
            String type = score.benchmark().substring(0, score.benchmark().lastIndexOf('.') + 1);
            all.stream().filter(other -> other != score && other.benchmark().equals(type + against.value())
                    && other.mode() == score.mode() && params.entrySet().containsAll(other.params().entrySet()))
                    .findFirst().ifPresent(other -> comparisons.add(new Comparison(score, other, with)));
        }
        return comparisons;
    }

    String baselineMethod() {
        return baseline.benchmark().substring(baseline.benchmark().lastIndexOf('.') + 1);
    }

    /** As the report shows it. */
    String baselineName() {
        return baselineMethod() + Text.parameters(with);
    }

    /** How many times as long the benchmark takes: the median of the rounds' ratios. */
    double ratio() {
        return hasSameRounds() ? Score.median(ratios()) : score.nanos() / baseline.nanos();
    }

    private boolean hasSameRounds() {
        return score.rounds().length == baseline.rounds().length;
    }

    private double[] ratios() {
        double[] ratios = new double[score.rounds().length];
        Arrays.setAll(ratios, i -> score.rounds()[i] / baseline.rounds()[i]);
        return ratios;
    }

    /** Whether most rounds agree on the ratio; else the machine was at something else, and nothing is told. */
    boolean isSteady() {
        double ratio = ratio();
        return !hasSameRounds() || Score
                .median(Arrays.stream(ratios()).map(each -> Math.abs(each - ratio)).toArray()) <= STEADY * ratio;
    }

    /** How many nanoseconds more the benchmark takes: the median of the rounds' differences. */
    double more() {
        if (!hasSameRounds()) {
            return score.nanos() - baseline.nanos();
        }
        double[] differences = new double[score.rounds().length];
        Arrays.setAll(differences, i -> score.rounds()[i] - baseline.rounds()[i]);
        return Score.median(differences);
    }
}
