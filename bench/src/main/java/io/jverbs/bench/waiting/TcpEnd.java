package io.jverbs.bench.waiting;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * An end of a TCP connection in blocking mode, without Nagle's algorithm. A read has no timeout, which would cost more
 * system calls: TCP loses no message, the system closes the connections of a process that has ended, and JMH interrupts
 * a benchmark that hangs.
 */
final class TcpEnd implements ConnectionEnd {
    private final SocketChannel channel;
    private final ByteBuffer out;
    private final ByteBuffer in;

    TcpEnd(SocketChannel channel, int bytes) throws IOException {
        this.channel = channel;
        out = ByteBuffer.allocateDirect(bytes);
        in = ByteBuffer.allocateDirect(bytes);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    @Override
    public void request() throws IOException {
        send();
        receive();
    }

    @Override
    public void respond() throws IOException {
        receive();
        send();
    }

    private void send() throws IOException {
        out.clear();
        while (out.hasRemaining()) {
            channel.write(out);
        }
    }

    private void receive() throws IOException {
        in.clear();
        while (in.hasRemaining()) {
            if (channel.read(in) < 0) {
                throw new EOFException("the other process has closed the connection");
            }
        }
    }
}
