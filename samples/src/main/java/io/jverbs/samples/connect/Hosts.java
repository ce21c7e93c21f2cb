package io.jverbs.samples.connect;

import io.jverbs.samples.console.SampleFailure;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Resolves the addresses that options give. */
public final class Hosts {
    /** The largest port. */
    public static final int MAX_PORT = 65_535;

    private Hosts() {}

    /**
     * Resolves the address of a host.
     *
     * @param option the option's name, for the message
     * @param host the name or address that the option gives; null if it is not given
     * @return the address, or the wildcard address if the option is not given
     * @throws SampleFailure if there is no such host
     */
    public static InetAddress resolve(String option, String host) {
        if (host != null && host.isEmpty()) {
            // the JDK takes it for the loopback address
            throw new SampleFailure(option + " is empty; allowed are names and addresses of hosts; see docs/tools.md");
        }
        try {
            return host == null ? new InetSocketAddress(0).getAddress() : InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new SampleFailure(option + " " + host + ": there is no such host; allowed are names and addresses of"
                    + " hosts; see docs/tools.md");
        }
    }
}
