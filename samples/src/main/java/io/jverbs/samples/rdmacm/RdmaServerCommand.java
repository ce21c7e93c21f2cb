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
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Listens, and exchanges one message with one client. Interoperates with {@code rdma_server}. */
@Command(name = "rdma-server", exitCodeOnInvalidInput = 1, description = "Listens, and exchanges one message with"
        + " one client; interoperates with rdma_server.")
public final class RdmaServerCommand implements Callable<Integer> {

    @Option(names = "-s", paramLabel = "ADDRESS", defaultValue = "0.0.0.0", description = "The address at which"
            + " it listens; default ${DEFAULT-VALUE}.")
    private String address;
    @Option(names = "-p", paramLabel = "PORT", defaultValue = "7471", description = "The port of the connection"
            + " manager; default ${DEFAULT-VALUE}.")
    private String port;
    @Mixin
    private HelpOption help;
    @Spec
    private CommandSpec spec;

    /** Creates the command. */
    public RdmaServerCommand() {
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
        out.println("rdma_server: start");
        int status = -1;
        InetSocketAddress server = new InetSocketAddress(Hosts.resolve("-s", address), number);
        try (RdmaContext context = Devices.find(null).open()) {
            exchange(context, server);
            status = 0;
        } catch (CmException e) {
            throw new SampleFailure(e.getMessage());
        } finally {
            out.println("rdma_server: end " + status);
        }
        return ExitCode.OK;
    }

    private static void exchange(RdmaContext context, InetSocketAddress server) throws InterruptedException {
        try (SynchronousCmId listener = SynchronousCmId.create(context, PortSpace.TCP)) {
            listener.bind(server);
            listener.listen(0);
            SynchronousCmId id = listener.getRequest();
            try (MessageConnection connection = new MessageConnection(id)) {
                id.accept(ConnectionParameters.DEFAULT);
                connection.receive();
                connection.send();
                id.disconnect();
            }
        }
    }
}
