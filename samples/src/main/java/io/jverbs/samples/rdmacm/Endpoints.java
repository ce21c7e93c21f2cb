package io.jverbs.samples.rdmacm;

import java.net.InetSocketAddress;

/**
 * The addresses of one side.
 *
 * @param server the server to connect to; null on the server
 * @param local the address at which the server listens, or from which the client connects, null for any
 */
record Endpoints(InetSocketAddress server, InetSocketAddress local) {
    boolean isClient() {
        return server != null;
    }
}
