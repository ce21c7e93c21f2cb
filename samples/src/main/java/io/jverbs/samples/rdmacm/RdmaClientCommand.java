package io.jverbs.samples.rdmacm;

import io.jverbs.RdmaContext;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.cm.SynchronousCmId;
import java.net.InetSocketAddress;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Connects, and exchanges one message with the server. Interoperates with {@code rdma_client}. */
@Command(name = "rdma-client", exitCodeOnInvalidInput = 1, description = "Connects, and exchanges one message with"
        + " the server; interoperates with rdma_client.")
public final class RdmaClientCommand extends OneMessageCommand {
    private static final Duration RESOLVE = Duration.ofSeconds(2);

    @Option(names = "-s", paramLabel = "ADDRESS", defaultValue = "127.0.0.1", description = "The server's address;"
            + " default ${DEFAULT-VALUE}.")
    private String address;

    /** Creates the command. */
    public RdmaClientCommand() {
        super("rdma_client");
    }

    @Override
    String address() {
        return address;
    }

    @Override
    void exchange(RdmaContext context, InetSocketAddress server) throws InterruptedException {
        try (SynchronousCmId id = SynchronousCmId.create(context, PortSpace.TCP)) {
            id.resolve(server, RESOLVE);
            try (MessageConnection connection = new MessageConnection(id)) {
                id.connect(ConnectionParameters.DEFAULT);
                connection.send();
                connection.receive();
                connection.disconnect();
            }
        }
    }
}
