package io.jverbs.samples.connect;

import io.jverbs.samples.console.SampleFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Opens the TCP connection over which two programs exchange the addresses of their queue pairs. */
public final class Tcp {
    private Tcp() {}

    /**
     * Connects to a server. Tries all addresses of the host in order.
     *
     * @param host the name or address of the server's host
     * @param port the server's TCP port
     * @return the connection
     * @throws SampleFailure if the host is unknown, or if no address accepts the connection
     * @throws IOException if no socket can be opened
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
                + "): start the server first, on that host and with the same --port.");
    }

    /**
     * Resolves the name of a host.
     *
     * @param host the name or address
     * @return its addresses, at least one
     * @throws SampleFailure if the host is unknown
     */
    public static InetAddress[] resolve(String host) {
        try {
            return InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new SampleFailure(
                    "HOST " + host + ": there is no such host; allowed are names and addresses of hosts;"
                            + " see docs/tools.md.");
        }
    }

    /**
     * Opens a listening socket with a backlog of one client.
     *
     * @param address the address to listen on; port 0 for any free port
     * @return the listening socket
     * @throws SampleFailure if the address cannot be bound
     * @throws IOException if no socket can be opened
     */
    public static ServerSocketChannel listen(InetSocketAddress address) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        try {
            return server.bind(address, 1);
        } catch (IOException e) {
            server.close();
            throw new SampleFailure("cannot listen on TCP port " + address.getPort() + ": " + e.getMessage() + ".");
        }
    }

    /**
     * Listens on a port of all local addresses until one client has connected.
     *
     * @param port the TCP port to listen on
     * @return the connection
     * @throws SampleFailure if the port cannot be bound
     * @throws IOException if accepting the connection fails
     */
    public static SocketChannel accept(int port) throws IOException {
        try (ServerSocketChannel server = listen(new InetSocketAddress(port))) {
            return server.accept();
        }
    }
}
