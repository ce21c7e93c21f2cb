package io.jverbs.samples.connect;

import io.jverbs.samples.SampleFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** The TCP connection over which two programs tell each other how to reach their queue pairs. */
public final class Tcp {
    private Tcp() {}

    /**
     * Connects to a server at the first of its addresses at which somebody listens.
     *
     * @param host its name or address
     * @param port its TCP port
     * @return the connection
     * @throws SampleFailure if there is no such host, or nobody listens there
     * @throws IOException if no socket can be had
     */
    public static SocketChannel connect(String host, int port) throws IOException {
        IOException reason = null;
        for (InetAddress address : resolve(host)) {
            SocketChannel channel = SocketChannel.open();
            try {
                channel.connect(new InetSocketAddress(address, port));
                return channel;
            } catch (IOException e) {
                channel.close();
                reason = e;
            }
        }
        throw new SampleFailure("no connection to " + host + ":" + port + " (" + reason.getMessage()
                + "): start the server first, there and with the same port.");
    }

    private static InetAddress[] resolve(String host) {
        try {
            return InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new SampleFailure("there is no host \"" + host + "\".");
        }
    }

    /**
     * Listens.
     *
     * @param address where; port 0 for a port that is free
     * @return the listening socket, on which one client may wait
     * @throws SampleFailure if nothing can listen there
     * @throws IOException if no socket can be had
     */
    public static ServerSocketChannel listen(InetSocketAddress address) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        try {
            return server.bind(address, 1);
        } catch (IOException e) {
            server.close();
            throw new SampleFailure("nothing can listen on TCP port " + address.getPort() + ": " + e.getMessage()
                    + ".");
        }
    }

    /**
     * Waits for one client.
     *
     * @param port the TCP port to listen on
     * @return the connection
     * @throws SampleFailure if nothing can listen there
     * @throws IOException if the wait ends with nobody
     */
    public static SocketChannel accept(int port) throws IOException {
        try (ServerSocketChannel server = listen(new InetSocketAddress(port))) {
            return server.accept();
        }
    }
}
