package io.jverbs.bench.program;

import io.jverbs.bench.chart.Charts;
import io.jverbs.bench.report.SavedResults;
import io.jverbs.bench.report.Score;
import io.jverbs.bench.report.UnusableResultsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The options of charts.
 *
 * @param folder the folder of the charts
 * @param results the files of earlier results; if there are none, the benchmarks of the charts run
 */
record ChartOptions(Path folder, List<Path> results) {
    static final String CHARTS = "--charts";
    static final String RESULTS = "--results";
    static final List<String> NAMES = List.of(CHARTS, RESULTS);

    /**
     * {@return the options, null if none is given}
     *
     * @param folder the folder, null if it is not given
     * @param results the files of earlier results
     * @param others all other arguments
     * @throws Arguments.Wrong if a file or folder cannot be used, or if options do not fit together
     */
    static ChartOptions of(Path folder, List<Path> results, List<String> others) {
        if (folder == null) {
            if (!results.isEmpty()) {
                throw new Arguments.Wrong(RESULTS + " needs " + CHARTS);
            }
            return null;
        }
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw new Arguments.Wrong(CHARTS + " " + folder + " is not a writable folder");
        }
        for (Path file : results) {
            if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
                throw new Arguments.Wrong(RESULTS + " " + file + " is not a readable file");
            }
        }
        if (!results.isEmpty() && !others.isEmpty()) {
            throw new Arguments.Wrong(others.getFirst() + " cannot be given with " + RESULTS
                    + ", which runs no benchmarks; allowed is " + CHARTS);
        }
        return new ChartOptions(folder, List.copyOf(results));
    }

    /**
     * Checks that this machine can run the benchmarks of the charts.
     *
     * @throws Arguments.Wrong if it cannot run one
     */
    void checkPossible(List<Group> groups) {
        Map<String, String> skipped = new LinkedHashMap<>();
        groups.forEach(group -> group.possible(skipped));
        skipped.forEach((name, why) -> {
            throw new Arguments.Wrong(CHARTS + " needs " + name + ": " + why);
        });
    }

    /**
     * Draws the charts from the files of earlier results.
     *
     * @return the files of the charts
     * @throws Arguments.Wrong if a file has not the format of results, or if results are missing or not unique
     * @throws IOException if a file cannot be read or written
     */
    List<Path> drawResults() throws IOException {
        List<Score> scores = new ArrayList<>();
        for (Path file : results) {
            try {
                scores.addAll(SavedResults.read(file));
            } catch (UnusableResultsException e) {
                throw new Arguments.Wrong(RESULTS + " " + file + ": " + e.getMessage());
            }
        }
        try {
            return Charts.write(folder, scores);
        } catch (UnusableResultsException e) {
            throw new Arguments.Wrong(RESULTS + " " + results.stream().map(Path::toString)
                    .collect(Collectors.joining(", ")) + ": " + e.getMessage());
        }
    }
}
