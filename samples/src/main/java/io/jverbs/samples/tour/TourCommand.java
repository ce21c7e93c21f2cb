package io.jverbs.samples.tour;

import io.jverbs.Verbs;
import io.jverbs.samples.HelpOption;
import io.jverbs.samples.Screen;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Does everything that verbs offer, once, on the chosen device, and checks every byte. */
@Command(name = "tour", description = "Does all that verbs offer on the device, times it and checks every byte.")
public final class TourCommand implements Callable<Integer> {
    @Option(names = "--seconds", hidden = true, defaultValue = "10", description = "About how long.")
    private double seconds;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        Duration time = Duration.ofNanos((long) (seconds * 1e9));
        boolean good = new Tour(Verbs.select(), new Screen(out, out, Screen.isTerminal()), err, time).visitAll();
        return good ? ExitCode.OK : ExitCode.SOFTWARE;
    }
}
