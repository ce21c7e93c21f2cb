package io.jverbs.bench.program;

import io.jverbs.bench.process.ProcessorTimeProfiler;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.Benchmarks;
import io.jverbs.bench.suite.Needs;
import io.jverbs.bench.suite.Quick;
import java.io.PrintStream;
import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The selected benchmarks of one class, which run in turn. */
final class Group {
    private static final int QUICK_ITERATIONS = 3;
    private static final TimeValue QUICK_TIME = TimeValue.milliseconds(100);
    /** Two, as the second iteration compiles the benchmark loop with the code of the device inlined. */
    private static final int QUICK_WARM_UPS = 2;

    private final Arguments arguments;
    private final Class<?> type;
    private final List<BenchmarkListEntry> entries;

    private Group(Arguments arguments, Class<?> type, List<BenchmarkListEntry> entries) {
        this.arguments = arguments;
        this.type = type;
        this.entries = entries;
    }

    /** {@return the groups of the benchmarks that arguments select} */
    static List<Group> select(Arguments arguments) {
        Map<String, List<BenchmarkListEntry>> byClass = new TreeMap<>();
        CommandLineOptions jmh = arguments.jmh();
        PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
        for (BenchmarkListEntry entry : BenchmarkList.defaultList().find(
                OutputFormatFactory.createFormatInstance(nowhere, VerboseMode.SILENT), jmh.getIncludes(),
                jmh.getExcludes())) {
            byClass.computeIfAbsent(entry.getUserClassQName(), name -> new ArrayList<>()).add(entry);
        }
        return byClass.entrySet().stream().map(e -> new Group(arguments, Benchmarks.type(e.getKey()), e.getValue()))
                .map(group -> group.arguments.selectsByName() ? group : group.withoutQuickExclusions()).toList();
    }

    /** {@return this group without the benchmarks that --quick leaves out} */
    private Group withoutQuickExclusions() {
        List<String> without = arguments.quick() ? List.of(quick().without()) : List.of();
        return new Group(arguments, type, entries.stream()
                .filter(entry -> !without.contains(Benchmarks.method(entry.getUsername()).getName())).toList());
    }

    /** {@return the class name without the common packages} */
    String name() {
        return Benchmarks.shortName(type.getName());
    }

    /** {@return the benchmarks that this machine can run} Adds the others to a map, with the reasons. */
    Group possible(Map<String, String> skipped) {
        List<BenchmarkListEntry> possible = new ArrayList<>();
        String missing = missing(type);
        if (missing != null) {
            skipped.put(name(), missing);
            return new Group(arguments, type, List.of());
        }
        for (BenchmarkListEntry entry : entries) {
            missing = missing(Benchmarks.method(entry.getUsername()));
            if (missing == null) {
                possible.add(entry);
            } else {
                skipped.put(Benchmarks.shortName(entry.getUsername()), missing);
            }
        }
        return new Group(arguments, type, possible);
    }

    private static String missing(AnnotatedElement element) {
        Needs needs = element.getAnnotation(Needs.class);
        try {
            return needs == null ? null : needs.value().getConstructor().newInstance().missing();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** {@return the parameters of the benchmarks} */
    Stream<Parameter> parameters() {
        return entries.stream().flatMap(entry -> entry.getParams().orElse(Map.of()).entrySet().stream()
                .map(param -> Parameter.of(type, Benchmarks.method(entry.getUsername()), param.getKey(),
                        param.getValue())));
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    private Quick quick() {
        return type.getAnnotation(Quick.class);
    }

    /** {@return the number of rounds} In each round, every benchmark runs in a new JVM. */
    int rounds() {
        int usual = arguments.quick() ? 1 : entries.getFirst().getForks().orElse(1);
        return Math.max(1, arguments.jmh().getForkCount().orElse(usual));
    }

    /** {@return the number of JVMs of each round} */
    int forksOfRound() {
        Set<String> benchmarks = new TreeSet<>();
        Set<Mode> modes = new TreeSet<>();
        int values = 0;
        for (BenchmarkListEntry entry : entries) {
            modes.add(entry.getMode());
            if (benchmarks.add(entry.getUsername())) {
                values += combinations(entry);
            }
        }
        Collection<Mode> selected = modes();
        return values * (selected.isEmpty() ? modes : selected).size();
    }

    private int combinations(BenchmarkListEntry entry) {
        int product = 1;
        for (Map.Entry<String, String[]> param : entry.getParams().orElse(Map.of()).entrySet()) {
            String[] fewer = quickParams().get(param.getKey());
            int usual = fewer == null ? param.getValue().length : fewer.length;
            Collection<String> selected = arguments.jmh().getParameter(param.getKey()).orElse(null);
            product *= selected == null ? usual : selected.size();
        }
        return product;
    }

    /** {@return the options of one round, in several parts if benchmarks and baselines have different warm-ups} */
    List<Options> options() {
        if (!arguments.quick()) {
            return List.of(builder(names()).build());
        }
        Map<Boolean, List<String>> parts = names().stream().collect(
                Collectors.partitioningBy(name -> Benchmarks.method(name).isAnnotationPresent(Baseline.class)));
        return parts.entrySet().stream().filter(part -> !part.getValue().isEmpty())
                .map(part -> shortened(part.getValue(), part.getKey() ? quick().baselines() : quick().warmUp()))
                .toList();
    }

    private List<String> names() {
        return entries.stream().map(BenchmarkListEntry::getUsername).distinct().toList();
    }

    private ChainedOptionsBuilder builder(List<String> names) {
        CommandLineOptions jmh = arguments.jmh();
        ChainedOptionsBuilder options = new OptionsBuilder().parent(arguments.base());
        names.forEach(name -> options.include("^" + Pattern.quote(name) + "$"));
        options.forks(Math.min(1, jmh.getForkCount().orElse(1)));
        if (jmh.getProfilers().stream().noneMatch(profiler -> profiler.getKlass().equals("gc"))) {
            options.addProfiler(GCProfiler.class);
        }
        options.addProfiler(ProcessorTimeProfiler.class);
        modes().forEach(options::mode);
        quickParams().forEach(options::param);
        return options;
    }

    private Options shortened(List<String> names, int warmUp) {
        CommandLineOptions jmh = arguments.jmh();
        return builder(names).warmupIterations(jmh.getWarmupIterations().orElse(QUICK_WARM_UPS))
                .warmupTime(jmh.getWarmupTime().orElse(TimeValue.milliseconds(warmUp / QUICK_WARM_UPS)))
                .measurementIterations(jmh.getMeasurementIterations().orElse(QUICK_ITERATIONS))
                .measurementTime(jmh.getMeasurementTime().orElse(QUICK_TIME)).build();
    }

    private Collection<Mode> modes() {
        Collection<Mode> selected = arguments.jmh().getBenchModes();
        return selected.isEmpty() && arguments.quick() ? List.of(quick().modes()) : selected;
    }

    /** {@return the parameters that --quick restricts, except for those that are given on the command line} */
    private Map<String, String[]> quickParams() {
        Map<String, String[]> params = new TreeMap<>();
        if (arguments.quick()) {
            Arrays.stream(quick().value()).map(param -> param.split("=", 2))
                    .filter(param -> !arguments.jmh().getParameter(param[0]).hasValue())
                    .forEach(param -> params.put(param[0], param[1].split(",")));
        }
        return params;
    }
}
