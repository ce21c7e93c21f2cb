package io.jverbs.bench.report;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import io.jverbs.bench.suite.Benchmarks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.util.MultisetStatistics;

/** Reads the results that JMH has written as JSON: those of average time and of samples. */
public final class SavedResults {
    private static final double MEDIAN = 50;
    private static final Map<String, TimeUnit> UNITS = Map.of("ns/op", TimeUnit.NANOSECONDS, "us/op",
            TimeUnit.MICROSECONDS, "ms/op", TimeUnit.MILLISECONDS, "s/op", TimeUnit.SECONDS);

    private SavedResults() {}

    /** A result, as in the file. */
    private record Saved(String benchmark, String mode, Map<String, String> params, Metric primaryMetric) {}

    /**
     * The values of a result.
     *
     * @param scoreUnit the unit of time per operation
     * @param rawData the values of each fork: one for each iteration; null in sample mode
     * @param rawDataHistogram the samples of each iteration of each fork: values, each with the number of its samples;
     *        null in other modes
     */
    private record Metric(String scoreUnit, double[][] rawData, double[][][][] rawDataHistogram) {}

    /**
     * {@return the scores of the results in a file} They have no error, allocation and processor time.
     *
     * @throws UnusableResultsException if the file has other contents
     * @throws IOException if the file cannot be read
     */
    public static List<Score> read(Path file) throws IOException {
        List<Score> scores = new ArrayList<>();
        for (Saved each : parse(new String(Files.readAllBytes(file), StandardCharsets.UTF_8))) {
            String mode = present(present(each).mode());
            if (mode.equals(Mode.SampleTime.shortLabel())) {
                scores.add(ofSamples(each, nanosPerUnit(each)));
            } else if (mode.equals(Mode.AverageTime.shortLabel())) {
                scores.add(ofAverages(each, nanosPerUnit(each)));
            }
        }
        return scores;
    }

    private static Saved[] parse(String json) {
        try {
            return present(new Gson().fromJson(json, Saved[].class));
        } catch (JsonParseException e) {
            throw otherContents();
        }
    }

    /** {@return a part of a result} A file that JMH has written has all of them. */
    private static <T> T present(T part) {
        if (part == null) {
            throw otherContents();
        }
        return part;
    }

    private static UnusableResultsException otherContents() {
        return new UnusableResultsException("it has not the JSON format of JMH's results");
    }

    private static double nanosPerUnit(Saved saved) {
        String unit = present(present(saved.primaryMetric()).scoreUnit());
        if (!UNITS.containsKey(unit)) {
            throw new UnusableResultsException(saved.benchmark() + " has the unit " + unit + "; allowed are "
                    + String.join(", ", UNITS.keySet().stream().sorted().toList()));
        }
        return UNITS.get(unit).toNanos(1);
    }

    private static Score ofAverages(Saved saved, double nanosPerUnit) {
        double[][] forks = present(saved.primaryMetric().rawData());
        double[] rounds = new double[forks.length];
        for (int i = 0; i < forks.length; i++) {
            if (present(forks[i]).length == 0) {
                throw otherContents();
            }
            rounds[i] = Score.median(forks[i]) * nanosPerUnit;
        }
        return score(saved, Mode.AverageTime, rounds, null);
    }

    private static Score ofSamples(Saved saved, double nanosPerUnit) {
        double[][][][] forks = present(saved.primaryMetric().rawDataHistogram());
        MultisetStatistics all = new MultisetStatistics();
        double[] rounds = new double[forks.length];
        for (int i = 0; i < forks.length; i++) {
            MultisetStatistics ofFork = new MultisetStatistics();
            for (double[][] iteration : present(forks[i])) {
                for (double[] samples : present(iteration)) {
                    add(samples, nanosPerUnit, ofFork);
                    add(samples, nanosPerUnit, all);
                }
            }
            if (ofFork.getN() == 0) {
                throw otherContents();
            }
            rounds[i] = ofFork.getPercentile(MEDIAN);
        }
        return score(saved, Mode.SampleTime, rounds, Arrays.stream(Score.RANKS).map(all::getPercentile).toArray());
    }

    private static void add(double[] samples, double nanosPerUnit, MultisetStatistics to) {
        if (present(samples).length != 2) {
            throw otherContents();
        }
        to.addValue(samples[0] * nanosPerUnit, (long) samples[1]);
    }

    private static Score score(Saved saved, Mode mode, double[] rounds, double[] percentiles) {
        if (rounds.length == 0) {
            throw otherContents();
        }
        Map<String, String> params = saved.params() == null ? Map.of() : new TreeMap<>(saved.params());
        return new Score(Benchmarks.shortName(present(saved.benchmark())), mode, params, rounds, Double.NaN,
                Double.NaN, Double.NaN, percentiles, null);
    }
}
