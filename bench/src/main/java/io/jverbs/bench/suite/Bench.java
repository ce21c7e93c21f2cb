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
 * The program of {@code bench/run}: runs benchmarks in turn with their baselines and reports. Exit status 1 if a data path
 * allocates, a benchmark fails, or, with {@code --bars}, a bar is missed; 2 if an argument is wrong.
 */
public final class Bench {
    private static final int BAD_ARGUMENT = 2;
    /** The software device, unless it is at an address. */
    private static final Pattern IN_JVM = Pattern.compile("soft(:soft[0-9]+)?");

    private Bench() {}

    /**
     * Runs.
     *
     * @param args as {@link Arguments#USAGE} tells
     */
    public static void main(String... args) {
        System.exit(run(System.out, System.err, args));
    }

    /**
     * Runs.
     *
     * @param out where the report goes
     * @param err where progress and complaints go
     * @param args as {@link Arguments#USAGE} tells
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
            err.println("bench/run: " + e.getMessage() + "; bench/run --help tells the options.");
            return BAD_ARGUMENT;
        } catch (RunnerException | IOException | RuntimeException e) {
            err.println("bench/run: " + (e.getMessage() == null ? e : e.getMessage()));
            return 1;
        }
    }

    private static int run(PrintStream out, PrintStream err, Arguments arguments)
            throws RunnerException, IOException {
        if (tell(out, arguments.jmh())) {
            return 0;
        }
        String device = device();
        List<Group> groups = Group.select(arguments);
        if (groups.isEmpty()) {
            throw new Arguments.Wrong("no benchmark's name matches " + arguments.jmh().getIncludes()
                    + "; -l lists those there are");
        }
        Rounds rounds = new Rounds(err, arguments.verbose());
        rounds.run(groups, results -> write(arguments, results));
        boolean inJvm = IN_JVM.matcher(device).matches();
        Verdict verdict = new Report(rounds.results().stream().map(Score::of).toList(), inJvm, arguments::asksFor)
                .print(out);
        rounds.skipped().forEach((name, why) -> out.println(name + " was skipped: " + why));
        rounds.failed().forEach(name -> out.println(name + " failed: its complaint is above, amid the progress"));
        out.println("\nEach score is the median of the rounds, each ratio that of the rounds' ratios, on " + machine()
                + ", " + device + ".\nAll figures are in " + arguments.resultFile());
        boolean good = verdict.allocations().isEmpty() && rounds.failed().isEmpty()
                && !(arguments.barsCount() && !verdict.missed().isEmpty());
        return good ? 0 : 1;
    }

    /** The device that benchmarks within one JVM open, which must exist; one at an address is for them alone to open. */
    private static String device() {
        DeviceSelector asked = DeviceSelector.parse(System.getProperty(Verbs.DEVICE_PROPERTY, "auto"));
        boolean atAddress = asked.provider().equals("soft") && !IN_JVM.matcher(asked.toString()).matches();
        return atAddress ? asked.toString() : Verbs.select().selector();
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

    /** Answers options that run nothing; true if there was one. */
    private static boolean tell(PrintStream out, CommandLineOptions jmh) throws IOException, RunnerException {
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
