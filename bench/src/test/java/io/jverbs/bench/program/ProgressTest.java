package io.jverbs.bench.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ResultRole;
import org.openjdk.jmh.results.SampleTimeResult;
import org.openjdk.jmh.runner.IterationType;
import org.openjdk.jmh.runner.WorkloadParams;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.SampleBuffer;

class ProgressTest {
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Progress progress = new Progress(new PrintStream(err, true, StandardCharsets.UTF_8), false, 2);

    @Test
    void benchmarksThatJmhNeverEndsHaveFailed() {
        progress.startBenchmark(params("io.jverbs.bench.datapath.Write.prepared"));
        progress.startBenchmark(params("io.jverbs.bench.datapath.Read.prepared"));

        assertEquals(List.of("datapath.Write.prepared", "datapath.Read.prepared"), progress.end());
        assertEquals(2, err.toString(StandardCharsets.UTF_8).lines().filter(line -> line.endsWith(" failed")).count());
        assertEquals(2, progress.end().size(), "each is counted once");
    }

    @Test
    void theScoreOfSamplesIsTheirMedianAsInTheReport() {
        BenchmarkParams params = params("io.jverbs.bench.busy.BusyLatency.datagrams", Mode.SampleTime);
        SampleBuffer samples = new SampleBuffer();
        List.of(10L, 20L, 9000L).forEach(samples::add);
        IterationResult iteration = new IterationResult(params, params.getMeasurement(), null);
        iteration.addResult(new SampleTimeResult(ResultRole.PRIMARY, "datagrams", samples, TimeUnit.NANOSECONDS));
        progress.startBenchmark(params);
        progress.endBenchmark(new BenchmarkResult(params, List.of(iteration)));

        String line = err.toString(StandardCharsets.UTF_8);
        assertTrue(line.endsWith(" 20.0 ns" + System.lineSeparator()), line);
    }

    private static BenchmarkParams params(String name) {
        return params(name, Mode.AverageTime);
    }

    private static BenchmarkParams params(String name, Mode mode) {
        IterationParams none = new IterationParams(IterationType.MEASUREMENT, 1, TimeValue.milliseconds(1), 1);
        return new BenchmarkParams(name, name, false, 1, new int[] {1}, List.of("group"), 0, 0, none, none,
                mode, new WorkloadParams(), TimeUnit.NANOSECONDS, 1, "java", List.of(), "25", "vm", "25",
                "1.37", TimeValue.seconds(1));
    }
}
