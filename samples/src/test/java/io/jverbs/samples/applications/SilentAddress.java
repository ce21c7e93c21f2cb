package io.jverbs.samples.applications;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/**
 * A loopback address at which attempts to connect stay pending: nobody reads the datagrams of the connection manager,
 * and the queue of a TCP listener is full.
 */
final class SilentAddress implements AutoCloseable {
    private static final int ROCE_PORT = 4791;
    private static final int TIMEOUT_MILLIS = 200;
    private static final int MAX_QUEUED = 8;

    private final ServerSocket listener;
    private final DatagramSocket datagrams;
    private final List<Socket> queued = new ArrayList<>();

    private SilentAddress(ServerSocket listener, DatagramSocket datagrams) {
        this.listener = listener;
        this.datagrams = datagrams;
    }

    static SilentAddress open(String host) throws IOException {
        InetAddress address = InetAddress.getByName(host);
        SilentAddress opened = new SilentAddress(new ServerSocket(0, 1, address),
                new DatagramSocket(ROCE_PORT, address));
        opened.fill();
        return opened;
    }

    private void fill() throws IOException {
        for (int i = 0; i < MAX_QUEUED; i++) {
            Socket socket = new Socket();
            queued.add(socket);
            try {
                socket.connect(new InetSocketAddress(host(), port()), TIMEOUT_MILLIS);
            } catch (SocketTimeoutException e) {
                return;
            }
        }
        throw new IOException("the queue of " + listener + " has no limit");
    }

    String host() {
        return listener.getInetAddress().getHostAddress();
    }

    int port() {
        return listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : queued) {
            socket.close();
        }
        datagrams.close();
        listener.close();
    }
}
