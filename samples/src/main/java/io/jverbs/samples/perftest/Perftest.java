package io.jverbs.samples.perftest;

import io.jverbs.samples.perftest.run.Program;
import io.jverbs.samples.perftest.run.Verb;
import picocli.CommandLine;

/** Creates the commands of the eight programs. */
public final class Perftest {
    private Perftest() {}

    /**
     * Adds the programs to a command.
     *
     * @param parent the command
     */
    public static void addTo(CommandLine parent) {
        for (Verb verb : Verb.values()) {
            for (boolean latency : new boolean[] {true, false}) {
                Program program = new Program(verb, latency);
                parent.addSubcommand(program.name(), PerftestCommand.of(program));
            }
        }
    }
}
