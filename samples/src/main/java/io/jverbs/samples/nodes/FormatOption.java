package io.jverbs.samples.nodes;

import java.util.Locale;
import picocli.CommandLine.Option;

/** The option for the format of the addresses. */
public final class FormatOption {
    @Option(names = "-f", paramLabel = "FORMAT", defaultValue = "name", description = "The format of the addresses:"
            + " name, ip or ipv6; default ${DEFAULT-VALUE}. ip and ipv6 refuse names of hosts.")
    private String format;

    /** Creates the option. */
    public FormatOption() {
        // picocli sets the option
    }

    /**
     * Refuses an unknown format, and names of hosts if the format does not allow these.
     *
     * @param addresses the addresses
     * @throws IllegalArgumentException if the format is unknown, or an address has another one
     */
    public void check(AddressOptions addresses) {
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
