package io.jverbs.bench.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.bench.chart.Charts;
import io.jverbs.bench.chart.ResultFiles;
import io.jverbs.bench.chart.ResultFiles.Made;
import io.jverbs.bench.chart.Selection;
import io.jverbs.bench.suite.Benchmarks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.runner.options.Options;

/** The options --charts and --results of bench/run. */
class ChartOptionsTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path folder;

    private int run(String... args) {
        return Bench.run(new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8), args);
    }

    private String results(String name, Predicate<Made> included) throws IOException {
        return Files.writeString(folder.resolve(name), ResultFiles.json(included)).toString();
    }

    @Test
    void theChartsOfSeveralFilesAreDrawn() throws Exception {
        int status = run("--charts", folder.toString(), "--results",
                results("busy.json", made -> made.benchmark().startsWith("busy")), "--results",
                results("wire.json", made -> made.benchmark().startsWith("wire")));

        assertEquals("", err.toString(StandardCharsets.UTF_8));
        assertEquals(0, status);
        Path latency = folder.resolve("latency-by-load.svg");
        Path bandwidth = folder.resolve("bandwidth-by-size.svg");
        assertEquals("The charts are in " + latency + ", " + bandwidth, out.toString(StandardCharsets.UTF_8).strip());
        assertTrue(Files.readString(latency).startsWith("<svg ") && Files.readString(bandwidth).startsWith("<svg "));
    }

    @Test
    void missingResultsAreRefusedWithTheFilesAndTheirNames() throws Exception {
        String file = results("some.json", made -> !made.benchmark().endsWith("tcpBlocking"));

        assertEquals(2, run("--charts", folder.toString(), "--results", file));
        assertEquals("bench/run: --results " + file + ": latency-by-load.svg needs results that are missing:"
                + " busy.BusyLatency.tcpBlocking loops=0,1,2,4 (bytes=64, mode sample); bench/run --help describes the"
                + " options.", err.toString(StandardCharsets.UTF_8).strip());
        assertEquals("", out.toString(StandardCharsets.UTF_8));
    }

    private static List<Group> groups(String... args) {
        return Arguments.parse(args).parts().stream().flatMap(part -> Group.select(part).stream()).toList();
    }

    @Test
    void theBenchmarksOfTheChartsRunAndNoOthers() {
        List<Group> groups = groups("--charts", folder.toString(), "-f", "3");

        assertEquals(List.of("busy.BusyLatency", "wire.Bandwidth"), groups.stream().map(Group::name).toList());
        for (int i = 0; i < groups.size(); i++) {
            Selection chart = Charts.selections().get(i);
            assertEquals(chart.methods().size() * chart.values().size(), groups.get(i).forksOfRound());
            assertEquals(3, groups.get(i).rounds());
            assertOptions(chart, groups.get(i).options());
        }
    }

    private static void assertOptions(Selection chart, List<Options> options) {
        Set<String> selected = new TreeSet<>();
        for (Options each : options) {
            each.getIncludes().forEach(name -> selected.add(name.replaceAll("\\^\\\\Q|\\\\E\\$", "")));
            assertEquals(Set.of(chart.mode()), Set.copyOf(each.getBenchModes()));
            assertEquals(chart.values(), List.copyOf(each.getParameter(chart.varied()).get()));
            chart.fixed().forEach(
                    (name, value) -> assertEquals(List.of(value), List.copyOf(each.getParameter(name).get())));
        }
        assertEquals(new TreeSet<>(chart.methods().stream()
                .map(method -> Benchmarks.fullName(chart.type() + "." + method)).toList()), selected);
    }

    /** Quick runs of other benchmarks leave out some methods and values. */
    @Test
    void aQuickRunHasAllResultsOfTheCharts() {
        assertEquals(groups("--charts", folder.toString()).stream().map(Group::forksOfRound).toList(),
                groups("--charts", folder.toString(), "--quick").stream().map(Group::forksOfRound).toList());
    }

    @Test
    void theParametersOfTheChartsAreAllowed() {
        for (Selection chart : Charts.selections()) {
            Arguments arguments = Arguments.parse(chart.arguments().toArray(String[]::new));
            arguments.checkParameters(Group.select(arguments).stream().flatMap(Group::parameters).toList());
            assertTrue(chart.methods().stream().allMatch(method -> chart.values().stream()
                    .allMatch(value -> arguments.selects(chart.type() + "." + method, chart.mode(),
                            Map.of(chart.varied(), value)))));
        }
    }

    @Test
    void aChartWhoseBenchmarkCannotRunIsRefusedBeforeAnythingRuns() {
        String before = System.setProperty("jverbs.soft.udp", "nio");
        try {
            assertEquals(2, run("--charts", folder.toString()));
            String error = err.toString(StandardCharsets.UTF_8);
            assertTrue(error.startsWith("bench/run: --charts needs "), error);
            assertEquals(1, error.lines().count(), error);
        } finally {
            if (before == null) {
                System.clearProperty("jverbs.soft.udp");
            } else {
                System.setProperty("jverbs.soft.udp", before);
            }
        }
    }
}
