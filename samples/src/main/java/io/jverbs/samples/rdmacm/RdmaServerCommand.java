package io.jverbs.samples.rdmacm;

import io.jverbs.RdmaContext;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.cm.SynchronousCmId;
import java.net.InetSocketAddress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Listens, and exchanges one message with one client. Interoperates with {@code rdma_server}. */
@Command(name = "rdma-server", exitCodeOnInvalidInput = 1, description = "Listens, and exchanges one message with"
        + " one client; interoperates with rdma_server.")
public final class RdmaServerCommand extends OneMessageCommand {
    @Option(names = "-s", paramLabel = "ADDRESS", defaultValue = "0.0.0.0", description = "The address at which"
            + " it listens; default ${DEFAULT-VALUE}.")
    private String address;

    /** Creates the command. */
    public RdmaServerCommand() {
        super("rdma_server");
    }

    @Override
    String address() {
        return address;
    }

    @Override
    void exchange(RdmaContext context, InetSocketAddress server) throws InterruptedException {
        try (SynchronousCmId listener = SynchronousCmId.create(context, PortSpace.TCP)) {
            listener.bind(server);
            listener.listen(0);
            SynchronousCmId id = listener.getRequest();
            try (MessageConnection connection = new MessageConnection(id)) {
                id.accept(ConnectionParameters.DEFAULT);
                connection.receive();
                connection.send();
                connection.disconnect();
            }
        }
    }
}
