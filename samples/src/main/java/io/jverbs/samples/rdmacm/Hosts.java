package io.jverbs.samples.rdmacm;

import io.jverbs.samples.console.SampleFailure;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Resolves the addresses that options give. */
final class Hosts {
    /** The largest port. */
    static final int MAX_PORT = 65_535;

    private Hosts() {}

    /** Returns the address of a host, or the wildcard address if the option is not given. */
    static InetAddress resolve(String option, String host) {
        try {
            return host == null ? new InetSocketAddress(0).getAddress() : InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new SampleFailure(option + " " + host + ": there is no such host");
        }
    }
}
