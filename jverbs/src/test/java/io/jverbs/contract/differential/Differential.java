package io.jverbs.contract.differential;

import io.jverbs.contract.end.End;
import io.jverbs.contract.end.local.LocalEnd;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Runs random sequences of verbs calls on two devices and compares what they did: completions in the order of each
 * queue, answers of calls, states of queue pairs, memory. Exit status 0: no difference but declared ones, and
 * everything occurred often enough; 1: not so; 64: usage.
 */
public final class Differential {

    /** A run of fewer sequences need not have everything in it. */
    private static final int MEANINGFUL = 1000;
    private static final long SETTLE = 3;

    private Differential() {}

    /**
     * Runs what the command line asks for.
     *
     * @param arguments see {@code --help}
     */
    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments), LocalEnd::open, System.out, System.err));
    }

    /**
     * Runs what the command line asks for.
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
        try (End left = open.apply(options.left()); End right = open.apply(options.right())) {
            return run(options, deviations, device(options.left(), left, options),
                    device(options.right(), right, options), out, err);
        }
    }

    private static Device device(String selector, End end, Options options) {
        return Device.of(selector, end, selector.startsWith("soft") ? 0 : SETTLE, options.patience());
    }

    private static int run(Options options, Deviations deviations, Device left, Device right, PrintStream out,
            PrintStream err) {
        Generator generator = new Generator(deviations.avoided());
        Campaign campaign = new Campaign(left, right, deviations, options.shrunk());
        Progress progress = new Progress(err, options.sequences());
        for (int i = 0; i < options.sequences(); i++) {
            Sequence sequence = options.reduce(generator.sequence(options.seed() + i));
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
        deviations.rules().forEach(rule -> out.println("declared, met " + rule.met() + " times: " + rule));
        List<String> problems = new ArrayList<>();
        if (options.sequences() >= MEANINGFUL) {
            problems.addAll(campaign.distribution().missing());
            deviations.unmet().forEach(rule -> problems.add("the declared deviation was never met: " + rule));
        }
        problems.forEach(problem -> out.println("PROBLEM " + problem));
        return campaign.findings().isEmpty() && problems.isEmpty() ? 0 : 1;
    }
}
