package io.jverbs.bench.report;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * What was measured of a benchmark.
 *
 * @param benchmark class and method, without the packages that all have in common
 * @param mode the time of an operation on average, or the median of samples
 * @param params the values of its parameters
 * @param rounds nanoseconds per operation, of each round
 * @param error the 99.9 % confidence interval's half of all iterations in nanoseconds, NaN if it is unknown
 * @param bytesPerOp what -prof gc puts down to each operation of the iteration with the least, as a data path that allocates
 *     does so in all; NaN if it was not measured, or if JMH itself allocates for every sample
 * @param operations how many operations that iteration had
 * @param percentiles nanoseconds of the {@link #RANKS} of all samples, null in other modes
 */
public record Score(String benchmark, Mode mode, Map<String, String> params, double[] rounds, double error,
        double bytesPerOp, double operations, double[] percentiles) {
    static final double[] RANKS = {50, 90, 99, 99.9, 100};
    private static final String ALLOCATION = "gc.alloc.rate.norm";

    /** {@return what JMH measured} */
    public static Score of(RunResult result) {
        BenchmarkParams jmh = result.getParams();
        Map<String, String> params = new TreeMap<>();
        for (String key : jmh.getParamsKeys()) {
            params.put(key, jmh.getParam(key));
        }
        double[] rounds = result.getBenchmarkResults().stream().mapToDouble(fork -> ofRound(fork, jmh)).toArray();
        Result<?> primary = result.getPrimaryResult();
        double error = Text.nanos(primary, jmh) * primary.getScoreError() / primary.getScore();
        boolean sampled = jmh.getMode() == Mode.SampleTime;
        IterationResult least = result.getBenchmarkResults().stream().map(BenchmarkResult::getIterationResults)
                .flatMap(Collection::stream).min(Comparator.comparingDouble(Score::bytes)).orElseThrow();
        return new Score(Text.shortName(jmh), jmh.getMode(), params, rounds, error, sampled ? Double.NaN : bytes(least),
                least.getMetadata().getAllOps(), sampled ? percentiles(primary, jmh) : null);
    }

    private static double[] percentiles(Result<?> samples, BenchmarkParams params) {
        return Arrays.stream(RANKS).map(rank -> Text.nanos(samples.getStatistics().getPercentile(rank), params))
                .toArray();
    }

    private static double ofRound(BenchmarkResult fork, BenchmarkParams params) {
        if (params.getMode() == Mode.SampleTime) {
            return Text.nanos(fork.getPrimaryResult().getStatistics().getPercentile(50), params);
        }
        return median(fork.getIterationResults().stream()
                .mapToDouble(iteration -> Text.nanos(iteration.getPrimaryResult(), params)).toArray());
    }

    private static double bytes(IterationResult iteration) {
        Result<?> result = iteration.getSecondaryResults().get(ALLOCATION);
        return result == null ? Double.NaN : result.getScore();
    }

    /** {@return the median, of two in the middle their mean} */
    public static double median(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[sorted.length / 2] + sorted[(sorted.length - 1) / 2]) / 2;
    }

    /** {@return nanoseconds per operation: the median of the rounds} */
    public double nanos() {
        return median(rounds);
    }
}
