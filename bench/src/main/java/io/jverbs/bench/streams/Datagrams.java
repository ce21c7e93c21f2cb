package io.jverbs.bench.streams;

import io.jverbs.rsocket.datagram.RdmaDatagramSocket;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/** Datagrams of a connected socket. One that is lost is not sent again: the thread waits until JMH interrupts it. */
abstract sealed class Datagrams implements Messages {
    /** What is sent. */
    protected final ByteBuffer out;
    /** What is received. */
    protected final ByteBuffer in;

    private Datagrams(int bytes) {
        out = ByteBuffer.allocateDirect(bytes);
        in = ByteBuffer.allocateDirect(bytes);
    }

    /** Over RDMA. */
    static final class Rdma extends Datagrams {
        private final RdmaDatagramSocket socket;

        Rdma(RdmaDatagramSocket socket, int bytes) {
            super(bytes);
            this.socket = socket;
        }

        @Override
        public void send() throws IOException {
            try {
                socket.send(out.clear());
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
        }

        @Override
        public void receive() throws IOException {
            try {
                socket.receive(in.clear());
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
        }

        private static IOException interrupted(InterruptedException e) {
            Thread.currentThread().interrupt();
            return (IOException) new InterruptedIOException("interrupted while a datagram is awaited").initCause(e);
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    /** Over a channel in blocking mode. */
    static final class OfChannel extends Datagrams {
        private final DatagramChannel channel;

        OfChannel(DatagramChannel channel, int bytes) {
            super(bytes);
            this.channel = channel;
        }

        @Override
        public void send() throws IOException {
            channel.write(out.clear());
        }

        @Override
        public void receive() throws IOException {
            channel.read(in.clear());
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
