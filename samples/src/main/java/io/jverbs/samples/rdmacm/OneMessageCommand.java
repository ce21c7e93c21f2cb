package io.jverbs.samples.rdmacm;

import io.jverbs.RdmaContext;
import io.jverbs.cm.CmException;
import io.jverbs.samples.connect.Devices;
import io.jverbs.samples.connect.Hosts;
import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.console.HelpOption;
import io.jverbs.samples.console.SampleFailure;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What rdma-client and rdma-server share: the options, and the lines that begin and end their output. */
abstract class OneMessageCommand implements Callable<Integer> {
    @Option(names = "-p", paramLabel = "PORT", defaultValue = "7471", description = "The port of the connection"
            + " manager; default ${DEFAULT-VALUE}.")
    private String port;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    private final String program;

    /** Creates the command with the name of the C program, which begins its lines. */
    OneMessageCommand(String program) {
        this.program = program;
    }

    /** Returns the server's address as the option gives it. */
    abstract String address();

    /** Connects, and exchanges the messages. */
    abstract void exchange(RdmaContext context, InetSocketAddress server) throws InterruptedException;

    @Override
    public final Integer call() throws InterruptedException {
        int number;
        try {
            number = Numbers.read("-p", port, 1, Hosts.MAX_PORT);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println(program + ": start");
        int status = -1;
        InetSocketAddress server = new InetSocketAddress(Hosts.resolve("-s", address()), number);
        try (RdmaContext context = Devices.find(null).open()) {
            exchange(context, server);
            status = 0;
        } catch (CmException e) {
            throw new SampleFailure(e.getMessage());
        } finally {
            out.println(program + ": end " + status);
        }
        return ExitCode.OK;
    }
}
