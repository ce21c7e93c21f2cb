package io.jverbs.soft.truncated;

import io.jverbs.VerbsException;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** Counts the rounds of a program and the warnings that they cause, and prints their deviations. */
final class RoundLog {
    private static final int PRINTED = 30;
    private static final int PRINTED_TRACES = 5;
    private static final int FRAMES = 12;

    private final Map<String, Integer> warnings = new TreeMap<>();
    private int rounds;
    private int wrong;
    /** How many of the rounds in which memory may disappear during a copy have failed, and how many there were. */
    private int failed;
    private int during;

    /** A round, which throws if a condition is violated. */
    interface Round {
        void run() throws IOException;
    }

    /**
     * Runs a round.
     *
     * @param name what the round does
     * @param round the round
     * @param cleanup restores the initial state
     */
    void run(Object name, Round round, Round cleanup) throws IOException {
        rounds++;
        try {
            round.run();
        } catch (IllegalStateException | VerbsException | Error e) {
            wrong++;
            print(name, e);
        } finally {
            cleanup.run();
        }
    }

    private void print(Object name, Throwable failure) {
        if (wrong >= PRINTED) {
            return;
        }
        System.out.println("round " + rounds + ": " + name + ": " + failure);
        StackTraceElement[] trace = failure.getStackTrace();
        for (int i = 0; i < Math.min(trace.length, FRAMES) && wrong < PRINTED_TRACES; i++) {
            System.out.println("    " + trace[i]);
        }
    }

    /** Notes that a device logs a warning, because memory that belongs to its end does not exist. */
    void expectWarning(Stage stage, End end) {
        String device = (end == End.REQUESTER ? stage.pair.leftDevice : stage.pair.rightDevice).name();
        warnings.merge(device, 1, Integer::sum);
    }

    /** Notes how a round ended in which memory may disappear during a copy. */
    void ended(boolean inError) {
        during++;
        failed += inError ? 1 : 0;
    }

    /** Prints the warnings that are expected from each device, and the number of rounds; returns the exit status. */
    int summarize() {
        System.out.println(failed + " of " + during + " requests whose memory was truncated while they ran failed");
        warnings.forEach((device, count) -> System.out.println("warnings of " + device + ": " + count));
        System.out.println(rounds + " rounds, " + wrong + " wrong");
        return wrong == 0 ? 0 : 1;
    }
}
