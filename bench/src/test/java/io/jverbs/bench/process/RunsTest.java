package io.jverbs.bench.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.Benchmarks;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The workloads that the methods of benchmarks of two processes state. */
class RunsTest {
    static Stream<String> benchmarks() {
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        return BenchmarkList.defaultList()
                .getAll(OutputFormatFactory.createFormatInstance(nowhere, VerboseMode.SILENT), List.of()).stream()
                .map(BenchmarkListEntry::getUsername).distinct().filter(RunsTest::isOfTwoProcesses);
    }

    private static boolean isOfTwoProcesses(String benchmark) {
        return ProcessBenchmark.class
                .isAssignableFrom(Benchmarks.type(benchmark.substring(0, benchmark.lastIndexOf('.'))));
    }

    /** A baseline uses no device, whose sockets would be stated. */
    @ParameterizedTest
    @MethodSource("benchmarks")
    void everyMethodStatesAWorkloadThatExists(String benchmark) {
        Method method = Benchmarks.method(benchmark);
        Runs runs = method.getAnnotation(Runs.class);

        assertNotNull(runs, benchmark);
        assertEquals(runs.value(), WorkloadType.of(runs.of(), runs.value()).name());
        assertEquals(method.isAnnotationPresent(Baseline.class), runs.udp().isEmpty(), benchmark);
        assertTrue(List.of("", "nio", "linux").contains(runs.udp()), runs.udp());
    }
}
