package io.jverbs.bench.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.AverageTimeResult;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.IterationResultMetaData;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ResultRole;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.SampleTimeResult;
import org.openjdk.jmh.results.ThroughputResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.IterationType;
import org.openjdk.jmh.runner.WorkloadParams;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.SampleBuffer;

/** Results that JMH writes are read as those of the run itself. */
class SavedResultsTest {
    private static final int ROUNDS = 3;
    private static final int ITERATIONS = 2;

    @TempDir
    Path folder;

    private static BenchmarkParams params(Mode mode) {
        WorkloadParams params = new WorkloadParams();
        params.put("bytes", "64", 0);
        IterationParams iterations = new IterationParams(IterationType.MEASUREMENT, ITERATIONS,
                TimeValue.milliseconds(1), 1);
        return new BenchmarkParams("io.jverbs.bench.wire.Latency.tcp", "generated", true, 1, new int[] {1}, List.of(),
                ROUNDS, 0, iterations, iterations, mode, params, TimeUnit.MICROSECONDS, 1, "java", List.of(), "25",
                "VM",
                "25", "1.37", TimeValue.minutes(1));
    }

    private static Result<?> result(Mode mode, int number) {
        switch (mode) {
            case AverageTime:
                return new AverageTimeResult(ResultRole.PRIMARY, "tcp", 100, 1234 * number, TimeUnit.MICROSECONDS);
            case SampleTime:
                SampleBuffer samples = new SampleBuffer();
                for (int i = 1; i < 200; i++) {
                    samples.add((long) number * 1000 + i * i);
                }
                return new SampleTimeResult(ResultRole.PRIMARY, "tcp", samples, TimeUnit.MICROSECONDS);
            default:
                return new ThroughputResult(ResultRole.PRIMARY, "tcp", 100, 1234, TimeUnit.MICROSECONDS);
        }
    }

    private static RunResult run(Mode mode) {
        BenchmarkParams params = params(mode);
        List<BenchmarkResult> rounds = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            List<IterationResult> iterations = new ArrayList<>();
            for (int i = 1; i <= ITERATIONS; i++) {
                IterationResult iteration = new IterationResult(params, params.getMeasurement(),
                        new IterationResultMetaData(100, 100));
                iteration.addResult(result(mode, round * round + i));
                iterations.add(iteration);
            }
            rounds.add(new BenchmarkResult(params, iterations));
        }
        return new RunResult(params, rounds);
    }

    private List<Score> read(String json) throws IOException {
        return SavedResults.read(Files.writeString(folder.resolve("results.json"), json));
    }

    @Test
    void theScoresAreThoseOfTheRun() throws Exception {
        List<RunResult> runs = List.of(run(Mode.SampleTime), run(Mode.Throughput), run(Mode.AverageTime));
        Path file = folder.resolve("written.json");
        try (PrintStream to = new PrintStream(file.toFile(), StandardCharsets.UTF_8)) {
            ResultFormatFactory.getInstance(ResultFormatType.JSON, to).writeOut(runs);
        }

        List<Score> scores = SavedResults.read(file);

        assertEquals(2, scores.size(), "no chart shows throughput");
        assertSame(Score.of(runs.getFirst()), scores.getFirst());
        assertSame(Score.of(runs.getLast()), scores.getLast());
    }

    private static void assertSame(Score expected, Score score) {
        assertEquals("wire.Latency.tcp", score.benchmark());
        assertEquals(expected.mode(), score.mode());
        assertEquals(Map.of("bytes", "64"), score.params());
        // JMH writes a limited number of digits
        assertArrayEquals(expected.rounds(), score.rounds(), 1e-3);
        if (expected.percentiles() == null) {
            assertEquals(null, score.percentiles());
        } else {
            assertArrayEquals(expected.percentiles(), score.percentiles(), 1e-3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "{}", "[3]", "[null]", "[{}]", "[{\"mode\": \"avgt\"}]", "null", "<svg/>",
        "[{\"mode\": \"avgt\", \"primaryMetric\": {\"scoreUnit\": \"us/op\", \"rawData\": [[1.0]]}}]",
        "[{\"benchmark\": \"a.B.c\", \"mode\": \"avgt\", \"primaryMetric\": {\"scoreUnit\": \"us/op\"}}]",
        "[{\"benchmark\": \"a.B.c\", \"mode\": \"avgt\", \"primaryMetric\": {\"scoreUnit\": \"us/op\","
                + " \"rawData\": []}}]",
        "[{\"benchmark\": \"a.B.c\", \"mode\": \"avgt\", \"primaryMetric\": {\"scoreUnit\": \"us/op\","
                + " \"rawData\": [[]]}}]",
        "[{\"benchmark\": \"a.B.c\", \"mode\": \"avgt\", \"primaryMetric\": {\"scoreUnit\": \"us/op\","
                + " \"rawData\": [[1.0], null]}}]",
        "[{\"benchmark\": \"a.B.c\", \"mode\": \"sample\", \"primaryMetric\": {\"scoreUnit\": \"us/op\","
                + " \"rawData\": [[1.0]]}}]",
        "[{\"benchmark\": \"a.B.c\", \"mode\": \"sample\", \"primaryMetric\": {\"scoreUnit\": \"us/op\","
                + " \"rawDataHistogram\": [[[[1.0]]]]}}]",
        "[{\"benchmark\": \"a.B.c\", \"mode\": \"sample\", \"primaryMetric\": {\"scoreUnit\": \"us/op\","
                + " \"rawDataHistogram\": [[]]}}]"})
    void otherContentsAreRefused(String json) {
        assertEquals("it has not the JSON format of JMH's results",
                assertThrows(UnusableResultsException.class, () -> read(json)).getMessage());
    }

    @Test
    void anUnknownUnitIsRefused() {
        assertEquals("a.B.c has the unit day/op; allowed are ms/op, ns/op, s/op, us/op",
                assertThrows(UnusableResultsException.class,
                        () -> read("[{\"benchmark\": \"a.B.c\", \"mode\": \"avgt\","
                                + " \"primaryMetric\": {\"scoreUnit\": \"day/op\", \"rawData\": [[1.0]]}}]"))
                        .getMessage());
    }
}
