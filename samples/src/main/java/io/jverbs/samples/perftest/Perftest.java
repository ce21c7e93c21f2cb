package io.jverbs.samples.perftest;

import io.jverbs.samples.perftest.run.Program;
import io.jverbs.samples.perftest.run.Verb;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;

/** Creates the commands of the eight programs. */
public final class Perftest {
    private Perftest() {}

    /** {@return what creates the programs, by their names} */
    public static Map<String, Supplier<CommandLine>> commands() {
        Map<String, Supplier<CommandLine>> commands = new LinkedHashMap<>();
        for (Verb verb : Verb.values()) {
            for (boolean latency : new boolean[] {true, false}) {
                Program program = new Program(verb, latency);
                commands.put(program.name(), () -> PerftestCommand.of(program));
            }
        }
        return commands;
    }
}
