package io.jverbs.soft.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.jverbs.Errno;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.locks.StampedLock;

/**
 * A UDP socket that never blocks. Sending is for every thread, and closing waits for those that send: no thread uses a descriptor
 * that is closed. Receiving and closing are for one thread at a time.
 */
public final class UdpSocket {
    private static final int ASK_EVERY = 4096;

    private final int fd;
    private final boolean ipv6;
    private final MemorySegment receiveState = Libc.state();
    private final StampedLock gate = new StampedLock();
    /** Written with the gate closed, and by who receives. */
    private boolean closed;
    /** Of those who receive. */
    private int failedReceives;

    private UdpSocket(int fd, boolean ipv6) {
        this.fd = fd;
        this.ipv6 = ipv6;
    }

    /**
     * Opens one.
     *
     * @param ipv6 the family of its addresses
     */
    public static UdpSocket open(boolean ipv6) throws IOException {
        int type = Abi.SOCK_DGRAM | Abi.SOCK_NONBLOCK | Abi.SOCK_CLOEXEC;
        return new UdpSocket(checked("socket", Libc.socket(ipv6 ? Abi.AF_INET6 : Abi.AF_INET, type)), ipv6);
    }

    /** Returns a result that is no errno. */
    static int checked(String call, long result) throws SocketException {
        if (result < 0) {
            throw failure(call, (int) -result);
        }
        return (int) result;
    }

    /** {@return the exception for an errno} */
    public static SocketException failure(String call, int errno) {
        String text = call + ": " + describe(errno);
        return switch (errno) {
            case Libc.EADDRINUSE, Libc.EADDRNOTAVAIL, Libc.EACCES -> new BindException(text);
            default -> new SocketException(text);
        };
    }

    private static String describe(int errno) {
        Errno known = Errno.of(errno);
        return known == Errno.UNKNOWN ? "errno " + errno : known.description();
    }

    private void option(String name, int level, int option, int value) throws SocketException {
        MemorySegment word = Arena.ofAuto().allocate(JAVA_INT);
        word.set(JAVA_INT, 0, value);
        checked("setsockopt " + name, Libc.setsockopt(fd, level, option, word));
    }

    /** Lets several sockets have the address. */
    public void reuseAddress() throws SocketException {
        option("SO_REUSEADDR", Abi.SOL_SOCKET, Abi.SO_REUSEADDR, 1);
    }

    /** Asks for room in both directions; the system may give less. */
    public void buffers(int bytes) throws SocketException {
        option("SO_RCVBUF", Abi.SOL_SOCKET, Abi.SO_RCVBUF, bytes);
        option("SO_SNDBUF", Abi.SOL_SOCKET, Abi.SO_SNDBUF, bytes);
    }

    /**
     * How much room there is for what arrives, as the system counts it: with all that it keeps beside a packet, for which it has doubled
     * what it gave (socket(7), SO_RCVBUF).
     */
    public int receiveBuffer() throws SocketException {
        MemorySegment value = Arena.ofAuto().allocate(JAVA_INT);
        MemorySegment length = Arena.ofAuto().allocate(JAVA_INT);
        length.set(JAVA_INT, 0, Integer.BYTES);
        checked("getsockopt SO_RCVBUF", Libc.getsockopt(fd, Abi.SOL_SOCKET, Abi.SO_RCVBUF, value, length));
        return value.get(JAVA_INT, 0);
    }

    /** Packets are not fragmented. */
    public void dontFragment() throws SocketException {
        option("IP_MTU_DISCOVER", Abi.IPPROTO_IP, Abi.IP_MTU_DISCOVER, Abi.IP_PMTUDISC_DO);
        if (ipv6) {
            option("IPV6_MTU_DISCOVER", Abi.IPPROTO_IPV6, Abi.IPV6_MTU_DISCOVER, Abi.IP_PMTUDISC_DO);
        }
    }

    /** Receives what came in packets of one size in one piece. */
    public void receiveSegmented() throws SocketException {
        option("UDP_GRO", Abi.SOL_UDP, Abi.UDP_GRO, 1);
    }

    /** Has the system say whether it can send in segments; that it shall not without being told each time. */
    public void sendUnsegmented() throws SocketException {
        option("UDP_SEGMENT", Abi.SOL_UDP, Abi.UDP_SEGMENT, 0);
    }

    /** Sends to groups over an interface, no farther than the first router. */
    public void multicastInterface(int index) throws SocketException {
        if (ipv6) {
            option("IPV6_MULTICAST_IF", Abi.IPPROTO_IPV6, Abi.IPV6_MULTICAST_IF, index);
            option("IPV6_MULTICAST_HOPS", Abi.IPPROTO_IPV6, Abi.IPV6_MULTICAST_HOPS, 1);
        } else {
            MemorySegment request = Arena.ofAuto().allocate(Abi.IP_MREQN_BYTES, Integer.BYTES);
            request.set(JAVA_INT, Abi.IP_MREQN_IFINDEX, index);
            checked("setsockopt IP_MULTICAST_IF", Libc.setsockopt(fd, Abi.IPPROTO_IP, Abi.IP_MULTICAST_IF, request));
        }
    }

