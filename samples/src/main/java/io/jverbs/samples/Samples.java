package io.jverbs.samples;

import io.jverbs.VerbsException;
import io.jverbs.samples.console.HelpOption;
import io.jverbs.samples.console.SampleFailure;
import io.jverbs.samples.console.UsageFailure;
import io.jverbs.samples.devinfo.DevinfoCommand;
import io.jverbs.samples.memory.ConnectionMemoryCommand;
import io.jverbs.samples.memory.QueuePairMemoryCommand;
import io.jverbs.samples.multicast.MckeyCommand;
import io.jverbs.samples.perftest.Perftest;
import io.jverbs.samples.pingpong.RcPingPongCommand;
import io.jverbs.samples.pingpong.SrqPingPongCommand;
import io.jverbs.samples.pingpong.UcPingPongCommand;
import io.jverbs.samples.pingpong.UdPingPongCommand;
import io.jverbs.samples.rdmacm.CmtimeCommand;
import io.jverbs.samples.rdmacm.RdmaClientCommand;
import io.jverbs.samples.rdmacm.RdmaServerCommand;
import io.jverbs.samples.rdmacm.RpingCommand;
import io.jverbs.samples.rdmacm.UcmatoseCommand;
import io.jverbs.samples.rdmacm.UdaddyCommand;
import io.jverbs.samples.rsocket.RcopyCommand;
import io.jverbs.samples.rsocket.RiostreamCommand;
import io.jverbs.samples.rsocket.RstreamCommand;
import io.jverbs.samples.sockets.HttpServerCommand;
import io.jverbs.samples.sockets.NettyEchoCommand;
import io.jverbs.samples.timeline.TimelineCommand;
import io.jverbs.samples.top.TopCommand;
import io.jverbs.samples.tour.TourCommand;
import io.jverbs.samples.udpong.UdpongCommand;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The main class of {@code samples/run}: runs a sample by its name, or lists the samples. */
@Command(name = Samples.LAUNCHER, description = "Runs a sample; without a name, lists the samples.")
public final class Samples implements Runnable {
    static final String LAUNCHER = "samples/run";
    private static final List<Class<?>> CLASSES = List.of(DevinfoCommand.class, TourCommand.class,
            RcPingPongCommand.class, UcPingPongCommand.class, UdPingPongCommand.class, SrqPingPongCommand.class,
            RpingCommand.class, RdmaClientCommand.class, RdmaServerCommand.class, CmtimeCommand.class,
            UcmatoseCommand.class, UdaddyCommand.class, MckeyCommand.class, RstreamCommand.class,
            RiostreamCommand.class, RcopyCommand.class, UdpongCommand.class, HttpServerCommand.class,
            NettyEchoCommand.class, QueuePairMemoryCommand.class, ConnectionMemoryCommand.class, TimelineCommand.class,
            TopCommand.class);
    /** What creates the samples, by their names. */
    private static final Map<String, Supplier<?>> COMMANDS = commands();

    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    private Samples() {}

    /**
     * Runs a sample and ends the JVM with its exit status: 0 on success, 1 on failure, 2 if the arguments are wrong.
     * The ping-pongs and perftest's programs return 1 for wrong arguments, like the C programs.
     *
     * @param args the sample's name and its options
     */
    public static void main(String[] args) {
        KnownProperties.refusal(System.getProperties()).ifPresent(sentence -> {
            System.err.println(LAUNCHER + ": " + sentence + ".");
            System.exit(ExitCode.USAGE);
        });
        System.exit(run(new PrintWriter(System.out, true), new PrintWriter(System.err, true), args));
    }

    /**
     * Runs a sample.
     *
     * @param out standard output of the sample
     * @param err standard error of the sample
     * @param args the sample's name and its options
     * @return the exit status
     */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        String name = args.length > 0 && !args[0].startsWith("-") ? args[0] : null;
        if (name != null && !COMMANDS.containsKey(name)) {
            err.println(LAUNCHER + ": there is no sample " + name
                    + UsageErrors.suggestion(name, COMMANDS.keySet()) + "; " + LAUNCHER
                    + " without a name lists the samples.");
            return ExitCode.USAGE;
        }
        return commandLine(name).setOut(out).setErr(err).setParameterExceptionHandler(Samples::refuse)
                .setExecutionExceptionHandler(Samples::fail).setExpandAtFiles(false).execute(args);
    }

    /**
     * {@return the command with one sample, or with all of them: to create a sample takes milliseconds}
     *
     * @param name the name of the sample, or null for all
     */
    static CommandLine commandLine(String name) {
        CommandLine samples = new CommandLine(new Samples());
        COMMANDS.forEach((each, command) -> {
            if (name == null || name.equals(each)) {
                samples.addSubcommand(each, command.get());
            }
        });
        return samples;
    }

    private static Map<String, Supplier<?>> commands() {
        Map<String, Supplier<?>> commands = new LinkedHashMap<>();
        CLASSES.forEach(each -> commands.put(each.getAnnotation(Command.class).name(), () -> each));
        commands.putAll(Perftest.commands());
        return commands;
    }

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.println("Usage: " + LAUNCHER + " NAME [-Dproperty=value...] [options]");
        out.println();
        spec.subcommands().forEach((name, sample) -> out.printf("  %-12s %s%n", name,
                String.join(" ", sample.getCommandSpec().usageMessage().description())));
        out.println();
        out.println(LAUNCHER + " NAME --help describes its options; -Djverbs.device=SELECTOR chooses the device.");
    }

    private static int refuse(ParameterException e, String[] args) {
        CommandLine sample = e.getCommandLine();
        String name = sample.getCommandSpec().qualifiedName();
        int status = sample.getCommandSpec().exitCodeOnInvalidInput();
        String error = UsageErrors.describe(e);
        if (status == ExitCode.USAGE) {
            sample.getErr().println(name + ": " + error + help(name));
        } else {
            // The C programs print their usage too.
            sample.getErr().println(name + ": " + error + ".");
            sample.usage(sample.getOut());
        }
        return status;
    }

    /** Prints the message of an expected exception; any other is a defect, and picocli prints its stack trace. */
    private static int fail(Exception e, CommandLine sample, ParseResult parsed) throws Exception {
        String name = sample.getCommandSpec().qualifiedName();
        switch (e) {
            case UsageFailure wrong -> sample.getErr()
                    .println(name + ": " + wrong.getMessage().replaceFirst("\\.$", "") + help(name));
            // a selector, or another property
            case IllegalArgumentException wrong -> sample.getErr().println(name + ": " + wrong.getMessage());
            case VerbsException failure -> {
                sample.getErr().println(name + ": " + failure.getMessage());
                return ExitCode.SOFTWARE;
            }
            case SampleFailure failure -> {
                sample.getErr().println(name + ": " + failure.getMessage());
                return ExitCode.SOFTWARE;
            }
            default -> throw e;
        }
        return sample.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static String help(String name) {
        return "; " + name + " --help describes the options.";
    }
}
