package io.jverbs.samples.udpong;

import io.jverbs.RdmaContext;
import io.jverbs.rsocket.datagram.RdmaDatagramOptions;
import io.jverbs.rsocket.datagram.RdmaDatagramSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;

/** Sends and receives datagrams. The methods whose names begin with try do not wait. */
sealed interface MessageSocket extends AutoCloseable {
    /** Returns the maximum number of bytes of a datagram. */
    int maxPayload(InetSocketAddress to);

    /** Sends a datagram; returns false if there is no room for it. */
    boolean trySend(ByteBuffer from, InetSocketAddress to) throws IOException;

    /** Receives a datagram that has arrived; returns its sender, or null. */
    InetSocketAddress tryReceive(ByteBuffer into) throws IOException;

    /** Waits until a datagram has arrived, or the time has passed. */
    void awaitReadable(Duration timeout) throws IOException, InterruptedException;

    /** Waits until a datagram can be sent, or the time has passed. */
    void awaitWritable(Duration timeout) throws IOException, InterruptedException;

    @Override
    void close() throws IOException;

    /** Opens a socket for datagrams over RDMA, with buffers of a size. */
    static MessageSocket rdma(RdmaContext context, InetSocketAddress local, int bufferSize) throws IOException {
        int queue = Math.max(Rdma.MIN_QUEUE, bufferSize / Rdma.BYTES_PER_DATAGRAM);
        return new Rdma(RdmaDatagramSocket.open(context, local == null ? new InetSocketAddress(0) : local,
                RdmaDatagramOptions.DEFAULT.withSendQueueSize(queue).withReceiveQueueSize(queue)));
    }

    /** Opens a UDP socket, with buffers of a size. */
    static MessageSocket udp(InetSocketAddress local, int bufferSize) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        boolean isOpen = false;
        try {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, bufferSize);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, bufferSize);
            channel.bind(local);
            channel.configureBlocking(false);
            Selector selector = channel.provider().openSelector();
            Udp made = new Udp(channel, selector, channel.register(selector, 0));
            isOpen = true;
            return made;
        } finally {
            if (!isOpen) {
                channel.close();
            }
        }
    }

    /** Datagrams over RDMA. */
    record Rdma(RdmaDatagramSocket socket) implements MessageSocket {
        private static final int MIN_QUEUE = 16;
        private static final int BYTES_PER_DATAGRAM = 2048;

        @Override
        public int maxPayload(InetSocketAddress to) {
            return socket.maxPayload(to);
        }

        @Override
        public boolean trySend(ByteBuffer from, InetSocketAddress to) throws IOException {
            return socket.trySend(from, to);
        }

        @Override
        public InetSocketAddress tryReceive(ByteBuffer into) throws IOException {
            return socket.tryReceive(into);
        }

        @Override
        public void awaitReadable(Duration timeout) throws InterruptedException {
            socket.awaitReadable(timeout);
        }

        @Override
        public void awaitWritable(Duration timeout) throws InterruptedException {
            socket.awaitWritable(timeout);
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    /** UDP. */
    record Udp(DatagramChannel channel, Selector selector, SelectionKey key) implements MessageSocket {
        private static final int MAX_PAYLOAD = 65_507;

        @Override
        public int maxPayload(InetSocketAddress to) {
            return MAX_PAYLOAD;
        }

        @Override
        public boolean trySend(ByteBuffer from, InetSocketAddress to) throws IOException {
            return channel.send(from, to) > 0;
        }

        @Override
        public InetSocketAddress tryReceive(ByteBuffer into) throws IOException {
            return (InetSocketAddress) channel.receive(into);
        }

        @Override
        public void awaitReadable(Duration timeout) throws IOException, InterruptedException {
            await(SelectionKey.OP_READ, timeout);
        }

        @Override
        public void awaitWritable(Duration timeout) throws IOException, InterruptedException {
            await(SelectionKey.OP_WRITE, timeout);
        }

        private void await(int operation, Duration timeout) throws IOException, InterruptedException {
            key.interestOps(operation);
            selector.selectedKeys().clear();
            if (timeout.isZero()) {
                selector.selectNow();
            } else {
                selector.select(timeout.toMillis());
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }

        @Override
        public void close() throws IOException {
            selector.close();
            channel.close();
        }
    }
}
