package io.jverbs.bench.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.Benchmarks;
import io.jverbs.bench.suite.Quick;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The program of bench/run. */
class SuiteTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    Path folder;

    private int run(String... args) {
        return Bench.run(new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8), args);
    }

    private int runInto(Path results, String... args) {
        List<String> all = new ArrayList<>(List.of("-rff", results.toString()));
        all.addAll(Arrays.asList(args));
        return run(all.toArray(String[]::new));
    }

    private static Stream<BenchmarkListEntry> entries() {
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        return BenchmarkList.defaultList()
                .getAll(OutputFormatFactory.createFormatInstance(nowhere, VerboseMode.SILENT), List.of()).stream();
    }

    static Stream<String> benchmarks() {
        return entries().map(BenchmarkListEntry::getUsername).distinct();
    }

    /** {@return whether one of the benchmarks has the parameter of an assignment} */
    private static boolean isParameter(List<String> names, String assignment) {
        String parameter = assignment.substring(0, assignment.indexOf('='));
        return entries().filter(entry -> names.contains(entry.getUsername()))
                .anyMatch(entry -> entry.getParams().orElse(Map.of()).containsKey(parameter));
    }

    @ParameterizedTest
    @MethodSource("benchmarks")
    void everyBenchmarkHasABaselineOrIsOne(String benchmark) {
        Method method = Benchmarks.method(benchmark);
        Against[] baselines = method.getAnnotationsByType(Against.class);
        String others = benchmark.substring(0, benchmark.lastIndexOf('.') + 1);

        assertTrue(Benchmarks.type(others.substring(0, others.length() - 1)).isAnnotationPresent(Quick.class),
                "the class has no @Quick");
        assertTrue(baselines.length > 0 || method.isAnnotationPresent(Baseline.class)
                || isBaselineOf(benchmark, others), benchmark);
        for (Against baseline : baselines) {
            assertTrue(benchmarks().anyMatch((others + baseline.value())::equals), baseline.value());
        }
    }

    @ParameterizedTest
    @MethodSource("benchmarks")
    void theBenchmarksThatQuickLeavesOutExist(String benchmark) {
        String others = benchmark.substring(0, benchmark.lastIndexOf('.') + 1);
        for (String left : Benchmarks.type(others.substring(0, others.length() - 1)).getAnnotation(Quick.class)
                .without()) {
            assertTrue(benchmarks().anyMatch((others + left)::equals), others + left);
        }
    }

    @Test
    void quickLeavesOutNoBenchmarkThatIsSelectedByName() throws Exception {
        assertEquals(2, forks("datapath.Read", "--quick"));
        assertEquals(3, forks("datapath.Read", "--quick", "datapath.Read.(prepared|handWritten|copy)$"));
        assertEquals(0, forks("datapath.Captured", "--quick"));
        assertTrue(forks("datapath.Captured") > 0);
        assertEquals(3 * 4, forks("datapath.Read"));
    }

    @Test
    void quickHasDifferentWarmUpsForBenchmarksAndBaselines() throws Exception {
        assertEquals(Map.of("prepared", 700L, "handWritten", 300L),
                warmUps("--quick", "datapath.Read.(prepared|handWritten)$"));
        assertEquals(Map.of("prepared", 100L, "handWritten", 100L),
                warmUps("--quick", "-wi", "1", "-w", "100ms", "datapath.Read.(prepared|handWritten)$"));
    }

    /** {@return the warm-up of each selected method in milliseconds} */
    private static Map<String, Long> warmUps(String... args) throws Exception {
        Map<String, Long> all = new TreeMap<>();
        for (Options options : Group.select(Arguments.parse(args)).getFirst().options()) {
            long each = options.getWarmupTime().get().convertTo(TimeUnit.MILLISECONDS);
            for (String name : options.getIncludes()) {
                all.put(name.replaceAll(".*\\.|\\\\E\\$$", ""), each * options.getWarmupIterations().get());
            }
        }
        return all;
    }

    /** {@return the number of JVMs of a round of a group} */
    private static int forks(String group, String... args) throws Exception {
        return Group.select(Arguments.parse(args)).stream().filter(each -> each.name().equals(group))
                .mapToInt(Group::forksOfRound).sum();
    }

    /** {@return whether a benchmark is the baseline of another, as one thread is that of two} */
    private static boolean isBaselineOf(String benchmark, String others) {
        return benchmarks().filter(other -> other.startsWith(others))
                .flatMap(other -> Arrays.stream(Benchmarks.method(other).getAnnotationsByType(Against.class)))
                .anyMatch(against -> benchmark.equals(others + against.value()));
    }

    /** Runs the benchmarks that no run with --quick would show to work. */
    @Test
    @Tag("variants")
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void noBenchmarkFailsThatQuickLeavesOut() throws Exception {
        Set<String> quick = new TreeSet<>();
        for (Group group : Group.select(Arguments.parse(new String[] {"--quick"}))) {
            for (Options options : group.options()) {
                options.getIncludes().forEach(name -> quick.add(name.replaceAll("^\\^\\\\Q|\\\\E\\$$", "")));
            }
        }
        List<String> names = benchmarks().toList();
        assertTrue(names.containsAll(quick), quick::toString);
        List<String> left = names.stream().filter(name -> !quick.contains(name)).toList();
        assertFalse(left.isEmpty());
        runShortly(left);
    }

    /** Runs one benchmark of each class: bench/run --quick runs these, and more. */
    @Test
    @Tag("contained")
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void theFirstBenchmarkOfEachClassDoesNotFail() throws Exception {
        Map<String, String> first = new TreeMap<>();
        benchmarks().forEach(name -> first.merge(name.substring(0, name.lastIndexOf('.')), name,
                BinaryOperator.minBy(Comparator.naturalOrder())));
        runShortly(List.copyOf(first.values()));
    }

    /**
     * Runs each benchmark for one iteration of a millisecond in this JVM. The scores are not checked. It takes longer
     * than other tests, because each benchmark is prepared anew.
     */
    private void runShortly(List<String> names) throws Exception {
        Path results = folder.resolve("all.json");

        List<String> args = new ArrayList<>(List.of("-f", "0", "-wi", "0", "-i", "1", "-r", "1ms"));
        Stream.of("bytes=64", "inlineBytes=64", "operation=CAS", "capture=ring", "handles=critical", "regions=1000",
                "queuePairs=10", "connections=4", "loops=1", "signaledOneIn=16")
                .filter(few -> isParameter(names, few)).forEach(few -> args.addAll(List.of("-p", few)));
        names.forEach(name -> args.add(Benchmarks.shortName(name).replace(".", "\\.") + "$"));
        runInto(results, args.toArray(String[]::new));
        assertTrue(Files.exists(results), () -> out + "\n" + err);

        String report = out.toString(StandardCharsets.UTF_8);
        assertTrue(report.lines().noneMatch(line -> line.contains(" failed")), report + err);
        String json = Files.readString(results);
        names.stream().filter(name -> !report.contains(Benchmarks.shortName(name) + " was skipped")
                && !report.contains(Benchmarks.shortName(name.substring(0, name.lastIndexOf('.'))) + " was skipped"))
                .forEach(name -> assertTrue(json.contains("\"" + name + "\""), () -> name + "\n" + report + err));
    }

    /** With a warm-up, as allocations of a cold JVM would be attributed to the data path. */
    @Test
    void aRunInASeparateJvmIsReportedAndWritten() throws Exception {
        Path results = folder.resolve("few.json");

        int status = runInto(results, "--quick", "-f", "2", "-wi", "1", "-w", "500ms", "-i", "3", "-r", "100ms",
                "PollEmpty");

        assertEquals(0, status, out + "\n" + err);
        assertTrue(out.toString(StandardCharsets.UTF_8).lines()
                .anyMatch(line -> line.matches("  poll +\\S+ ns .* handWritten +\\S+ ns +[0-9.]+ .*")),
                out.toString(StandardCharsets.UTF_8));
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("[  4/4 "), "progress");
        String json = Files.readString(results);
        assertEquals(2, json.split("\"benchmark\" :", -1).length - 1);
        assertTrue(json.contains("\"forks\" : 2,"), json);
        assertTrue(json.contains("gc.alloc.rate.norm"), json);
    }

    @Test
    void aDeviceAtAnAddressIsOpenedByTheBenchmarksOnly() {
        String device = "soft:127.90.250.1?fabric=wire";
        String before = System.setProperty("jverbs.device", device);
        try {
            // too short to judge allocations, as the sockets of Java allocate until they are compiled
            runInto(folder.resolve("wired.json"), "-f", "1", "-wi", "1", "-w", "100ms", "-i", "1", "-r", "100ms",
                    "-jvmArgsAppend", "-Djverbs.device=" + device, "PollEmpty.poll");

            String report = out.toString(StandardCharsets.UTF_8);
            assertTrue(report.lines().anyMatch(line -> line.matches("  poll +[0-9.]+ [nu]s .*")), report + "\n" + err);
            assertTrue(report.contains(device), report);
        } finally {
            System.setProperty("jverbs.device", before == null ? "soft" : before);
        }
    }

    @Test
    void anUnknownOptionIsRefused() {
        assertEquals(2, run("--fast"));
        assertTrue(err.toString(StandardCharsets.UTF_8).startsWith("bench/run: "));
    }

    @Test
    void aNameThatNoBenchmarkHasIsRefused() {
        assertEquals(2, run("NoSuchBenchmark"));
        assertEquals("bench/run: no benchmark matches [NoSuchBenchmark]; -l lists the benchmarks;"
                + " bench/run --help describes the options.", err.toString(StandardCharsets.UTF_8).strip());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-rff", "-o"})
    void aMissingFolderIsRefusedBeforeAnythingRuns(String option) {
        assertEquals(2, run(option, folder.resolve("none/results.json").toString(), "PollEmpty"));
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("none is not a writable folder"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-rff", "-o"})
    void aFolderInPlaceOfAFileIsRefusedBeforeAnythingRuns(String option) {
        assertEquals(2, run(option, folder.toString(), "PollEmpty"));
        assertEquals("bench/run: " + option + " " + folder + " is a folder; allowed is a file in a writable folder;"
                + " bench/run --help describes the options.",
                err.toString(StandardCharsets.UTF_8).strip());
    }

    /** The bar of the RoCEv2 round trip is for the median of samples. */
    @Test
    void aBarIsSelectedByNameModeAndParameters() throws Exception {
        assertTrue(selectsRoundTrip());
        assertTrue(selectsRoundTrip("wire", "-bm", "sample"));
        assertTrue(selectsRoundTrip("-p", "bytes=8,64"));
        assertFalse(selectsRoundTrip("datapath"));
        assertFalse(selectsRoundTrip("-e", "Latency"));
        assertFalse(selectsRoundTrip("-bm", "avgt"));
        assertFalse(selectsRoundTrip("-p", "bytes=8"));
    }

    private static boolean selectsRoundTrip(String... args) throws Exception {
        return Arguments.parse(args).selects("wire.Latency.sendNio", Mode.SampleTime, Map.of("bytes", "64"));
    }

    @Test
    void helpDescribesTheOptions() {
        assertEquals(0, run("--help"));
        assertTrue(out.toString(StandardCharsets.UTF_8).startsWith("Usage: bench/run "));
    }
}
