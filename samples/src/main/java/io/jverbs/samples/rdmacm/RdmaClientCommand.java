package io.jverbs.samples.rdmacm;

import io.jverbs.RdmaContext;
import io.jverbs.cm.CmException;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.cm.SynchronousCmId;
import io.jverbs.samples.connect.Devices;
import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.console.HelpOption;
import io.jverbs.samples.console.SampleFailure;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Connects, and exchanges one message with the server. Interoperates with {@code rdma_client}. */
@Command(name = "rdma-client", exitCodeOnInvalidInput = 1, description = "Connects, and exchanges one message with"
        + " the server; interoperates with rdma_client.")
public final class RdmaClientCommand implements Callable<Integer> {
    private static final Duration RESOLVE = Duration.ofSeconds(2);

    @Option(names = "-s", paramLabel = "ADDRESS", defaultValue = "127.0.0.1", description = "The server's address;"
            + " default ${DEFAULT-VALUE}.")
    private String address;
    @Option(names = "-p", paramLabel = "PORT", defaultValue = "7471", description = "The port of the connection"
            + " manager; default ${DEFAULT-VALUE}.")
    private String port;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    /** Creates the command. */
    public RdmaClientCommand() {
        // picocli sets the options
    }

    @Override
    public Integer call() throws InterruptedException {
        int number;
        try {
            number = Numbers.read("-p", port, 1, Hosts.MAX_PORT);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println("rdma_client: start");
        int status = -1;
        InetSocketAddress server = new InetSocketAddress(Hosts.resolve("-s", address), number);
        try (RdmaContext context = Devices.find(null).open()) {
            exchange(context, server);
            status = 0;
        } catch (CmException e) {
            throw new SampleFailure(e.getMessage());
        } finally {
            out.println("rdma_client: end " + status);
        }
        return ExitCode.OK;
    }

    private static void exchange(RdmaContext context, InetSocketAddress server) throws InterruptedException {
        try (SynchronousCmId id = SynchronousCmId.create(context, PortSpace.TCP)) {
            id.resolve(server, RESOLVE);
            try (MessageConnection connection = new MessageConnection(id)) {
                id.connect(ConnectionParameters.DEFAULT);
                connection.send();
                connection.receive();
                id.disconnect();
            }
        }
    }
}
