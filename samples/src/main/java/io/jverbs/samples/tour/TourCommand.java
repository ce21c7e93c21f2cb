package io.jverbs.samples.tour;

import io.jverbs.Verbs;
import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.console.HelpOption;
import io.jverbs.samples.console.Screen;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs all verbs operations on the selected device, times them and checks every byte. */
@Command(name = "tour", description = "Runs all verbs operations on the device, times them and checks every byte.")
public final class TourCommand implements Callable<Integer> {
    private static final int MOST_SECONDS = 3600;

    @Option(names = "--seconds", hidden = true, paramLabel = "SECONDS", defaultValue = "10", description = "The"
            + " approximate duration.")
    private String secondsOption;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        double seconds = seconds();
        Duration time = Duration.ofNanos((long) (seconds * 1e9));
        boolean passed = new Tour(Verbs.select(), new Screen(out, out, Screen.isTerminal()), err, time).runAll();
        return passed ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private double seconds() {
        try {
            return Numbers.readDecimal("--seconds", secondsOption, 0, MOST_SECONDS);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
