package io.jverbs.samples.rdmacm;

import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.nodes.Transfer;
import picocli.CommandLine.Option;

/** The options that ucmatose and udaddy share, but for the addresses. */
final class TransferOptions {
    /** Stands for a number whose option is not given. */
    static final int NOT_GIVEN = -1;
    private static final int MAX_BYTE = 255;

    @Option(names = "-c", paramLabel = "N", defaultValue = "1", description = "The number of connections; default"
            + " ${DEFAULT-VALUE}. Both sides need the same.")
    private String connections;
    @Option(names = "-C", paramLabel = "N", defaultValue = "10", description = "The number of messages of each"
            + " connection in each direction; default ${DEFAULT-VALUE}. Both sides need the same.")
    private String messages;
    @Option(names = "-S", paramLabel = "BYTES", defaultValue = "100", description = "The length of a message; default"
            + " ${DEFAULT-VALUE}. Both sides need the same.")
    private String size;
    @Option(names = "-t", paramLabel = "TOS", description = "The type of service: the traffic class of the client's"
            + " packets.")
    private String typeOfService;

    Transfer transfer() {
        return Transfer.parse(connections, messages, size);
    }

    /** Returns the type of service, or {@link #NOT_GIVEN}. */
    int typeOfService() {
        return typeOfService == null ? NOT_GIVEN : Numbers.read("-t", typeOfService, 0, MAX_BYTE);
    }
}
