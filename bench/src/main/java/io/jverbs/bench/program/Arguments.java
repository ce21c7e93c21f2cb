package io.jverbs.bench.program;

import io.jverbs.bench.chart.Charts;
import io.jverbs.bench.chart.Selection;
import io.jverbs.bench.suite.Benchmarks;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.ProfilerException;
import org.openjdk.jmh.profile.ProfilerFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.ProfilerConfig;

/**
 * The parsed command line.
 *
 * @param jmh the options of JMH, without those that are components of this record
 * @param base the same without the patterns, as the parent of options that select benchmarks themselves
 * @param quick whether benchmarks run for a short time and with few parameters
 * @param barsCount whether a missed bar is a failure
 * @param resultFile the file of the results
 * @param resultFormat the format of that file
 * @param output the file of the report, null for standard output
 * @param params the names of the parameters that are given values
 * @param charts the options of charts, null if none is given
 * @param given the options of JMH as they are given
 */
record Arguments(CommandLineOptions jmh, CommandLineOptions base, boolean quick, boolean barsCount,
        Path resultFile, ResultFormatType resultFormat, String output, List<String> params, ChartOptions charts,
        List<String> given) {
    static final String USAGE = """
            Usage: bench/run [--quick] [--bars] [-Dproperty=value...] [options of JMH] [regular expressions]
                   bench/run --charts <folder> [--quick] [--bars] [-Dproperty=value...] [options of JMH]
                   bench/run --charts <folder> --results <file>...
              --quick              runs most benchmarks in under three minutes: short iterations, few forks, few
                                   parameters
              --bars               fails if a bar is missed, or was selected but not measured
              --charts <folder>    runs the benchmarks of the charts in docs/performance.md, and draws them to the files
                                   latency-by-load.svg and bandwidth-by-size.svg of the folder
              --results <file>     draws the charts from the results of earlier runs, in JSON, and runs nothing; for
                                   several files, the option is repeated
              -Djverbs.device=...  the device of the benchmarks within one JVM
              -f <int>             the number of rounds; in each round, every benchmark runs in a new JVM, in turn with
                                   its baseline
              -rff <file>          the file of the results; default bench/target/results.json
              <regular expression> selects benchmarks; a baseline runs only if it is selected too
            Exit status: 1 if a data path allocates or a benchmark fails, 2 if an argument is wrong.

            Options of JMH:""";
    private static final String RESULTS = "results.json";
    private static final String DEFAULT_FILE = "without -rff";
    private static final String PARAMETER = "name=value{,value}";
    private static final String UNRECOGNIZED = " is not a recognized option";

    /** Thrown if an argument is wrong. The message names the argument, its value and what is allowed. */
    static final class Wrong extends RuntimeException {
        private static final long serialVersionUID = 1;

        Wrong(String message) {
            super(message);
        }
    }

    /** Options without patterns: JMH adds the patterns of parent options to those of the options built on them. */
    private static final class WithoutPatterns extends CommandLineOptions {
        private static final long serialVersionUID = 1;

        WithoutPatterns(String... args) throws CommandLineOptionException {
            super(args);
        }

        @Override
        public List<String> getIncludes() {
            return List.of();
        }

        @Override
        public List<String> getExcludes() {
            return List.of();
        }
    }

    /**
     * Parses the command line.
     *
     * @throws Wrong if an argument is wrong
     */
    static Arguments parse(String... args) {
        boolean quick = false;
        boolean bars = false;
        Path file = null;
        ResultFormatType format = ResultFormatType.JSON;
        String output = null;
        List<String> params = new ArrayList<>();
        List<String> rest = new ArrayList<>();
        Path charts = null;
        List<Path> results = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (Iterator<String> i = Arrays.asList(args).iterator(); i.hasNext();) {
            String arg = i.next();
            if (!ChartOptions.NAMES.contains(arg)) {
                others.add(arg);
            }
            switch (arg) {
                case "--quick" -> quick = true;
                case "--bars" -> bars = true;
                case "--help" -> rest.add("-h");
                case ChartOptions.CHARTS -> charts = path(arg, value(arg, "a folder", i));
                case ChartOptions.RESULTS -> results.add(path(arg, value(arg, "a file", i)));
                case "-rff" -> file = path(arg, value(arg, "a file", i));
                case "-rf" -> format = format(value(arg, "a format", i));
                case "-o" -> output = value(arg, "a file", i);
                case "-p" -> {
                    String param = value(arg, PARAMETER, i);
                    params.add(name(param));
                    rest.addAll(List.of(arg, param));
                }
                default -> rest.add(arg);
            }
        }
        String[] forJmh = rest.toArray(String[]::new);
        try {
            CommandLineOptions jmh = new CommandLineOptions(forJmh);
            checkPatterns(jmh.getIncludes());
            checkPatterns(jmh.getExcludes());
            Arguments arguments = new Arguments(jmh, new WithoutPatterns(forJmh), quick, bars,
                    file == null ? writable(DEFAULT_FILE, besideJar()) : writable("-rff", file), format,
                    output == null ? null : writable("-o", path("-o", output)).toString(), params,
                    ChartOptions.of(charts, results, others), rest);
            if (arguments.charts != null && arguments.selectsSome()) {
                throw new Wrong(ChartOptions.CHARTS + " selects the benchmarks, their modes and parameters; regular"
                        + " expressions, -e, -bm and -p cannot be given with it");
            }
            return arguments;
        } catch (CommandLineOptionException e) {
            throw new Wrong(describe(e, rest));
        } catch (Wrong e) {
            throw e;
        } catch (RuntimeException e) {
            // a parser of JMH that does not wrap it; its message may have several lines
            throw new Wrong(String.valueOf(e.getMessage()).strip().replaceAll("\\s*\\R\\s*", "; "));
        }
    }

    /** {@return whether benchmarks, modes or parameters are selected} */
    private boolean selectsSome() {
        return !(jmh.getIncludes().isEmpty() && jmh.getExcludes().isEmpty() && jmh.getBenchModes().isEmpty()
                && params.isEmpty());
    }

    /** {@return the arguments of the benchmarks to run: these, or those of each chart} */
    List<Arguments> parts() {
        return charts == null ? List.of(this) : Charts.selections().stream().map(this::with).toList();
    }

    private Arguments with(Selection chart) {
        List<String> all = new ArrayList<>(given);
        all.addAll(chart.arguments());
        String[] forJmh = all.toArray(String[]::new);
        try {
            return new Arguments(new CommandLineOptions(forJmh), new WithoutPatterns(forJmh), quick, barsCount,
                    resultFile, resultFormat, output, List.of(), charts, all);
        } catch (CommandLineOptionException e) {
            throw new IllegalStateException("the options of a chart are wrong: " + all, e);
        }
    }

    /** {@return the message of JMH, which names an option without its hyphens, with what is allowed} */
    private static String describe(CommandLineOptionException e, List<String> args) {
        String message = e.getMessage();
        if (message.endsWith(UNRECOGNIZED)) {
            String name = message.substring(0, message.length() - UNRECOGNIZED.length());
            String option = args.stream().filter(arg -> arg.replaceFirst("^-+", "").startsWith(name)).findFirst()
                    .orElse(name);
            return "unknown option " + option
                    + "; allowed are --quick, --bars, --charts, --results, -Dproperty=value and"
                    + " the options of JMH";
        }
        Throwable deepest = e;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        String reason = deepest.getMessage();
        return reason == null || reason.equals(message) ? message : message + ": " + reason;
    }

    private static void checkPatterns(List<String> patterns) {
        for (String each : patterns) {
            try {
                Pattern.compile(each);
            } catch (PatternSyntaxException e) {
                throw new Wrong(each + " is not a regular expression of Java: " + e.getDescription());
            }
        }
    }

    private static String name(String param) {
        int equals = param.indexOf('=');
        if (equals < 1) {
            throw new Wrong("-p " + param + " is not " + PARAMETER);
        }
        return param.substring(0, equals);
    }

    /**
     * Checks that parameters which were given values exist, as JMH ignores others, and that their values are allowed.
     *
     * @param known the parameters of the selected benchmarks
     * @throws Wrong if a parameter is not among them, or a value is not allowed
     */
    void checkParameters(List<Parameter> known) {
        for (String each : params) {
            List<Parameter> named = Parameter.named(each, known);
            if (named.isEmpty()) {
                throw new Wrong("-p " + each + ": the selected benchmarks have no such parameter; allowed are "
                        + (known.isEmpty() ? "none" : Parameter.names(known).collect(Collectors.joining(", "))));
            }
            for (String value : jmh.getParameter(each).get()) {
                named.stream().filter(parameter -> !parameter.allows(value)).findFirst().ifPresent(parameter -> {
                    throw new Wrong("-p " + each + "=" + value + ": \"" + value + "\" is not a value of " + each + "; "
                            + parameter.allowed() + "; see docs/benchmarks.md");
                });
            }
        }
    }

    /**
     * Checks that the profilers exist and are usable here.
     *
     * @throws Wrong if one is not
     */
    void checkProfilers() {
        for (ProfilerConfig each : jmh.getProfilers()) {
            try {
                ProfilerFactory.getProfilerOrException(each);
            } catch (ProfilerException e) {
                String reason = e.getMessage() == null ? "it cannot be used" : e.getMessage().lines().findFirst().get();
                throw new Wrong("-prof " + each.getKlass() + ": " + reason + "; -lprof lists the profilers");
            }
        }
    }

    /**
     * {@return whether a benchmark is selected}
     *
     * @param benchmark its class and method, without the common packages
     * @param mode its mode
     * @param params its parameters
     */
    boolean selects(String benchmark, Mode mode, Map<String, String> params) {
        boolean named = (jmh.getIncludes().isEmpty() || matchesOneOf(jmh.getIncludes(), benchmark))
                && !matchesOneOf(jmh.getExcludes(), benchmark);
        Collection<Mode> modes = jmh.getBenchModes();
        boolean inMode = modes.isEmpty() || modes.contains(mode) || modes.contains(Mode.All);
        return named && inMode && params.entrySet().stream()
                .allMatch(param -> isAmong(param.getValue(), jmh.getParameter(param.getKey())));
    }

    private static boolean matchesOneOf(List<String> patterns, String benchmark) {
        String name = Benchmarks.fullName(benchmark);
        return patterns.stream().anyMatch(each -> Pattern.compile(each).matcher(name).find());
    }

    private static boolean isAmong(String value, org.openjdk.jmh.util.Optional<Collection<String>> selected) {
        return !selected.hasValue() || selected.get().contains(value);
    }

    /** {@return whether benchmarks are selected by name} */
    boolean selectsByName() {
        return !jmh.getIncludes().isEmpty();
    }

    /** {@return whether the output of JMH is shown} */
    boolean verbose() {
        return jmh.verbosity().hasValue();
    }

    private static String value(String option, String kind, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new Wrong(option + " needs a value, " + kind);
        }
        return rest.next();
    }

    private static Path path(String option, String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new Wrong(option + " " + name + " is not the name of a file: " + e.getReason());
        }
    }

    private static ResultFormatType format(String name) {
        try {
            return ResultFormatType.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new Wrong("-rf " + name + " is not a format; allowed are "
                    + Arrays.toString(ResultFormatType.values()));
        }
    }

    private static Path writable(String option, Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            throw new Wrong(option + " " + file + " is a folder; allowed is a file in a writable folder");
        }
        if (folder == null || !Files.isDirectory(folder)
                || !Files.isWritable(folder) && !Files.isWritable(file)) {
            throw new Wrong(option + " " + file + ": " + folder + " is not a writable folder");
        }
        return file;
    }

    private static Path besideJar() {
        URI place = URI.create(Arguments.class.getProtectionDomain().getCodeSource().getLocation().toString());
        return Path.of(place).resolveSibling(RESULTS);
    }
}
