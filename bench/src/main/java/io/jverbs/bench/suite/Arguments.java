package io.jverbs.bench.suite;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

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
 */
record Arguments(CommandLineOptions jmh, CommandLineOptions base, boolean quick, boolean barsCount,
        Path resultFile, ResultFormatType resultFormat, String output) {
    static final String USAGE = """
            Usage: bench/run [--quick] [--bars] [-Dproperty=value...] [options of JMH] [regular expressions]
              --quick              runs most benchmarks in under three minutes: short iterations, few forks, few
                                   parameters
              --bars               fails if a bar is missed, or was selected but not measured
              -Djverbs.device=...  the device of the benchmarks within one JVM
              -f <int>             the number of rounds; in each round, every benchmark runs in a new JVM, in turn with
                                   its baseline
              -rff <file>          the file of the results; default bench/target/results.json
              <regular expression> selects benchmarks; a baseline runs only if it is selected too
            Exit status: 1 if a data path allocates or a benchmark fails, 2 if an argument is wrong.

            Options of JMH:""";
    private static final String RESULTS = "results.json";
    private static final String DEFAULT_FILE = "without -rff";

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

    static Arguments parse(String... args) throws CommandLineOptionException {
        boolean quick = false;
        boolean bars = false;
        Path file = null;
        ResultFormatType format = ResultFormatType.JSON;
        String output = null;
        List<String> rest = new ArrayList<>();
        for (Iterator<String> i = Arrays.asList(args).iterator(); i.hasNext();) {
            String arg = i.next();
            switch (arg) {
                case "--quick" -> quick = true;
                case "--bars" -> bars = true;
                case "--help" -> rest.add("-h");
                case "-rff" -> file = Path.of(value(arg, i));
                case "-rf" -> format = format(value(arg, i));
                case "-o" -> output = value(arg, i);
                default -> rest.add(arg);
            }
        }
        String[] forJmh = rest.toArray(String[]::new);
        return new Arguments(new CommandLineOptions(forJmh), new WithoutPatterns(forJmh), quick, bars,
                file == null ? writable(DEFAULT_FILE, besideJar()) : writable("-rff", file), format,
                output == null ? null : writable("-o", Path.of(output)).toString());
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

    private static String value(String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new Wrong(option + " needs a value");
        }
        return rest.next();
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
            throw new Wrong(option + " " + file + " is a folder");
        }
        if (folder == null || !Files.isWritable(folder) && !Files.isWritable(file)) {
            throw new Wrong(option + " " + file + ": " + folder + " is not a writable folder");
        }
        return file;
    }

    private static Path besideJar() {
        URI place = URI.create(Arguments.class.getProtectionDomain().getCodeSource().getLocation().toString());
        return Path.of(place).resolveSibling(RESULTS);
    }
}