    /** Receives what is sent to a group on an interface; of an IPv4 group on no other. */
    public void join(InetAddress group, int index) throws SocketException {
        MemorySegment address = MemorySegment.ofArray(group.getAddress());
        if (group instanceof Inet6Address) {
            MemorySegment request = Arena.ofAuto().allocate(Abi.IPV6_MREQ_BYTES, Integer.BYTES);
            MemorySegment.copy(address, 0, request, Abi.IPV6_MREQ_MULTIADDR, address.byteSize());
            request.set(JAVA_INT, Abi.IPV6_MREQ_IFINDEX, index);
            checked("setsockopt IPV6_JOIN_GROUP",
                    Libc.setsockopt(fd, Abi.IPPROTO_IPV6, Abi.IPV6_JOIN_GROUP, request));
        } else {
            MemorySegment request = Arena.ofAuto().allocate(Abi.IP_MREQN_BYTES, Integer.BYTES);
            MemorySegment.copy(address, 0, request, Abi.IP_MREQN_MULTIADDR, address.byteSize());
            request.set(JAVA_INT, Abi.IP_MREQN_IFINDEX, index);
            // else it gets what comes to the group on any interface where somebody has joined it
            option("IP_MULTICAST_ALL", Abi.IPPROTO_IP, Abi.IP_MULTICAST_ALL, 0);
            checked("setsockopt IP_ADD_MEMBERSHIP",
                    Libc.setsockopt(fd, Abi.IPPROTO_IP, Abi.IP_ADD_MEMBERSHIP, request));
        }
    }

    /** Gives it an address. */
    public void bind(InetSocketAddress address) throws SocketException {
        checked("bind", Libc.bind(fd, SocketAddress.of(address)));
    }

    int descriptor() {
        return fd;
    }

    private long enter() throws ClosedChannelException {
        long stamp = gate.readLock();
        if (closed) {
            gate.unlockRead(stamp);
            throw new ClosedChannelException();
        }
        return stamp;
    }

    /** Sends one packet; what sendto(2) returns, or a negated errno. */
    public long send(MemorySegment state, MemorySegment packet, long length, MemorySegment address)
            throws ClosedChannelException {
        long stamp = enter();
        try {
            long sent = Libc.trySendto(fd, packet, length, address);
            return sent >= 0 ? sent : Libc.sendto(state, fd, packet, length, address);
        } finally {
            gate.unlockRead(stamp);
        }
    }

    /** Sends what a struct msghdr names; what sendmsg(2) returns, or a negated errno. */
    public long send(MemorySegment state, MemorySegment message) throws ClosedChannelException {
        long stamp = enter();
        try {
            long sent = Libc.trySendmsg(fd, message);
            return sent >= 0 ? sent : Libc.sendmsg(state, fd, message);
        } finally {
            gate.unlockRead(stamp);
        }
    }

    /** Sends what an array of struct mmsghdr names; what sendmmsg(2) returns, or a negated errno. */
    public int send(MemorySegment state, MemorySegment messages, int count) throws ClosedChannelException {
        long stamp = enter();
        try {
            int sent = Libc.trySendmmsg(fd, messages, count);
            return sent >= 0 ? sent : Libc.sendmmsg(state, fd, messages, count);
        } finally {
            gate.unlockRead(stamp);
        }
    }

    /**
     * Receives one packet, of which nothing is told but who sent it; what recvfrom(2) returns, or a negated errno, as
     * {@link #receive(MemorySegment)}.
     */
    public long receive(MemorySegment packet, MemorySegment source, MemorySegment sourceLength)
            throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
        long received = Libc.tryRecvfrom(fd, packet, source, sourceLength);
        if (received >= 0) {
            return received;
        }
        return asksWhy() ? Libc.recvfrom(receiveState, fd, packet, source, sourceLength) : -Libc.EAGAIN;
    }

    /** Receives into what a struct msghdr names; what recvmsg(2) returns, or a negated errno: EAGAIN for others too, for a while. */
    public long receive(MemorySegment message) throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
        long received = Libc.tryRecvmsg(fd, message);
        if (received >= 0) {
            return received;
        }
        return asksWhy() ? Libc.recvmsg(receiveState, fd, message) : -Libc.EAGAIN;
    }

    /** Receives into what an array of struct mmsghdr names; what recvmmsg(2) returns, or a negated errno, as {@link #receive(MemorySegment)}. */
    public int receive(MemorySegment messages, int count) throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
        int received = Libc.tryRecvmmsg(fd, messages, count);
        if (received >= 0) {
            return received;
        }
        return asksWhy() ? Libc.recvmmsg(receiveState, fd, messages, count) : -Libc.EAGAIN;
    }

    /** Next to always nothing has come, so it is asked the first time and now and then. */
    private boolean asksWhy() {
        return failedReceives++ % ASK_EVERY == 0;
    }

    /** Closes it, once. */
    public void close() throws SocketException {
        long stamp = gate.writeLock();
        try {
            if (!closed) {
                closed = true;
                checked("close", Libc.close(fd));
            }
        } finally {
            gate.unlockWrite(stamp);
        }
    }
}
