package io.jverbs.soft.fabric.udp;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;

/** A datagram channel whose network is a test: the test provides and takes the packets. */
final class ScriptedChannel extends DatagramChannel {
    private final ScriptedWire.Sink sink;
    private ByteBuffer next;
    private InetSocketAddress from;
    private long sent;
    private int full;

    ScriptedChannel(ScriptedWire.Sink sink) {
        super(SelectorProvider.provider());
        this.sink = sink;
    }

    void next(ByteBuffer packet, InetSocketAddress source) {
        next = packet;
        from = source;
    }

    boolean isTaken() {
        return next == null;
    }

    long sent() {
        return sent;
    }

    /** Makes the next calls of {@link #send} find no room. */
    void full(int calls) {
        full = calls;
    }

    /** Truncates a packet that is too long, as a socket does. */
    @Override
    public SocketAddress receive(ByteBuffer destination) {
        if (next == null) {
            return null;
        }
        int length = Math.min(next.remaining(), destination.remaining());
        destination.put(destination.position(), next, next.position(), length);
        destination.position(destination.position() + length);
        next = null;
        return from;
    }

    @Override
    public int send(ByteBuffer source, SocketAddress target) {
        if (full > 0) {
            full--;
            return 0;
        }
        int length = source.remaining();
        sent++;
        sink.sent(source, (InetSocketAddress) target);
        source.position(source.limit());
        return length;
    }

    private static UnsupportedOperationException none() {
        return new UnsupportedOperationException("the device does not use it");
    }

    @Override
    public DatagramChannel bind(SocketAddress local) {
        throw none();
    }

    @Override
    public <T> DatagramChannel setOption(SocketOption<T> name, T value) {
        throw none();
    }

    @Override
    public <T> T getOption(SocketOption<T> name) {
        throw none();
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return Set.of();
    }

    @Override
    public DatagramSocket socket() {
        throw none();
    }

    @Override
    public boolean isConnected() {
        return false;
    }

    @Override
    public DatagramChannel connect(SocketAddress remote) {
        throw none();
    }

    @Override
    public DatagramChannel disconnect() {
        throw none();
    }

    @Override
    public SocketAddress getRemoteAddress() {
        return null;
    }

    @Override
    public SocketAddress getLocalAddress() {
        return null;
    }

    @Override
    public int read(ByteBuffer destination) {
        throw none();
    }

    @Override
    public long read(ByteBuffer[] destinations, int offset, int length) {
        throw none();
    }

    @Override
    public int write(ByteBuffer source) {
        throw none();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        throw none();
    }

    @Override
    public MembershipKey join(InetAddress group, NetworkInterface device) {
        throw none();
    }

    @Override
    public MembershipKey join(InetAddress group, NetworkInterface device, InetAddress source) {
        throw none();
    }

    @Override
    protected void implCloseSelectableChannel() {
        // nothing to release
    }

    @Override
    protected void implConfigureBlocking(boolean block) {
        // it never blocks
    }
}
