package io.jverbs.samples.rdmacm;

import io.jverbs.RdmaContext;
import io.jverbs.samples.connect.Devices;
import io.jverbs.samples.connect.Hosts;
import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.console.HelpOption;
import io.jverbs.samples.console.UsageFailure;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Pings over the connection manager. Interoperates with {@code rping}. */
@Command(name = "rping", exitCodeOnInvalidInput = 1, description = "Connects by address, and pings with READ and WRITE;"
        + " interoperates with rping.")
public final class RpingCommand implements Callable<Integer> {
    private static final int MIN_SIZE = 23;
    private static final int MAX_SIZE = 64 * 1024 - 1;

    @Option(names = "-s", description = "Runs as the server.")
    private boolean server;
    @Option(names = "-c", description = "Runs as the client.")
    private boolean client;
    @Option(names = "-a", paramLabel = "ADDRESS", description = "The server's address: the client connects to it, the"
            + " server listens at it, by default at all addresses of the device.")
    private String address;
    @Option(names = "-I", paramLabel = "ADDRESS", description = "The client's local address; by default the one from"
            + " which it reaches the server.")
    private String source;
    @Option(names = "-p", paramLabel = "PORT", defaultValue = "7174", description = "The port of the connection"
            + " manager; default ${DEFAULT-VALUE}.")
    private String port;
    @Option(names = "-S", paramLabel = "BYTES", defaultValue = "64", description = "The length of the data; default"
            + " ${DEFAULT-VALUE}.")
    private String size;
    @Option(names = "-C", paramLabel = "N", defaultValue = "0", description = "The number of pings of the client;"
            + " default ${DEFAULT-VALUE}, which is any number.")
    private String count;
    @Option(names = "-v", description = "Prints the data.")
    private boolean verbose;
    @Option(names = "-V", description = "Compares the data.")
    private boolean validate;
    @Option(names = "-d", description = "Prints the events of the connection manager, the completions and the steps.")
    private boolean debug;
    @Option(names = "-P", description = "Serves any number of clients, also at the same time.")
    private boolean persistent;
    @Option(names = "-q", description = "Creates the queue pairs and moves them to their states itself, without"
            + " rdma_cm.")
    private boolean ownQueuePair;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    /** Creates the command. */
    public RpingCommand() {
        // picocli sets the options
    }

    @Override
    public Integer call() throws InterruptedException {
        Rping rping;
        int number;
        try {
            rping = rping();
            number = Numbers.read("-p", port, 1, Hosts.MAX_PORT);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        if (server == client) {
            throw new UsageFailure("give either -s, for the server, or -c, for the client.");
        }
        if (client && address == null) {
            throw new UsageFailure("-c needs the server's address: -a ADDRESS.");
        }
        if (server && source != null) {
            throw new UsageFailure("-I is not applicable with -s, which listens at the address of -a.");
        }
        InetSocketAddress at = new InetSocketAddress(Hosts.resolve("-a", address), number);
        InetSocketAddress from = source == null ? null : new InetSocketAddress(Hosts.resolve("-I", source), 0);
        try (RdmaContext context = Devices.find(null).open()) {
            if (client) {
                rping.client(context, from, at);
            } else {
                rping.server(context, at, persistent);
            }
        }
        return ExitCode.OK;
    }

    private Rping rping() {
        return new Rping(Numbers.read("-S", size, MIN_SIZE, MAX_SIZE),
                Numbers.read("-C", count, 0, Integer.MAX_VALUE), validate, ownQueuePair,
                new RpingOutput(spec.commandLine().getOut(), verbose, debug));
    }
}
