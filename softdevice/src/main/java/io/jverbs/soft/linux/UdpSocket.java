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
 * A non-blocking UDP socket of Linux. Any thread may send. {@link #close} waits for the threads that are sending, so
 * that no thread uses a closed file descriptor. Receiving and closing are for one thread at a time.
 */
public final class UdpSocket {
    private static final int ERRNO_INTERVAL = 4096;
    /** The traffic class of ECN-capable packets, ECT(0) of RFC 3168. */
    private static final int ECN_CAPABLE = 2;

    private final int fd;
    private final boolean ipv6;
    private final MemorySegment receiveState = Libc.state();
    private final StampedLock closeLock = new StampedLock();
    /**
     * Written under the write lock, by the thread that receives. Senders read it under the read lock, the receiver
     * without a lock.
     */
    private boolean closed;
    /** Used by the thread that receives. */
    private int failedReceives;

    private UdpSocket(int fd, boolean ipv6) {
        this.fd = fd;
        this.ipv6 = ipv6;
    }

    /**
     * Opens a socket.
     *
     * @param ipv6 whether the address family is IPv6; otherwise it is IPv4
     */
    public static UdpSocket open(boolean ipv6) throws IOException {
        int type = Abi.SOCK_DGRAM | Abi.SOCK_NONBLOCK | Abi.SOCK_CLOEXEC;
        int fd = Libc.socket(ipv6 ? Abi.AF_INET6 : Abi.AF_INET, type);
        try {
            checked("socket", fd);
            return new UdpSocket(fd, ipv6);
        } catch (Error e) {
            Libc.closeIfOpen(fd);
            throw e;
        }
    }

    /** Returns the result of a call, or throws the exception for it if it is a negated errno. */
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

    /** Returns the text of strerror(3), which Java's sockets use too. */
    private static String describe(int errno) {
        Errno known = Errno.of(errno);
        return known == Errno.UNKNOWN ? "errno " + errno : known.description();
    }

    private void option(String name, int level, int option, int value) throws SocketException {
        MemorySegment word = Arena.ofAuto().allocate(JAVA_INT);
        word.set(JAVA_INT, 0, value);
        checked("setsockopt " + name, Libc.setsockopt(fd, level, option, word));
    }

    /** Allows several sockets to bind to the same address (SO_REUSEADDR). */
    public void reuseAddress() throws SocketException {
        option("SO_REUSEADDR", Abi.SOL_SOCKET, Abi.SO_REUSEADDR, 1);
    }

    /** Requests a size for the receive buffer and the send buffer. The system may grant less. */
    public void buffers(int bytes) throws SocketException {
        option("SO_RCVBUF", Abi.SOL_SOCKET, Abi.SO_RCVBUF, bytes);
        option("SO_SNDBUF", Abi.SOL_SOCKET, Abi.SO_SNDBUF, bytes);
    }

    /**
     * Returns the size of the receive buffer as the kernel accounts for it: including the kernel's overhead for each
     * packet, for which it doubles the granted size (SO_RCVBUF in socket(7)).
     */
    public int receiveBuffer() throws SocketException {
        MemorySegment value = Arena.ofAuto().allocate(JAVA_INT);
        MemorySegment length = Arena.ofAuto().allocate(JAVA_INT);
        length.set(JAVA_INT, 0, Integer.BYTES);
        checked("getsockopt SO_RCVBUF", Libc.getsockopt(fd, Abi.SOL_SOCKET, Abi.SO_RCVBUF, value, length));
        return value.get(JAVA_INT, 0);
    }

    /** Sets the don't-fragment flag in packets (IP_MTU_DISCOVER in ip(7)). */
    public void dontFragment() throws SocketException {
        option("IP_MTU_DISCOVER", Abi.IPPROTO_IP, Abi.IP_MTU_DISCOVER, Abi.IP_PMTUDISC_DO);
        if (ipv6) {
            option("IPV6_MTU_DISCOVER", Abi.IPPROTO_IPV6, Abi.IPV6_MTU_DISCOVER, Abi.IP_PMTUDISC_DO);
        }
    }

    /** Lets the kernel coalesce received packets of one size into one message (UDP_GRO in udp(7)). */
    public void enableGro() throws SocketException {
        option("UDP_GRO", Abi.SOL_UDP, Abi.UDP_GRO, 1);
    }

    /**
     * Sends packets as ECN-capable, and receives with each message a control message that has its traffic class
     * (IP_RECVTOS in ip(7), IPV6_RECVTCLASS in RFC 3542).
     */
    public void enableEcn() throws SocketException {
        if (ipv6) {
            option("IPV6_TCLASS", Abi.IPPROTO_IPV6, Abi.IPV6_TCLASS, ECN_CAPABLE);
            option("IPV6_RECVTCLASS", Abi.IPPROTO_IPV6, Abi.IPV6_RECVTCLASS, 1);
        } else {
            option("IP_TOS", Abi.IPPROTO_IP, Abi.IP_TOS, ECN_CAPABLE);
            option("IP_RECVTOS", Abi.IPPROTO_IP, Abi.IP_RECVTOS, 1);
        }
    }

    /**
     * Checks that the system supports segmented messages (UDP_SEGMENT in udp(7)). Sets the default segment size to 0,
     * so that a message is segmented only if its control message says so.
     */
    public void probeSegmentation() throws SocketException {
        option("UDP_SEGMENT", Abi.SOL_UDP, Abi.UDP_SEGMENT, 0);
    }

    /** Sets the interface for packets to multicast groups, which go no farther than the first router. */
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

    /** Joins a multicast group on an interface. Packets to an IPv4 group are received from no other interface. */
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
            // by default, the socket receives packets to the group from each interface on which any socket has joined
            // it
            option("IP_MULTICAST_ALL", Abi.IPPROTO_IP, Abi.IP_MULTICAST_ALL, 0);
            checked("setsockopt IP_ADD_MEMBERSHIP",
                    Libc.setsockopt(fd, Abi.IPPROTO_IP, Abi.IP_ADD_MEMBERSHIP, request));
        }
    }

    /** Binds the socket to an address. */
    public void bind(InetSocketAddress address) throws SocketException {
        checked("bind", Libc.bind(fd, SocketAddress.of(address)));
    }

    int descriptor() {
        return fd;
    }

    private long enter() throws ClosedChannelException {
        long stamp = closeLock.readLock();
        if (closed) {
            closeLock.unlockRead(stamp);
            throw new ClosedChannelException();
        }
        return stamp;
    }

    /** Sends one packet. Returns what sendto(2) returns, or a negated errno. */
    public long send(MemorySegment state, MemorySegment packet, long length, MemorySegment address)
            throws ClosedChannelException {
        long stamp = enter();
        try {
            long sent = Libc.trySendto(fd, packet, length, address);
            return sent >= 0 ? sent : Libc.sendto(state, fd, packet, length, address);
        } finally {
            closeLock.unlockRead(stamp);
        }
    }

    /** Sends the message of a struct msghdr. Returns what sendmsg(2) returns, or a negated errno. */
    public long send(MemorySegment state, MemorySegment message) throws ClosedChannelException {
        long stamp = enter();
        try {
            long sent = Libc.trySendmsg(fd, message);
            return sent >= 0 ? sent : Libc.sendmsg(state, fd, message);
        } finally {
            closeLock.unlockRead(stamp);
        }
    }

    /** Sends the messages of an array of struct mmsghdr. Returns what sendmmsg(2) returns, or a negated errno. */
    public int send(MemorySegment state, MemorySegment messages, int count) throws ClosedChannelException {
        long stamp = enter();
        try {
            int sent = Libc.trySendmmsg(fd, messages, count);
            return sent >= 0 ? sent : Libc.sendmmsg(state, fd, messages, count);
        } finally {
            closeLock.unlockRead(stamp);
        }
    }

    /**
     * Receives one packet and its source address, without control messages. Returns what recvfrom(2) returns, or a
     * negated errno as {@link #receive(MemorySegment)} does.
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
        return readsErrno() ? Libc.recvfrom(receiveState, fd, packet, source, sourceLength) : -Libc.EAGAIN;
    }

    /**
     * Receives a message into a struct msghdr. Returns what recvmsg(2) returns, or a negated errno. Another error than
     * EAGAIN may be reported as EAGAIN for a while.
     */
    public long receive(MemorySegment message) throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
        long received = Libc.tryRecvmsg(fd, message);
        if (received >= 0) {
            return received;
        }
        return readsErrno() ? Libc.recvmsg(receiveState, fd, message) : -Libc.EAGAIN;
    }

    /**
     * Receives messages into an array of struct mmsghdr. Returns what recvmmsg(2) returns, or a negated errno as
     * {@link #receive(MemorySegment)} does.
     */
    public int receive(MemorySegment messages, int count) throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
        int received = Libc.tryRecvmmsg(fd, messages, count);
        if (received >= 0) {
            return received;
        }
        return readsErrno() ? Libc.recvmmsg(receiveState, fd, messages, count) : -Libc.EAGAIN;
    }

    /**
     * Returns whether to repeat a failed call to learn its errno: at the first failure and at every 4096th after it. A
     * call almost always fails because there is nothing to receive.
     */
    private boolean readsErrno() {
        return failedReceives++ % ERRNO_INTERVAL == 0;
    }

    /** Closes the socket. Further calls have no effect, but after an Error. */
    public void close() throws SocketException {
        long stamp = closeLock.writeLock();
        try {
            if (!closed) {
                int result = Libc.close(fd);
                // whatever the result, Linux has closed the descriptor
                closed = true;
                if (result < 0) {
                    throw new SocketException("the socket could not be closed");
                }
            }
        } finally {
            closeLock.unlockWrite(stamp);
        }
    }
}
