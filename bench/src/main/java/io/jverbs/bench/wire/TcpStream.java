package io.jverbs.bench.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** TCP in one direction, messages of one size written and read with direct buffers of that size; blocking. */
final class TcpStream implements Contest {
    private static final int PORT = 4789;
    private static final double MEGA = 1e6;

    private final Sides sides;
    private final SocketChannel channel;
    private final ByteBuffer message;
    private final int messages;

    TcpStream(Sides sides, Line line, int size, int messages) throws IOException {
        this.sides = sides;
        this.messages = messages;
        this.message = ByteBuffer.allocateDirect(size);
        if (sides.measures()) {
            line.meet();
            channel = SocketChannel.open(new InetSocketAddress(sides.other(), PORT));
        } else {
            try (ServerSocketChannel listener = ServerSocketChannel.open()) {
                listener.bind(new InetSocketAddress(sides.own(), PORT));
                line.meet();
                channel = listener.accept();
            }
        }
    }

    @Override
    public double round() throws IOException {
        long start = System.nanoTime();
        for (int i = 0; i < messages; i++) {
            message.clear();
            while (message.hasRemaining()) {
                if (sides.measures()) {
                    channel.write(message);
                } else if (channel.read(message) < 0) {
                    throw new IOException("the other side has closed");
                }
            }
        }
        if (sides.measures()) {
            channel.read(message.clear().limit(1));
        } else {
            channel.write(message.clear().limit(1));
        }
        return (double) message.capacity() * messages / ((System.nanoTime() - start) / 1e9) / MEGA;
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
