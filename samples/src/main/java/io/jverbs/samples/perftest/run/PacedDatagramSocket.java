package io.jverbs.samples.perftest.run;

import io.jverbs.samples.connect.SpinWait;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;

/**
 * A connected UDP socket with flow control: no more data is in flight than the receive buffer of the peer's socket
 * holds. Not thread-safe.
 */
final class PacedDatagramSocket implements AutoCloseable {
    private static final int SOCKET_BUFFER = 4 << 20;
    /** The number of bytes, and of datagrams, after which the receiver acknowledges. Twice as many may be in flight. */
    private static final int ACKNOWLEDGED_BYTES = 1 << 16;
    private static final int ACKNOWLEDGED_DATAGRAMS = 12;

    private final DatagramChannel channel;
    private final int maxDatagram;
    private final Duration timeout;
    private final ByteBuffer out;
    private final ByteBuffer in;
    private final SpinWait wait = new SpinWait(SpinWait.SYSTEM_CALLS);

    PacedDatagramSocket(InetSocketAddress own, InetSocketAddress peer, int maxDatagram, Duration timeout)
            throws IOException {
        this.maxDatagram = maxDatagram;
        this.timeout = timeout;
        this.out = ByteBuffer.allocateDirect(maxDatagram);
        this.in = ByteBuffer.allocateDirect(maxDatagram);
        this.channel = DatagramChannel.open(own.getAddress() instanceof Inet4Address
                ? StandardProtocolFamily.INET
                : StandardProtocolFamily.INET6);
        try {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER);
            channel.configureBlocking(false);
            channel.bind(own);
            channel.connect(peer);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Sends messages of a size; returns false if an acknowledgement did not arrive within the timeout. */
    boolean send(int size, int messages) throws IOException {
        int each = datagrams(size);
        int half = half(size);
        int count = each * messages;
        int acknowledged = 0;
        for (int i = 0; i < count; i++) {
            if (i - acknowledged >= 2 * half) {
                if (!await()) {
                    return false;
                }
                acknowledged += half;
            }
            int length = i % each == each - 1 ? size - (each - 1) * maxDatagram : maxDatagram;
            while (channel.write(out.clear().limit(length)) == 0) {
                Thread.onSpinWait();
            }
        }
        for (; acknowledged < (count - 1) / half * half; acknowledged += half) {
            if (!await()) {
                return false;
            }
        }
        return true;
    }

    /** Receives messages of a size; returns false if a datagram did not arrive within the timeout. */
    boolean receive(int size, int messages) throws IOException {
        int half = half(size);
        int count = datagrams(size) * messages;
        for (int i = 1; i <= count; i++) {
            if (!await()) {
                return false;
            }
            // The last datagram is acknowledged by the message that follows.
            if (i % half == 0 && i < count) {
                channel.write(out.clear().limit(1));
            }
        }
        return true;
    }

    private int datagrams(int size) {
        return (int) ((size + maxDatagram - 1L) / maxDatagram);
    }

    /** {@return the number of datagrams that are acknowledged together: half of those that may be in flight} */
    private int half(int size) {
        return Math.clamp(ACKNOWLEDGED_BYTES / Math.min(size, maxDatagram), 1, ACKNOWLEDGED_DATAGRAMS);
    }

    private boolean await() throws IOException {
        long deadline = 0;
        wait.begin();
        while (channel.read(in.clear()) == 0) {
            if (wait.idle()) {
                long now = System.nanoTime();
                if (deadline == 0) {
                    deadline = now + timeout.toNanos();
                } else if (now - deadline > 0) {
                    return false;
                }
            }
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
