package io.jverbs.bench.report;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Benchmarks;
import io.jverbs.bench.suite.Quick;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Each bar is that of an existing benchmark, baseline, mode and parameters, as it could not be missed otherwise. */
class BarsTest {
    static Stream<Bar> bars() {
        return Stream.concat(Bars.IN_JVM.stream(), Bars.ANY_DEVICE.stream());
    }

    @ParameterizedTest
    @MethodSource("bars")
    void everyBarHasABenchmarkWithThatBaseline(Bar bar) {
        assertTrue(Arrays.stream(Benchmarks.method(bar.benchmark()).getAnnotationsByType(Against.class))
                .anyMatch(against -> against.value().equals(bar.baseline())), bar.toString());
    }

    @ParameterizedTest
    @MethodSource("bars")
    void everyBarHasAModeAndParametersThatQuickRunsToo(Bar bar) {
        BenchmarkListEntry entry = entries().filter(each -> each.getUsername().endsWith("." + bar.benchmark())
                && each.getMode() == bar.mode()).findFirst()
                .orElseThrow(() -> new AssertionError("there is no benchmark in this mode: " + bar));
        Map<String, List<String>> run = new TreeMap<>();
        entry.getParams().orElse(Map.of()).forEach((name, values) -> run.put(name, List.of(values)));
        assertRun(bar, run);

        Quick quick = Benchmarks.type(bar.benchmark().substring(0, bar.benchmark().lastIndexOf('.')))
                .getAnnotation(Quick.class);
        assertTrue(quick.modes().length == 0 || List.of(quick.modes()).contains(bar.mode()), bar.toString());
        Arrays.stream(quick.value()).map(param -> param.split("=", 2))
                .forEach(param -> run.put(param[0], List.of(param[1].split(","))));
        assertRun(bar, run);
    }

    private static void assertRun(Bar bar, Map<String, List<String>> run) {
        bar.params().forEach((name, value) -> assertTrue(run.getOrDefault(name, List.of()).contains(value),
                () -> bar + " is run with " + run));
    }

    private static Stream<BenchmarkListEntry> entries() {
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        return BenchmarkList.defaultList()
                .getAll(OutputFormatFactory.createFormatInstance(nowhere, VerboseMode.SILENT), List.of()).stream();
    }
}
