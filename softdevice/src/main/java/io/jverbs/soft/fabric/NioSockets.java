package io.jverbs.soft.fabric;

import io.jverbs.Gid;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.Outgoing;
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

/** Sockets of Java, which are everywhere: a call for each packet. */
final class NioSockets implements Sockets {

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
            channel.configureBlocking(false);
            channel.bind(own);
            return new NioDatagrams(channel);
        } catch (IOException | RuntimeException e) {
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
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Opens a channel for addresses of a family. */
    static DatagramChannel channel(InetAddress address) throws IOException {
        return DatagramChannel.open(
                address instanceof Inet6Address ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET);
    }

    @Override
    public Watch watch() throws IOException {
        return new SelectorWatch(Selector.open());
    }

    @Override
    public String toString() {
        return "nio";
    }

    private record SelectorWatch(Selector selector) implements Watch {

        @Override
        public void add(Datagrams socket) throws IOException {
            // all sockets of a device are of one kind
            ((NioDatagrams) socket).channel.register(selector, SelectionKey.OP_READ);
            // what the thread waits for already does not include it
            selector.wakeup();
        }

        @Override
        public void remove(Datagrams socket) throws IOException {
            SelectionKey key = ((NioDatagrams) socket).channel.keyFor(selector);
            if (key != null && key.isValid()) {
                key.interestOps(0);
                // only now does the system know
                selector.selectNow();
            }
        }

        @Override
        public void await() throws IOException {
            selector.select();
            selector.selectedKeys().clear();
        }

        @Override
        public void wakeup() {
            selector.wakeup();
        }

        /** Until the selector is closed, a closed channel keeps its address. */
        @Override
        public void end() throws IOException {
            selector.close();
        }

        @Override
        public void close() throws IOException {
            selector.close();
        }
    }

    /** One socket. */
    static final class NioDatagrams implements Datagrams {
        private final DatagramChannel channel;
        /** Consecutive packets of one sender come with the same object. */
        private SocketAddress latest;
        private Gid source;

        NioDatagrams(DatagramChannel channel) {
            this.channel = channel;
        }

        @Override
        public int together(int bytes) {
            return 1;
        }

        @Override
        public Outgoing room() {
            return new Outgoing();
        }

        @Override
        public Object address(InetSocketAddress peer) {
            return peer;
        }

        @Override
        public void send(Outgoing packet, Route route) throws IOException {
            UdpWire.between(packet.icrc(), route);
            packet.encoder().finish(packet.icrc());
            SocketAddress target = (SocketAddress) route.address();
            for (int i = 0; channel.send(packet.buffer().bytes(), target) == 0; i++) {
                if (i == ATTEMPTS) {
                    packet.lost(1);
                    return;
                }
                Thread.onSpinWait();
            }
        }

        @Override
        public void flush(Outgoing packets) {
            // nothing is kept back
        }

        @Override
        public boolean receive(Arrival arrival, int most) throws IOException {
            ByteBuffer room = arrival.room().bytes().clear();
            SocketAddress from = channel.receive(room);
            if (from == null) {
                return false;
            }
            if (from != latest) {
                latest = from;
                source = Gid.ofAddress(((InetSocketAddress) from).getAddress());
            }
            arrival.from(source.high(), source.low(), ((InetSocketAddress) latest).getPort());
            arrival.came(room.position(), 0);
            return true;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
