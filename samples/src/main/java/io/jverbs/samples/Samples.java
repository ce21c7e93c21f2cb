package io.jverbs.samples;

import io.jverbs.VerbsException;
import io.jverbs.samples.devinfo.DevinfoCommand;
import io.jverbs.samples.memory.QueuePairMemoryCommand;
import io.jverbs.samples.perftest.Perftest;
import io.jverbs.samples.pingpong.RcPingPongCommand;
import io.jverbs.samples.pingpong.SrqPingPongCommand;
import io.jverbs.samples.pingpong.UcPingPongCommand;
import io.jverbs.samples.pingpong.UdPingPongCommand;
import io.jverbs.samples.timeline.TimelineCommand;
import io.jverbs.samples.top.TopCommand;
import io.jverbs.samples.tour.TourCommand;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** Starts a sample by its name; without one, lists those there are. */
@Command(name = Samples.LAUNCHER, description = "Runs a sample; without a name, lists those there are.", subcommands = {
    DevinfoCommand.class, TourCommand.class, RcPingPongCommand.class, UcPingPongCommand.class, UdPingPongCommand.class,
    SrqPingPongCommand.class, QueuePairMemoryCommand.class, TimelineCommand.class, TopCommand.class})
public final class Samples implements Runnable {
    static final String LAUNCHER = "samples/run";

    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    private Samples() {}

    /**
     * Runs a sample and ends the JVM with its exit status: 0 if all went well, 1 if something went wrong, 2 (the ping-pongs and
     * perftest's programs 1, as those of C) if the arguments make no sense.
     *
     * @param args the sample's name and its options
     */
    public static void main(String[] args) {
        System.exit(run(new PrintWriter(System.out, true), new PrintWriter(System.err, true), args));
    }

    /**
     * Runs a sample.
     *
     * @param out where it prints
     * @param err where it complains
     * @param args the sample's name and its options
     * @return the exit status
     */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        CommandLine samples = new CommandLine(new Samples());
        Perftest.addTo(samples);
        samples.setOut(out).setErr(err).setParameterExceptionHandler(Samples::refuse)
                .setExecutionExceptionHandler(Samples::fail);
        if (args.length > 0 && !args[0].startsWith("-") && !samples.getSubcommands().containsKey(args[0])) {
            err.println(LAUNCHER + ": there is no sample \"" + args[0] + "\"; " + LAUNCHER
                    + " alone lists those there are.");
            return ExitCode.USAGE;
        }
        return samples.execute(args);
    }

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.println("Usage: " + LAUNCHER + " NAME [-Dproperty=value...] [options]");
        out.println();
        spec.subcommands().forEach((name, sample) -> out.printf("  %-12s %s%n", name,
                String.join(" ", sample.getCommandSpec().usageMessage().description())));
        out.println();
        out.println(LAUNCHER + " NAME --help tells its options; -Djverbs.device=SELECTOR chooses the device.");
    }

    private static int refuse(ParameterException e, String[] args) {
        CommandLine sample = e.getCommandLine();
        String name = sample.getCommandSpec().qualifiedName();
        int status = sample.getCommandSpec().exitCodeOnInvalidInput();
        if (status == ExitCode.USAGE) {
            sample.getErr().println(name + ": " + e.getMessage() + "; " + name + " --help tells the options.");
        } else {
            // As the C program of which it has the status.
            sample.getErr().println(name + ": " + e.getMessage() + ".");
            sample.usage(sample.getOut());
        }
        return status;
    }

    /** What verbs and selectors refuse is told in the words of the exception; all else is a defect, with its trace. */
    private static int fail(Exception e, CommandLine sample, ParseResult parsed) throws Exception {
        if (e instanceof VerbsException || e instanceof IllegalArgumentException || e instanceof SampleFailure) {
            sample.getErr().println(sample.getCommandSpec().qualifiedName() + ": " + e.getMessage());
            return ExitCode.SOFTWARE;
        }
        throw e;
    }
}
