package io.jverbs.contract.differential;

import io.jverbs.contract.differential.sequence.CallSequence;
import io.jverbs.contract.differential.sequence.Generator;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.local.LocalEnd;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Runs random sequences of verbs calls on two devices and compares the results: completions in the order of each queue,
 * results of calls, states of queue pairs, memory. Exit status 0: only declared differences occurred, and everything
 * occurred often enough. 1: otherwise. 64: wrong usage.
 */
public final class Differential {

    /** The least number of sequences after which everything must have occurred often enough. */
    private static final int MEANINGFUL = 1000;
    private static final long SETTLE = 3;
    private static final String SOFT = "soft";
    private static final Pattern IMMEDIATE = Pattern.compile("soft(:soft[0-9]+)?( and soft(:soft[0-9]+)?)?");

    private Differential() {}

    /**
     * Runs the command line.
     *
     * @param arguments see {@code --help}
     */
    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments), LocalEnd::open, System.out, System.err));
    }

    /**
     * Runs the command line.
     *
     * @param open opens a device by its selector
     * @return the exit status
     */
    public static int run(List<String> arguments, Function<String, End> open, PrintStream out, PrintStream err) {
        Options options;
        Deviations deviations;
        try {
            options = Options.parse(arguments);
            deviations = options.deviations().equals("none")
                    ? Deviations.NONE
                    : Deviations.load(options.deviations() + ".txt");
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            err.print(Options.USAGE);
            return 64;
        }
        List<End> ends = new ArrayList<>();
        try {
            return run(options, deviations, device(options.left(), open, ends, options),
                    device(options.right(), open, ends, options), out, err);
        } finally {
            ends.forEach(End::close);
        }
    }

    private static Device device(String selector, Function<String, End> open, List<End> ends, Options options) {
        int known = ends.size();
        for (String each : selector.split(Pattern.quote(Options.AND))) {
            ends.add(open.apply(each));
        }
        // within a JVM, a request is executed before the post returns
        long settle = IMMEDIATE.matcher(selector).matches() ? 0 : SETTLE;
        boolean compareAll = options.left().startsWith(SOFT) && options.right().startsWith(SOFT);
        return Device.of(selector, ends.get(known), ends.getLast(), settle, options.patience(), compareAll);
    }

    private static int run(Options options, Deviations deviations, Device left, Device right, PrintStream out,
            PrintStream err) {
        Generator generator = new Generator(deviations.avoided());
        Campaign campaign = new Campaign(left, right, deviations, options.shrunk());
        Progress progress = new Progress(err, options.sequences());
        boolean apart = !left.isOne() || !right.isOne();
        for (int i = 0; i < options.sequences(); i++) {
            CallSequence sequence = options.reduce(generator.sequence(options.seed() + i));
            if (apart && sequence.setup().sharedBy() == 2) {
                // a shared receive queue cannot be used by queue pairs of two devices
                continue;
            }
            int known = campaign.findings().size();
            List<Difference> differences = campaign.run(sequence);
            if (campaign.findings().size() > known) {
                out.println("DIFFERENCE " + campaign.latest().text());
            }
            if (options.verbose()) {
                out.print(sequence.text());
                differences.forEach(difference -> out.println("  differs: " + difference));
            }
            progress.at(i + 1, campaign.differing());
        }
        progress.end();
        return report(options, deviations, campaign, progress.seconds(), out);
    }

    private static int report(Options options, Deviations deviations, Campaign campaign, long seconds,
            PrintStream out) {
        campaign.findings().forEach((kind, finding) -> out.println(finding.count() + " times: " + kind));
        out.println(options.left() + " against " + options.right() + ", seed " + options.seed() + ", " + seconds
                + " s (" + campaign.times() + "), " + campaign.differing() + " sequences differ");
        out.println(campaign.distribution().text());
        deviations.rules().forEach(rule -> out.println("declared, occurred " + rule.occurred() + " times: " + rule));
        List<String> problems = new ArrayList<>();
        if (options.sequences() >= MEANINGFUL) {
            problems.addAll(campaign.distribution().missing());
            deviations.neverOccurred().forEach(rule -> problems.add("the declared deviation never occurred: " + rule));
        }
        problems.forEach(problem -> out.println("PROBLEM " + problem));
        return campaign.findings().isEmpty() && problems.isEmpty() ? 0 : 1;
    }
}
