package io.jverbs.samples.rdmacm;

import io.jverbs.samples.connect.Numbers;
import io.jverbs.samples.nodes.Transfer;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The options that ucmatose and udaddy share, but for the addresses. */
final class TransferOptions {
    /** Stands for a number whose option is not given. */
    static final int NOT_GIVEN = -1;
    private static final int MAX_BYTE = 255;

    @Option(names = "-f", paramLabel = "FORMAT", defaultValue = "name", description = "The format of the addresses:"
            + " name, ip or ipv6; default ${DEFAULT-VALUE}. ip and ipv6 refuse names of hosts.")
    private String format;
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

    /** Refuses an unknown format, and names of hosts if the format does not allow these. */
    void checkFormat(AddressOptions addresses) {
        switch (format.toLowerCase(Locale.ROOT)) {
            case "name" -> {
                // a name or a numeric address
            }
            case "ip", "ipv6" -> {
                if (addresses.hasName()) {
                    throw new IllegalArgumentException("-f " + format + " needs numeric addresses; -f name allows"
                            + " names of hosts");
                }
            }
            case "gid" -> throw new IllegalArgumentException("-f gid is not supported, since an ID has an IP address;"
                    + " allowed are name, ip, ipv6");
            default -> throw new IllegalArgumentException("-f " + format + " is not a format; allowed are name, ip,"
                    + " ipv6");
        }
    }
}
