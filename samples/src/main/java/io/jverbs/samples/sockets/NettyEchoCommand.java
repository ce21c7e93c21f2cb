package io.jverbs.samples.sockets;

import io.jverbs.samples.connect.Hosts;
import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.console.HelpOption;
import io.jverbs.samples.console.SampleFailure;
import io.jverbs.samples.nodes.AddressOptions;
import io.jverbs.samples.nodes.Endpoints;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Echoes messages with Netty, which knows nothing of RDMA. */
@Command(name = "netty-echo", description = "Measures round trips over RDMA between a client and an echo server of"
        + " Netty.")
public final class NettyEchoCommand implements Callable<Integer> {
    private static final int MAX_SIZE = 1 << 24;

    @Mixin
    private AddressOptions addresses;
    @Option(names = "-p", paramLabel = "PORT", defaultValue = "8007", description = "The port of the server; default"
            + " ${DEFAULT-VALUE}.")
    private String port;
    @Option(names = "-S", paramLabel = "BYTES", defaultValue = "64", description = "The length of a message of the"
            + " client; default ${DEFAULT-VALUE}.")
    private String size;
    @Option(names = "-C", paramLabel = "N", defaultValue = "10000", description = "The number of round trips of the"
            + " client; default ${DEFAULT-VALUE}.")
    private String count;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    /** Creates the command. */
    public NettyEchoCommand() {
        // picocli sets the options
    }

    @Override
    public Integer call() throws InterruptedException {
        NettyEcho echo;
        int number;
        try {
            echo = new NettyEcho(Numbers.readSize("-S", size, 1, MAX_SIZE),
                    Numbers.read("-C", count, 1, Integer.MAX_VALUE), spec.commandLine().getOut());
            number = Numbers.read("-p", port, 1, Hosts.MAX_PORT);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Endpoints endpoints = addresses.endpoints(number);
        RdmaProvider.install();
        try {
            if (endpoints.isClient()) {
                echo.measure(endpoints.server());
            } else {
                echo.serve(endpoints.local());
            }
        } catch (ExecutionException e) {
            throw new SampleFailure(String.valueOf(e.getCause().getMessage()));
        }
        return ExitCode.OK;
    }
}
