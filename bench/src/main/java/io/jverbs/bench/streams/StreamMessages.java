package io.jverbs.bench.streams;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Messages on a channel, in blocking or non-blocking mode. Not thread-safe. */
final class StreamMessages implements Messages {
    private final SocketChannel channel;
    private final ByteBuffer out;
    private final ByteBuffer in;

    StreamMessages(SocketChannel channel, int bytes) {
        this.channel = channel;
        out = ByteBuffer.allocateDirect(bytes);
        in = ByteBuffer.allocateDirect(bytes);
    }

    /** Sends a message. In non-blocking mode, it must fit into the buffers of the connection. */
    @Override
    public void send() throws IOException {
        out.clear();
        while (out.hasRemaining()) {
            channel.write(out);
        }
    }

    /** Receives a message, in blocking mode. */
    @Override
    public void receive() throws IOException {
        while (!tryReceive()) {
            // the rest of the message
        }
    }

    /** Receives bytes of a message; returns whether the message is complete. */
    boolean tryReceive() throws IOException {
        if (channel.read(in) < 0) {
            throw new EOFException("the other side has closed the connection");
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
