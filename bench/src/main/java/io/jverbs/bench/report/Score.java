package io.jverbs.bench.report;

import io.jverbs.bench.process.ProcessorTimeProfiler;
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
 * The measurements of a benchmark.
 *
 * @param benchmark the class and method of the benchmark, without the common packages
 * @param mode the mode: average time, or the median of samples
 * @param params the values of the parameters
 * @param rounds the nanoseconds per operation of each round
 * @param error half of the 99.9 % confidence interval of all iterations in nanoseconds, NaN if unknown
 * @param bytesPerOp the bytes per operation that -prof gc reports for the iteration with the least, as a data path that
 *         allocates does so in all iterations; NaN if not measured, and in sample mode, where JMH itself allocates
 * @param operations the number of operations of that iteration
 * @param percentiles the {@link #RANKS} of all samples in nanoseconds, null in other modes
 * @param processorNanos the processor time per operation of the measuring process and of the other one in nanoseconds,
 *         null if it is not measured
 */
public record Score(String benchmark, Mode mode, Map<String, String> params, double[] rounds, double error,
        double bytesPerOp, double operations, double[] percentiles, double[] processorNanos) {
    static final double[] RANKS = {50, 90, 99, 99.9, 100};
    private static final int P99 = 2;
    private static final String ALLOCATION = "gc.alloc.rate.norm";

    /** {@return the score of a result of JMH} */
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
                least.getMetadata().getAllOps(), sampled ? percentiles(primary, jmh) : null, processorNanos(result));
    }

    private static double[] percentiles(Result<?> samples, BenchmarkParams params) {
        return Arrays.stream(RANKS).map(rank -> Text.nanos(samples.getStatistics().getPercentile(rank), params))
                .toArray();
    }

    private static double[] processorNanos(RunResult result) {
        double own = mean(result, ProcessorTimeProfiler.OWN);
        return Double.isNaN(own) ? null : new double[] {own, mean(result, ProcessorTimeProfiler.OTHER)};
    }

    /** {@return the mean of a secondary result over the iterations of all rounds, NaN if there is none} */
    private static double mean(RunResult result, String label) {
        return result.getBenchmarkResults().stream().map(BenchmarkResult::getIterationResults)
                .flatMap(Collection::stream).mapToDouble(iteration -> secondary(iteration, label))
                .filter(value -> !Double.isNaN(value)).average().orElse(Double.NaN);
    }

    /** {@return the score of one round in nanoseconds: the median of the samples, or that of the iterations} */
    public static double ofRound(BenchmarkResult fork, BenchmarkParams params) {
        if (params.getMode() == Mode.SampleTime) {
            return Text.nanos(fork.getPrimaryResult().getStatistics().getPercentile(50), params);
        }
        return median(fork.getIterationResults().stream()
                .mapToDouble(iteration -> Text.nanos(iteration.getPrimaryResult(), params)).toArray());
    }

    private static double bytes(IterationResult iteration) {
        return secondary(iteration, ALLOCATION);
    }

    /** {@return a secondary result, NaN if there is none} */
    private static double secondary(IterationResult iteration, String label) {
        Result<?> result = iteration.getSecondaryResults().get(label);
        return result == null ? Double.NaN : result.getScore();
    }

    /** {@return the median; the mean of the two middle values of an even number} */
    public static double median(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[sorted.length / 2] + sorted[(sorted.length - 1) / 2]) / 2;
    }

    /** {@return the 99th percentile of all samples in nanoseconds, NaN in other modes} */
    public double p99() {
        return percentiles == null ? Double.NaN : percentiles[P99];
    }

    /** {@return the nanoseconds per operation: the median of the rounds} */
    public double nanos() {
        return median(rounds);
    }
}
