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
 * What was asked for.
 *
 * @param jmh JMH's options, without those that are here
 * @param base the same, for whoever names benchmarks himself
 * @param quick whether each benchmark is run shortly, for few parameters
 * @param barsCount whether a missed bar is a failure
 * @param resultFile where results go
 * @param resultFormat in which form
 * @param output where the report goes, null for standard output
 */
record Arguments(CommandLineOptions jmh, CommandLineOptions base, boolean quick, boolean barsCount,
        Path resultFile, ResultFormatType resultFormat, String output) {
    static final String USAGE = """
            Usage: bench/run [--quick] [--bars] [-Dproperty=value...] [JMH's options] [regular expressions]
              --quick              most of it in under three minutes: short iterations, few forks, few parameters
              --bars               a bar that is missed, or was not measured though asked for, is a failure
              -Djverbs.device=...  the device of the benchmarks within one JVM
              -f <int>             so many rounds; in each, every benchmark runs in a new JVM, in turn with its baseline
              -rff <file>          where results go instead of bench/target/results.json
              <regular expression> which benchmarks; the other benchmarks of a class are run only if they match too
            Exit status: 1 if a data path allocates or a benchmark fails, 2 if an argument is wrong.

            JMH's options:""";
    private static final String RESULTS = "results.json";
    private static final String DEFAULT_FILE = "without -rff";

    /** An argument is wrong. */
    static final class Wrong extends RuntimeException {
        private static final long serialVersionUID = 1;

        Wrong(String message) {
            super(message);
        }
    }

    /** JMH adds the patterns of options that are built upon others to those of the others. */
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

    /** Whether a benchmark is among those asked for, by class and method without their common packages, mode and parameters. */
    boolean asksFor(String benchmark, Mode mode, Map<String, String> params) {
        boolean named = (jmh.getIncludes().isEmpty() || matchesOneOf(jmh.getIncludes(), benchmark))
                && !matchesOneOf(jmh.getExcludes(), benchmark);
        Collection<Mode> modes = jmh.getBenchModes();
        boolean soMeasured = modes.isEmpty() || modes.contains(mode) || modes.contains(Mode.All);
        return named && soMeasured && params.entrySet().stream()
                .allMatch(param -> isAmong(param.getValue(), jmh.getParameter(param.getKey())));
    }

    private static boolean matchesOneOf(List<String> patterns, String benchmark) {
        String name = Benchmarks.fullName(benchmark);
        return patterns.stream().anyMatch(each -> Pattern.compile(each).matcher(name).find());
    }

    private static boolean isAmong(String value, org.openjdk.jmh.util.Optional<Collection<String>> asked) {
        return !asked.hasValue() || asked.get().contains(value);
    }

    /** Whether benchmarks are chosen by name. */
    boolean namesSome() {
        return !jmh.getIncludes().isEmpty();
    }

    /** Whether JMH's own remarks are shown. */
    boolean verbose() {
        return jmh.verbosity().hasValue();
    }

    private static String value(String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new Wrong(option + " lacks its value");
        }
        return rest.next();
    }

    private static ResultFormatType format(String name) {
        try {
            return ResultFormatType.valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new Wrong("-rf " + name + " is none of " + Arrays.toString(ResultFormatType.values()));
        }
    }

    private static Path writable(String option, Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            throw new Wrong(option + " " + file + " is a folder");
        }
        if (folder == null || !Files.isWritable(folder) && !Files.isWritable(file)) {
            throw new Wrong(option + " " + file + ": " + folder + " cannot be written to");
        }
        return file;
    }

    private static Path besideJar() {
        URI place = URI.create(Arguments.class.getProtectionDomain().getCodeSource().getLocation().toString());
        return Path.of(place).resolveSibling(RESULTS);
    }
}
