package io.jverbs.bench.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.IterationResultMetaData;
import org.openjdk.jmh.results.Result;

/** The results of made-up processor times. */
class ProcessorTimeProfilerTest {
    private final ProcessorTimeProfiler profiler = new ProcessorTimeProfiler();

    private Map<String, Double> afterIteration(long operations) {
        return profiler.afterIteration(null, null,
                new IterationResult(null, null, new IterationResultMetaData(operations, operations))).stream()
                .collect(Collectors.toMap(Result::getLabel, Result::getScore));
    }

    @Test
    void theTimesAreDividedByTheOperationsOfTheIteration() {
        profiler.beforeIteration(null, null);
        ProcessorTimeProfiler.measured(3_000, 5_000);

        assertEquals(Map.of(ProcessorTimeProfiler.OWN, 3.0, ProcessorTimeProfiler.OTHER, 5.0), afterIteration(1000));
    }

    @Test
    void anIterationOfAnotherBenchmarkHasNoResult() {
        ProcessorTimeProfiler.measured(3_000, 5_000);
        profiler.beforeIteration(null, null);

        assertTrue(afterIteration(1000).isEmpty());
    }

    @Test
    void anIterationWithoutOperationsHasNoResult() {
        profiler.beforeIteration(null, null);
        ProcessorTimeProfiler.measured(3_000, 5_000);

        assertTrue(afterIteration(0).isEmpty());
    }
}
