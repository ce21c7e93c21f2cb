package io.jverbs.bench.program;

import io.jverbs.Verbs;
import io.jverbs.bench.chart.Charts;
import io.jverbs.bench.report.Report;
import io.jverbs.bench.report.Score;
import io.jverbs.bench.report.Verdict;
import io.jverbs.spi.DeviceSelector;
import io.jverbs.spi.SystemProperties;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/**
 * The main class of {@code bench/run}: runs benchmarks in turn with their baselines, and prints a report. The exit
 * status is 1 if a data path allocates, a benchmark fails, or, with {@code --bars}, a bar is missed. It is 2 if an
 * argument is wrong.
 */
public final class Bench {
    private static final int BAD_ARGUMENT = 2;
    /** The selectors of the software device without an address. */
    private static final Pattern IN_JVM = Pattern.compile("soft(:soft[0-9]+)?");
    /** The targets of software devices at an address. */
    private static final Pattern AT_ADDRESS = Pattern.compile("[0-9.]+|.*:.*");

    private Bench() {}

    /**
     * Runs the benchmarks, and ends the JVM with the exit status.
     *
     * @param args the arguments; see {@link Arguments#USAGE}
     */
    public static void main(String... args) {
        unknownProperty(System.getProperties()).ifPresent(sentence -> {
            System.err.println("bench/run: " + sentence + ".");
            System.exit(BAD_ARGUMENT);
        });
        System.exit(run(System.out, System.err, args));
    }

    /**
     * Runs the benchmarks.
     *
     * @param out the destination of the report
     * @param err the destination of progress and errors
     * @param args the arguments; see {@link Arguments#USAGE}
     * @return the exit status
     */
    public static int run(PrintStream out, PrintStream err, String... args) {
        try {
            Arguments arguments = Arguments.parse(args);
            if (arguments.output() == null) {
                return run(out, err, arguments);
            }
            try (PrintStream file = new PrintStream(new FileOutputStream(arguments.output()), true,
                    StandardCharsets.UTF_8)) {
                return run(file, err, arguments);
            }
        } catch (Arguments.Wrong e) {
            err.println("bench/run: " + e.getMessage() + "; bench/run --help describes the options.");
            return BAD_ARGUMENT;
        } catch (IllegalArgumentException e) {
            // a selector, or another property
            err.println("bench/run: " + e.getMessage());
            return BAD_ARGUMENT;
        } catch (RunnerException | IOException | RuntimeException e) {
            err.println("bench/run: " + (e.getMessage() == null ? e : e.getMessage()));
            return 1;
        }
    }

    private static int run(PrintStream out, PrintStream err, Arguments arguments)
            throws RunnerException, IOException {
        if (printInformation(out, arguments.jmh())) {
            return 0;
        }
        ChartOptions charts = arguments.charts();
        if (charts != null && !charts.results().isEmpty()) {
            printFiles(out, charts.drawResults());
            return 0;
        }
        arguments.checkProfilers();
        String device = device();
        List<Arguments> parts = arguments.parts();
        List<Group> groups = parts.stream().flatMap(part -> Group.select(part).stream()).toList();
        if (groups.isEmpty()) {
            throw new Arguments.Wrong("no benchmark matches " + arguments.jmh().getIncludes()
                    + "; -l lists the benchmarks");
        }
        arguments.checkParameters(groups.stream().flatMap(Group::parameters).toList());
        if (charts != null) {
            charts.checkPossible(groups);
        }
        Rounds rounds = new Rounds(err, arguments.verbose());
        rounds.run(groups, results -> write(arguments, results));
        boolean inJvm = IN_JVM.matcher(device).matches();
        List<Score> scores = rounds.results().stream().map(Score::of).toList();
        Verdict verdict = new Report(scores, inJvm, (benchmark, mode, params) -> parts.stream()
                .anyMatch(part -> part.selects(benchmark, mode, params))).print(out);
        rounds.skipped().forEach((name, why) -> out.println(name + " was skipped: " + why));
        rounds.failed().forEach(name -> out.println(name + " failed: the error is printed above with the progress"));
        out.println("\nEach score is the median of the rounds, and each ratio the median of their ratios, on "
                + machine() + ", " + device + ".\nAll results are in " + arguments.resultFile());
        if (charts != null) {
            printFiles(out, Charts.write(charts.folder(), scores));
        }
        boolean passed = verdict.allocations().isEmpty() && rounds.failed().isEmpty()
                && !(arguments.barsCount() && !verdict.missed().isEmpty());
        return passed ? 0 : 1;
    }

    private static void printFiles(PrintStream out, List<Path> charts) {
        out.println("The charts are in " + charts.stream().map(Path::toString).collect(Collectors.joining(", ")));
    }

    /**
     * {@return the selector of the device that benchmarks within one JVM open} The device must exist. A device at an
     * address is not opened here, as only one process may open it.
     */
    private static String device() {
        return isAtAddress() ? System.getProperty(Verbs.DEVICE_PROPERTY) : Verbs.select().selector();
    }

    private static boolean isAtAddress() {
        try {
            DeviceSelector wanted = DeviceSelector.parse(System.getProperty(Verbs.DEVICE_PROPERTY, "auto"));
            return wanted.provider().equals("soft") && AT_ADDRESS.matcher(wanted.target()).matches();
        } catch (IllegalArgumentException e) {
            // Verbs.select() refuses it
            return false;
        }
    }

    /** {@return why the properties are refused: the JVM would accept a misspelled name without effect} */
    static Optional<String> unknownProperty(Properties given) {
        Set<String> known = new TreeSet<>(SystemProperties.described().keySet());
        return new TreeSet<>(given.stringPropertyNames()).stream()
                .filter(name -> name.startsWith("jverbs.") && !known.contains(name)).findFirst()
                .map(name -> "unknown system property " + name + "; allowed are " + String.join(", ", known)
                        + "; see docs/tools.md");
    }

    private static String machine() {
        return System.getProperty("java.vm.name") + " " + Runtime.version() + ", " + System.getProperty("os.name") + " "
                + System.getProperty("os.arch") + ", " + Runtime.getRuntime().availableProcessors() + " processors";
    }

    private static void write(Arguments arguments, Collection<RunResult> results) throws IOException {
        try (PrintStream file = new PrintStream(new FileOutputStream(arguments.resultFile().toFile()), false,
                StandardCharsets.UTF_8)) {
            ResultFormatFactory.getInstance(arguments.resultFormat(), file).writeOut(results);
        }
    }

    /** Prints what options such as -h and -l ask for; returns false if there is no such option. */
    private static boolean printInformation(PrintStream out, CommandLineOptions jmh)
            throws IOException, RunnerException {
        if (jmh.shouldHelp()) {
            out.println(Arguments.USAGE);
            jmh.showHelp();
        } else if (jmh.shouldList()) {
            new Runner(jmh).list();
        } else if (jmh.shouldListWithParams()) {
            new Runner(jmh).listWithParams(jmh);
        } else if (jmh.shouldListProfilers()) {
            jmh.listProfilers();
        } else if (jmh.shouldListResultFormats()) {
            jmh.listResultFormats();
        } else {
            return false;
        }
        return true;
    }
}
