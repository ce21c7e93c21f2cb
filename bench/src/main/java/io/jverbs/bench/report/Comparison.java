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
 * The comparison of a benchmark with a baseline of the same run.
 *
 * @param score the score of the benchmark
 * @param baseline the score of the baseline
 * @param with the parameters in which the baseline differs intentionally
 */
record Comparison(Score score, Score baseline, Map<String, String> with) {
    /** The relative difference from the median that half of the rounds may have in a steady comparison. */
    private static final double STEADY = 0.25;

    /** {@return the comparisons of a benchmark with those of its baselines that were run} */
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

    /** {@return the name of the baseline in the report} */
    String baselineName() {
        return baselineMethod() + Text.parameters(with);
    }

    /** {@return the time of the benchmark relative to the baseline: the median of the ratios of the rounds} */
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

    /**
     * {@return whether the rounds agree on the ratio} If not, the machine had other load, and the ratio is not valid.
     */
    boolean isSteady() {
        double ratio = ratio();
        return !hasSameRounds() || Score
                .median(Arrays.stream(ratios()).map(each -> Math.abs(each - ratio)).toArray()) <= STEADY * ratio;
    }

    /** {@return the additional nanoseconds of the benchmark: the median of the differences of the rounds} */
    double more() {
        if (!hasSameRounds()) {
            return score.nanos() - baseline.nanos();
        }
        double[] differences = new double[score.rounds().length];
        Arrays.setAll(differences, i -> score.rounds()[i] - baseline.rounds()[i]);
        return Score.median(differences);
    }
}
