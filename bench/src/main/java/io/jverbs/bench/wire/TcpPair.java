package io.jverbs.bench.wire;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** A TCP connection of two processes that spin. */
final class TcpPair implements AutoCloseable {
    private final SocketChannel channel;
    private final ByteBuffer out;
    private final ByteBuffer in;

    TcpPair(Sides sides, Line line, int size) throws IOException {
        out = ByteBuffer.allocateDirect(size);
        in = ByteBuffer.allocateDirect(size);
        if (sides.measures()) {
            try (ServerSocketChannel listener = ServerSocketChannel.open()
                    .bind(new InetSocketAddress(sides.own(), 0))) {
                line.exchange(((InetSocketAddress) listener.getLocalAddress()).getPort());
                channel = listener.accept();
            }
        } else {
            int port = (int) line.exchange(0)[0];
            channel = SocketChannel.open(new InetSocketAddress(sides.other(), port));
        }
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
    }

    /** Sends as many bytes as a message has. */
    void send() throws IOException {
        out.clear();
        while (out.hasRemaining()) {
            channel.write(out);
        }
    }

    /** Takes what has come of a message; whether that was its last byte. */
    boolean receive() throws IOException {
        if (channel.read(in) < 0) {
            throw new EOFException("the other process has closed the connection");
        }
        if (in.hasRemaining()) {
            return false;
        }
        in.clear();
        return true;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
