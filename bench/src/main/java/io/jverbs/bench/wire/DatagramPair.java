package io.jverbs.bench.wire;

import io.jverbs.bench.process.Sides;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/**
 * A UDP socket that exchanges datagrams with that of the other process, with the same system calls as the software
 * device.
 */
final class DatagramPair implements AutoCloseable {
    private static final int PORT = 4790;
    private static final int SOCKET_BUFFER = 4 << 20;

    private final DatagramChannel channel;
    private final SocketAddress peer;
    private final ByteBuffer out;
    private final ByteBuffer in;

    DatagramPair(Sides sides, int size) {
        try {
            channel = DatagramChannel.open(StandardProtocolFamily.INET);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER);
            channel.configureBlocking(false);
            channel.bind(new InetSocketAddress(sides.own(), PORT));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        peer = new InetSocketAddress(sides.other(), PORT);
        out = ByteBuffer.allocateDirect(size);
        in = ByteBuffer.allocateDirect(size);
    }

    void send(int size) throws IOException {
        channel.send(out.clear().limit(size), peer);
    }

    boolean receive() throws IOException {
        return channel.receive(in.clear()) != null;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
