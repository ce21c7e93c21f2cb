package io.jverbs.bench.wire;

import io.jverbs.bench.process.ControlConnection;
import io.jverbs.bench.process.Sides;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** One end of a non-blocking TCP connection between the two processes. */
final class TcpPair implements AutoCloseable {
    private final SocketChannel channel;
    private final ByteBuffer out;
    private final ByteBuffer in;

    TcpPair(Sides sides, ControlConnection control, int size) throws IOException {
        out = ByteBuffer.allocateDirect(size);
        in = ByteBuffer.allocateDirect(size);
        if (sides.measures()) {
            try (ServerSocketChannel listener = ServerSocketChannel.open()
                    .bind(new InetSocketAddress(sides.own(), 0))) {
                control.exchange(((InetSocketAddress) listener.getLocalAddress()).getPort());
                channel = listener.accept();
            }
        } else {
            int port = (int) control.exchange(0)[0];
            channel = SocketChannel.open(new InetSocketAddress(sides.other(), port));
        }
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
    }

    /** Sends a message. */
    void send() throws IOException {
        out.clear();
        while (out.hasRemaining()) {
            channel.write(out);
        }
    }

    /** Reads the available bytes of a message; returns whether the message is complete. */
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
