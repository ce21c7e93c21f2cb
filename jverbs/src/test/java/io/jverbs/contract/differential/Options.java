package io.jverbs.contract.differential;

import io.jverbs.contract.differential.sequence.CallSequence;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The options of the command line.
 *
 * @param deviations name of the table of deviations of the right device, or {@code none}
 * @param steps indices of the steps to run; null for all
 * @param shrunk number of kinds of differences to shrink to their smallest sequence
 * @param patience deadline for effects that do not occur, in milliseconds
 */
record Options(String left, String right, int sequences, long seed, String deviations, Set<Integer> steps,
        int shrunk, long patience, boolean verbose) {

    /** Separates the selectors of two devices with one queue pair each. */
    static final String AND = " and ";

    static final String USAGE = """
            usage: Differential [--left SELECTOR] [--right SELECTOR] [--sequences N] [--seed N]
                                [--deviations TABLE|none] [--steps I,J,K] [--shrink N]
                                [--patience MILLIS] [--verbose]
            A SELECTOR of the form "X and Y" selects two devices with one queue pair each.
            Runs N sequences generated from the seeds seed, seed+1, ... on both sides and compares the results.
            """;
    /** What the messages about wrong arguments end with. */
    static final String PAGE = "; see CONTRIBUTING.md";

    private static final String VERBOSE = "--verbose";
    private static final List<String> WITH_VALUE = List.of("--left", "--right", "--sequences", "--seed", "--deviations",
            "--steps", "--shrink", "--patience");
    private static final Options DEFAULT = new Options("soft", "soft:soft1", 2000, 1, "none", null, 12, 2000, false);

    static Options parse(List<String> arguments) {
        Options options = DEFAULT;
        for (int i = 0; i < arguments.size(); i++) {
            String name = arguments.get(i);
            if (name.equals(VERBOSE)) {
                options = options.with(name, null);
            } else if (!WITH_VALUE.contains(name)) {
                throw new IllegalArgumentException("unknown option " + name + "; allowed are "
                        + String.join(", ", WITH_VALUE) + ", " + VERBOSE + PAGE);
            } else if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException("the value of " + name + " is missing" + PAGE);
            } else {
                options = options.with(name, arguments.get(++i));
            }
        }
        return options;
    }

    private Options with(String name, String value) {
        return switch (name) {
            case "--left" -> new Options(value, right, sequences, seed, deviations, steps, shrunk, patience, verbose);
            case "--right" -> new Options(left, value, sequences, seed, deviations, steps, shrunk, patience, verbose);
            case "--sequences" -> new Options(left, right, (int) number(name, value, 1, Integer.MAX_VALUE), seed,
                    deviations, steps, shrunk, patience, verbose);
            case "--seed" -> new Options(left, right, sequences, number(name, value, Long.MIN_VALUE, Long.MAX_VALUE),
                    deviations, steps, shrunk, patience, verbose);
            case "--deviations" -> new Options(left, right, sequences, seed, value, steps, shrunk, patience, verbose);
            case "--steps" -> new Options(left, right, sequences, seed, deviations, indices(name, value), shrunk,
                    patience, verbose);
            case "--shrink" -> new Options(left, right, sequences, seed, deviations, steps,
                    (int) number(name, value, 0, Integer.MAX_VALUE), patience, verbose);
            case "--patience" -> new Options(left, right, sequences, seed, deviations, steps, shrunk,
                    number(name, value, 0, Integer.MAX_VALUE), verbose);
            default -> new Options(left, right, sequences, seed, deviations, steps, shrunk, patience, true);
        };
    }

    private static long number(String name, String value, long least, long most) {
        try {
            long number = Long.parseLong(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // as a number that is not allowed
        }
        throw new IllegalArgumentException(
                name + " " + value + " is not an integer from " + least + " to " + most + PAGE);
    }

    private static Set<Integer> indices(String name, String value) {
        Set<Integer> indices = new HashSet<>();
        for (String index : value.split(",", -1)) {
            indices.add((int) number(name, index.trim(), 0, Integer.MAX_VALUE));
        }
        return indices;
    }

    /** Returns the sequence reduced to the selected steps. */
    CallSequence reduce(CallSequence sequence) {
        return steps == null
                ? sequence
                : sequence.only(sequence.steps().stream().filter(step -> steps.contains(step.index())).toList());
    }
}
