package io.jverbs.soft.fabric.udp.socket;

import io.jverbs.soft.linux.Epoll;
import io.jverbs.soft.linux.Libc;
import io.jverbs.soft.linux.UdpSocket;
import io.jverbs.soft.queue.ProcessorYield;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;

/** Sockets of Linux's C library: one call sends or receives many packets. */
final class LinuxSockets implements Sockets {
    private final boolean ecnCapable;

    /** @param ecnCapable whether packets are sent as ECN-capable, and the marks of those that arrive are read */
    LinuxSockets(boolean ecnCapable) {
        this.ecnCapable = ecnCapable;
    }

    @Override
    public Datagrams open(InetSocketAddress own, NetworkInterface device) throws IOException {
        UdpSocket socket = UdpSocket.open(own.getAddress() instanceof Inet6Address);
        try {
            socket.dontFragment();
            socket.buffers(SOCKET_BUFFER);
            socket.multicastInterface(device.getIndex());
            socket.probeSegmentation();
            if (ecnCapable) {
                socket.enableEcn();
            }
            socket.bind(own);
            return new LinuxDatagrams(socket, ecnCapable);
        } catch (IOException | RuntimeException | Error e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public Datagrams listen(InetSocketAddress group, NetworkInterface device) throws IOException {
        UdpSocket socket = UdpSocket.open(group.getAddress() instanceof Inet6Address);
        try {
            socket.reuseAddress();
            socket.bind(group);
            socket.join(group.getAddress(), device.getIndex());
            return new LinuxDatagrams(socket, false);
        } catch (IOException | RuntimeException | Error e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public boolean readsCongestionMarks() {
        return ecnCapable;
    }

    @Override
    public boolean suitVirtualReceiver() {
        return true;
    }

    @Override
    public SocketPoller poller() throws IOException {
        Runnable yield = Libc::schedYield;
        // the first call links the code: not while the caller holds locks
        yield.run();
        ProcessorYield.provide(yield);
        return new EpollPoller();
    }

    @Override
    public String toString() {
        return "linux";
    }

    private static final class EpollPoller implements SocketPoller {
        private final Epoll epoll;

        EpollPoller() throws IOException {
            // last: after an Error that came later, nothing would close it
            epoll = Epoll.open();
        }

        @Override
        public void add(Datagrams socket) throws IOException {
            // all sockets of a device are of the same kind
            epoll.add(((LinuxDatagrams) socket).socket());
        }

        @Override
        public void remove(Datagrams socket) throws IOException {
            epoll.remove(((LinuxDatagrams) socket).socket());
        }

        @Override
        public void await(int millis) throws IOException {
            epoll.await(millis == 0 ? -1 : millis);
        }

        @Override
        public void wakeup() {
            epoll.wakeup();
        }

        @Override
        public void end() {
            epoll.wakeup();
        }

        @Override
        public void close() {
            epoll.close();
        }
    }
}
