package io.jverbs.samples.nodes;

import io.jverbs.samples.connect.Hosts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import picocli.CommandLine.Option;

/** The options for addresses. The server's address makes a program the client. */
public final class AddressOptions {
    @Option(names = "-s", paramLabel = "ADDRESS", description = "The server's address: runs as the client; without it,"
            + " as the server.")
    private String server;
    @Option(names = "-b", paramLabel = "ADDRESS", description = "The local address; by default the server listens at"
            + " all addresses of the device, and the client uses the one from which it reaches the server.")
    private String local;

    /** Creates the options. */
    public AddressOptions() {
        // picocli sets the options
    }

    /**
     * Returns the addresses of this side.
     *
     * @param port the server's port
     * @return the addresses
     * @throws io.jverbs.samples.console.SampleFailure if there is no such host
     */
    public Endpoints endpoints(int port) {
        if (server == null) {
            return new Endpoints(null, new InetSocketAddress(Hosts.resolve("-b", local), port));
        }
        return new Endpoints(new InetSocketAddress(Hosts.resolve("-s", server), port),
                local == null ? null : new InetSocketAddress(Hosts.resolve("-b", local), 0));
    }

    /** Returns whether an address is not numeric. */
    boolean hasName() {
        return isName(server) || isName(local);
    }

    private static boolean isName(String host) {
        if (host == null) {
            return false;
        }
        try {
            InetAddress.ofLiteral(host);
            return false;
        } catch (IllegalArgumentException e) {
            return true;
        }
    }
}
