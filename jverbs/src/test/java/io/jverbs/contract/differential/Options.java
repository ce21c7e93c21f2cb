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

    static Options parse(List<String> arguments) {
        Options options = new Options("soft", "soft:soft1", 2000, 1, "none", null, 12, 2000, false);
        for (int i = 0; i < arguments.size(); i++) {
            String name = arguments.get(i);
            if (name.equals("--verbose")) {
                options = options.with(name, "true");
            } else if (i + 1 < arguments.size()) {
                options = options.with(name, arguments.get(++i));
            } else {
                throw new IllegalArgumentException(name + " is not an option, or its value is missing");
            }
        }
        return options;
    }

    private Options with(String name, String value) {
        return switch (name) {
            case "--left" -> new Options(value, right, sequences, seed, deviations, steps, shrunk, patience, verbose);
            case "--right" -> new Options(left, value, sequences, seed, deviations, steps, shrunk, patience, verbose);
            case "--sequences" ->
                new Options(left, right, Integer.parseInt(value), seed, deviations, steps, shrunk, patience, verbose);
            case "--seed" ->
                new Options(left, right, sequences, Long.parseLong(value), deviations, steps, shrunk, patience,
                        verbose);
            case "--deviations" -> new Options(left, right, sequences, seed, value, steps, shrunk, patience, verbose);
            case "--steps" ->
                new Options(left, right, sequences, seed, deviations, indices(value), shrunk, patience, verbose);
            case "--shrink" ->
                new Options(left, right, sequences, seed, deviations, steps, Integer.parseInt(value), patience,
                        verbose);
            case "--patience" -> new Options(left, right, sequences, seed, deviations, steps, shrunk,
                    Long.parseLong(value), verbose);
            case "--verbose" -> new Options(left, right, sequences, seed, deviations, steps, shrunk, patience, true);
            default -> throw new IllegalArgumentException("unknown option " + name);
        };
    }

    private static Set<Integer> indices(String value) {
        Set<Integer> indices = new HashSet<>();
        for (String index : value.split(",")) {
            indices.add(Integer.parseInt(index.trim()));
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
