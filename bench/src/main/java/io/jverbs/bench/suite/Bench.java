package io.jverbs.bench.suite;

import io.jverbs.Verbs;
import io.jverbs.bench.report.Report;
import io.jverbs.bench.report.Score;
import io.jverbs.bench.report.Verdict;
import io.jverbs.spi.DeviceSelector;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
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

    private Bench() {}

    /**
     * Runs the benchmarks, and ends the JVM with the exit status.
     *
     * @param args the arguments; see {@link Arguments#USAGE}
     */
    public static void main(String... args) {
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
        } catch (CommandLineOptionException | Arguments.Wrong e) {
            err.println("bench/run: " + e.getMessage() + "; bench/run --help describes the options.");
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
        String device = device();
        List<Group> groups = Group.select(arguments);
        if (groups.isEmpty()) {
            throw new Arguments.Wrong("no benchmark matches " + arguments.jmh().getIncludes()
                    + "; -l lists the benchmarks");
        }
        Rounds rounds = new Rounds(err, arguments.verbose());
        rounds.run(groups, results -> write(arguments, results));
        boolean inJvm = IN_JVM.matcher(device).matches();
        Verdict verdict = new Report(rounds.results().stream().map(Score::of).toList(), inJvm, arguments::selects)
                .print(out);
        rounds.skipped().forEach((name, why) -> out.println(name + " was skipped: " + why));
        rounds.failed().forEach(name -> out.println(name + " failed: the error is printed above with the progress"));
        out.println("\nEach score is the median of the rounds, and each ratio the median of their ratios, on "
                + machine() + ", " + device + ".\nAll results are in " + arguments.resultFile());
        boolean passed = verdict.allocations().isEmpty() && rounds.failed().isEmpty()
                && !(arguments.barsCount() && !verdict.missed().isEmpty());
        return passed ? 0 : 1;
    }

    /**
     * {@return the selector of the device that benchmarks within one JVM open} The device must exist. A device at an
     * address is not opened here, as only one process may open it.
     */
    private static String device() {
        DeviceSelector wanted = DeviceSelector.parse(System.getProperty(Verbs.DEVICE_PROPERTY, "auto"));
        boolean atAddress = wanted.provider().equals("soft") && !IN_JVM.matcher(wanted.toString()).matches();
        return atAddress ? wanted.toString() : Verbs.select().selector();
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
