package io.jverbs.samples.nodes;

import java.net.InetSocketAddress;

/**
 * The addresses of one side.
 *
 * @param server the server to connect to; null on the server
 * @param local the address at which the server listens, or from which the client connects, null for any
 */
public record Endpoints(InetSocketAddress server, InetSocketAddress local) {
    /** {@return whether this is the client} */
    public boolean isClient() {
        return server != null;
    }
}
