package io.jverbs.soft.fabric.udp.socket;

import io.jverbs.Gid;
import io.jverbs.soft.congestion.PathCapacity;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.SendBuffer;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import jdk.net.ExtendedSocketOptions;

/** Sockets of Java NIO, which are available everywhere: each call sends or receives one packet. */
public final class NioSockets implements Sockets {
    /** The traffic class of ECN-capable packets, ECT(0) of RFC 3168. */
    private static final int ECN_CAPABLE = 2;

    private final boolean ecnCapable;

    /**
     * Creates a factory of sockets.
     *
     * @param ecnCapable whether packets are sent as ECN-capable; the marks of those that arrive cannot be read
     */
    public NioSockets(boolean ecnCapable) {
        this.ecnCapable = ecnCapable;
    }

    @Override
    public Datagrams open(InetSocketAddress own, NetworkInterface device) throws IOException {
        DatagramChannel channel = channel(own.getAddress());
        try {
            if (channel.supportedOptions().contains(ExtendedSocketOptions.IP_DONTFRAGMENT)) {
                channel.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
            }
            channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER);
            channel.setOption(StandardSocketOptions.IP_MULTICAST_IF, device);
            if (ecnCapable) {
                channel.setOption(StandardSocketOptions.IP_TOS, ECN_CAPABLE);
            }
            channel.configureBlocking(false);
            channel.bind(own);
            // on Linux, Java reports half of the size that the kernel accounts
            boolean large = channel.getOption(StandardSocketOptions.SO_RCVBUF) >= SOCKET_BUFFER / 2;
            return new NioDatagrams(channel, large ? PathCapacity.OWN_LARGE_BUFFER : PathCapacity.UNCOALESCED);
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public Datagrams listen(InetSocketAddress group, NetworkInterface device) throws IOException {
        DatagramChannel channel = channel(group.getAddress());
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.configureBlocking(false);
            channel.bind(group);
            channel.join(group.getAddress(), device);
            return new NioDatagrams(channel);
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    /** Opens a channel for the family of an address. */
    public static DatagramChannel channel(InetAddress address) throws IOException {
        return DatagramChannel.open(
                address instanceof Inet6Address ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET);
    }

    /** Calls that send and receive use the same monitor of the channel for a moment. */
    @Override
    public boolean suitVirtualReceiver() {
        return false;
    }

    @Override
    public SocketPoller poller() throws IOException {
        return new SelectorPoller();
    }

    @Override
    public String toString() {
        return "nio";
    }

    private static final class SelectorPoller implements SocketPoller {
        private final Selector selector;

        SelectorPoller() throws IOException {
            // last: after an Error that came later, nothing would close it
            selector = Selector.open();
        }

        @Override
        public void add(Datagrams socket) throws IOException {
            // all sockets of a device are of the same kind
            ((NioDatagrams) socket).channel.register(selector, SelectionKey.OP_READ);
            // a select in progress does not include the channel
            selector.wakeup();
        }

        @Override
        public void remove(Datagrams socket) throws IOException {
            SelectionKey key = ((NioDatagrams) socket).channel.keyFor(selector);
            if (key != null && key.isValid()) {
                key.interestOps(0);
                // the selector informs the system only when it selects
                selector.selectNow();
            }
        }

        @Override
        public void await(int millis) throws IOException {
            selector.select(millis);
            selector.selectedKeys().clear();
        }

        @Override
        public void wakeup() {
            selector.wakeup();
        }

        /** Closes the selector: until then, a closed channel keeps its address. */
        @Override
        public void end() throws IOException {
            selector.close();
        }

        @Override
        public void close() throws IOException {
            selector.close();
        }
    }

    /** A socket over a channel. */
    public static final class NioDatagrams implements Datagrams {
        private final DatagramChannel channel;
        private final PathCapacity readCapacity;
        /**
         * Taken before the lock of the channel, so that no thread waits for that one: it would park a virtual thread,
         * which may hold the lock of a queue pair.
         */
        private final SpinLock sendLock = new SpinLock();
        /**
         * The address of the latest sender. The channel returns the same object for consecutive packets of one sender.
         */
        private SocketAddress latestAddress;
        private Gid source;

        /**
         * Uses a channel that is open and does not block.
         *
         * @param channel the channel
         */
        public NioDatagrams(DatagramChannel channel) {
            this(channel, PathCapacity.UNCOALESCED);
        }

        private NioDatagrams(DatagramChannel channel, PathCapacity readCapacity) {
            this.channel = channel;
            this.readCapacity = readCapacity;
        }

        @Override
        public PathCapacity readCapacity() {
            return readCapacity;
        }

        @Override
        public int maxBatch(int bytes) {
            return 1;
        }

        @Override
        public SendBuffer newOutgoing() {
            return new SendBuffer();
        }

        @Override
        public Object address(InetSocketAddress peer) {
            return peer;
        }

        @Override
        public void send(SendBuffer packet, Route route) throws IOException {
            route.setAddresses(packet.icrc());
            packet.encoder().finish(packet.icrc());
            SocketAddress target = (SocketAddress) route.address();
            for (int i = 0; send(packet.buffer().bytes(), target) == 0; i++) {
                if (i == ATTEMPTS) {
                    packet.lost(1);
                    return;
                }
                Thread.onSpinWait();
            }
        }

        private int send(ByteBuffer packet, SocketAddress target) throws IOException {
            sendLock.lock();
            try {
                return channel.send(packet, target);
            } finally {
                sendLock.unlock();
            }
        }

        @Override
        public void flush(SendBuffer packets) {
            // nothing is held back
        }

        @Override
        public boolean receive(ReceivedPackets arrival, int max) throws IOException {
            ByteBuffer buffer = arrival.ownBuffer().bytes().clear();
            SocketAddress from = channel.receive(buffer);
            if (from == null) {
                return false;
            }
            if (from != latestAddress) {
                latestAddress = from;
                source = Gid.ofAddress(((InetSocketAddress) from).getAddress());
            }
            arrival.source(source.high(), source.low(), ((InetSocketAddress) latestAddress).getPort());
            arrival.received(buffer.position(), 0);
            return true;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
