package io.jverbs.samples.connect;

import io.jverbs.samples.console.SampleFailure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import jdk.net.ExtendedSocketOptions;

/**
 * Messages over TCP. Each is written with one call, since the C programs read each with one call. Not
 * thread-safe.
 */
public final class TcpMessageChannel implements MessageChannel {
    private static final int BUFFER = 4096;
    private static final int MAX_KEEPALIVE_SECONDS = 32_767;
    private static final List<SocketOption<Integer>> KEEPALIVE = List.of(ExtendedSocketOptions.TCP_KEEPIDLE,
            ExtendedSocketOptions.TCP_KEEPINTERVAL);

    private final SocketChannel channel;
    private final InetSocketAddress own;
    private final InetSocketAddress peer;
    private final Selector selector;
    private final ByteBuffer in = ByteBuffer.allocate(BUFFER);
    private boolean peerGone;

    /**
     * Takes over a connected channel, which {@link #close} closes.
     *
     * @param channel the channel
     * @param keepalive the time after which TCP checks that the machine of a silent peer is up
     * @throws IOException if an option of the socket cannot be set
     */
    public TcpMessageChannel(SocketChannel channel, Duration keepalive) throws IOException {
        this.channel = channel;
        this.own = (InetSocketAddress) channel.getLocalAddress();
        this.peer = (InetSocketAddress) channel.getRemoteAddress();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        int seconds = Math.clamp(keepalive.toSeconds(), 1, MAX_KEEPALIVE_SECONDS);
        for (SocketOption<Integer> option : KEEPALIVE) {
            if (channel.supportedOptions().contains(option)) {
                channel.setOption(option, seconds);
            }
        }
        channel.configureBlocking(false);
        selector = Selector.open();
        channel.register(selector, SelectionKey.OP_READ);
    }

    @Override
    public void send(byte[] message) {
        ByteBuffer bytes = ByteBuffer.wrap(message);
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public byte[] receive(String part, int length, Duration timeout) {
        long deadline = System.nanoTime() + (timeout == null ? 0 : timeout.toNanos());
        try {
            while (in.position() < length && fill() && in.position() < length) {
                long left = timeout == null ? 0 : deadline - System.nanoTime();
                if (timeout != null && left <= 0) {
                    throw silent(part, length, timeout);
                }
                await(left);
            }
        } catch (IOException e) {
            throw failed(e);
        }
        if (in.position() < length) {
            throw ended(part, length);
        }
        byte[] message = new byte[length];
        in.flip().get(message);
        in.compact();
        return message;
    }

    /** Reads what has arrived; returns false at the end of the stream. */
    private boolean fill() throws IOException {
        peerGone |= in.hasRemaining() && channel.read(in) < 0;
        return !peerGone;
    }

    private void await(long nanos) throws IOException {
        selector.select(nanos == 0 ? 0 : Math.max(1, Duration.ofNanos(nanos).toMillis()));
        selector.selectedKeys().clear();
        if (Thread.interrupted()) {
            Thread.currentThread().interrupt();
            throw new SampleFailure("interrupted while waiting for the peer.");
        }
    }

    private String arrived(String part, int length) {
        return in.position() + " of the " + length + " bytes of " + part + ", "
                + Messages.quote(Arrays.copyOf(in.array(), in.position()));
    }

    private SampleFailure silent(String part, int length, Duration timeout) {
        return new SampleFailure(in.position() == 0
                ? "the peer sent nothing for " + timeout.toSeconds() + " s where " + part + " was expected."
                : "the peer sent " + arrived(part, length) + ", and then nothing for " + timeout.toSeconds()
                        + " s: start both sides with the same program and the same options.");
    }

    private SampleFailure ended(String part, int length) {
        return new SampleFailure(in.position() == 0
                ? "the peer exited before the end of the test, where " + part + " was expected; its output may say why."
                : "the peer exited after " + arrived(part, length)
                        + ": start both sides with the same program and the same options.");
    }

    private static SampleFailure failed(IOException e) {
        return new SampleFailure("the TCP connection to the peer failed: " + e.getMessage() + ".");
    }

    @Override
    public boolean isPeerGone() {
        try {
            return !fill();
        } catch (IOException e) {
            peerGone = true;
            return true;
        }
    }

    @Override
    public boolean usesRdmaCm() {
        return false;
    }

    @Override
    public InetSocketAddress own() {
        return own;
    }

    @Override
    public InetSocketAddress peer() {
        return peer;
    }

    @Override
    public void finish(boolean sentLast, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            channel.shutdownOutput();
            while (fill() && deadline - System.nanoTime() > 0) {
                in.clear();
                await(Math.max(1, deadline - System.nanoTime()));
            }
        } catch (IOException e) {
            // the peer has closed the connection at once, as the C programs do
            peerGone = true;
        }
    }

    @Override
    public void close() {
        try {
            selector.close();
            channel.close();
        } catch (IOException e) {
            throw failed(e);
        }
    }
}
