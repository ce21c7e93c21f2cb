package io.jverbs.soft.fabric;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.soft.linux.Abi;
import io.jverbs.soft.linux.Libc;
import io.jverbs.soft.linux.SocketAddress;
import io.jverbs.soft.linux.UdpSocket;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.Outgoing;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/**
 * A socket of Linux. Packets of one size to one peer leave with one call, of which the kernel, or the card, makes packets again with
 * the IPv4 IDs 0, 1, 2 and so on (udp(7), UDP_SEGMENT); what arrived so comes with one call (UDP_GRO).
 */
final class LinuxDatagrams implements Datagrams {
    private final UdpSocket socket;
    // of the one who receives
    private final MemorySegment source = Arena.ofAuto().allocate(Abi.SOCKADDR_IN6_BYTES, Long.BYTES);
    private final MemorySegment vector = Arena.ofAuto().allocate(Abi.IOVEC_BYTES, Long.BYTES);
    private final MemorySegment control = Arena.ofAuto().allocate(Abi.CMSG_SPACE_8, Long.BYTES);
    private final MemorySegment message = Arena.ofAuto().allocate(Abi.MSGHDR_BYTES, Long.BYTES);

    /** Where packets are sent. */
    private static final class Peer {
        private final MemorySegment address;
        /** The way there has no use for several packets in one piece. */
        private volatile boolean single;

        Peer(InetSocketAddress address) {
            this.address = SocketAddress.of(address);
        }
    }

    LinuxDatagrams(UdpSocket socket) {
        this.socket = socket;
        message.set(ADDRESS, Abi.MSGHDR_NAME, source);
        message.set(ADDRESS, Abi.MSGHDR_IOV, vector);
        message.set(JAVA_LONG, Abi.MSGHDR_IOVLEN, 1);
        message.set(ADDRESS, Abi.MSGHDR_CONTROL, control);
    }

    UdpSocket socket() {
        return socket;
    }

    @Override
    public int together(int bytes) {
        return Batch.most(bytes);
    }

    @Override
    public Outgoing room() {
        return new Batch();
    }

    @Override
    public Object address(InetSocketAddress peer) {
        return new Peer(peer);
    }

    @Override
    public void send(Outgoing packet, Route route) throws IOException {
        Batch batch = (Batch) packet;
        int length = batch.encoder().length();
        if (!batch.takes(length, route)) {
            flush(batch);
            batch.startWithWritten();
        }
        Icrc icrc = batch.icrc();
        UdpWire.between(icrc, route);
        icrc.id(batch.count());
        batch.encoder().finish(icrc);
        batch.take(length, route);
        if (batch.isComplete() || ((Peer) route.address()).single) {
            flush(batch);
        }
    }

    @Override
    public void flush(Outgoing packets) throws IOException {
        Batch batch = (Batch) packets;
        if (batch.count() == 0) {
            return;
        }
        try {
            Peer peer = (Peer) batch.route().address();
            if (batch.count() == 1) {
                check("sendto", send(batch, 0, peer));
            } else {
                sendTogether(batch, peer);
            }
        } finally {
            batch.clear();
        }
    }

    private static void check(String call, long result) throws IOException {
        // of a full socket buffer a packet is lost, as packets may be
        if (result < 0 && result != -Libc.EAGAIN) {
            throw UdpSocket.failure(call, (int) -result);
        }
    }

    private long send(Batch batch, int index, Peer peer) throws IOException {
        long result = -Libc.EAGAIN;
        for (int i = 0; isLater(result) && i < ATTEMPTS; i++) {
            result = socket.send(batch.state(), batch.packet(index).segment(), batch.length(index), peer.address);
        }
        return result;
    }

    private static boolean isLater(long result) {
        return result == -Libc.EAGAIN || result == -Libc.EINTR;
    }

    private void sendTogether(Batch batch, Peer peer) throws IOException {
        MemorySegment all = batch.message(peer.address);
        long result = -Libc.EAGAIN;
        for (int i = 0; isLater(result) && i < ATTEMPTS; i++) {
            result = socket.send(batch.state(), all);
        }
        switch ((int) Math.min(result, 0)) {
            // not between such interfaces, or not so long
            case -Libc.EINVAL, -Libc.EIO, -Libc.EMSGSIZE, -Libc.EOPNOTSUPP -> {
                peer.single = true;
                sendSingly(batch, peer);
            }
            default -> check("sendmsg", result);
        }
    }

    /** Sends one by one what could not leave together: then each has the ID 0. */
    private void sendSingly(Batch batch, Peer peer) throws IOException {
        Icrc icrc = batch.icrc();
        UdpWire.between(icrc, batch.route());
        icrc.id(0);
        for (int i = 0; i < batch.count(); i++) {
            icrc.append(batch.packet(i), batch.length(i) - Icrc.BYTES);
            check("sendto", send(batch, i, peer));
        }
    }

    @Override
    public boolean receive(Arrival arrival) throws IOException {
        MemorySegment memory = arrival.buffer().segment();
        vector.set(ADDRESS, Abi.IOVEC_BASE, memory);
        vector.set(JAVA_LONG, Abi.IOVEC_LEN, memory.byteSize());
        message.set(JAVA_INT, Abi.MSGHDR_NAMELEN, Abi.SOCKADDR_IN6_BYTES);
        message.set(JAVA_LONG, Abi.MSGHDR_CONTROLLEN, Abi.CMSG_SPACE_8);
        long length = socket.receive(message);
        if (length < 0) {
            if (!isLater(length)) {
                throw UdpSocket.failure("recvmsg", (int) -length);
            }
            return false;
        }
        arrival.from(SocketAddress.high(source), SocketAddress.low(source), SocketAddress.port(source));
        arrival.came((int) length, segment());
        return true;
    }

    /** How long the packets are that came in one piece; 0 if there is one only. */
    private int segment() {
        boolean told = message.get(JAVA_LONG, Abi.MSGHDR_CONTROLLEN) >= Abi.CMSG_DATA + Integer.BYTES
                && control.get(JAVA_INT, Abi.CMSGHDR_LEVEL) == Abi.SOL_UDP
                && control.get(JAVA_INT, Abi.CMSGHDR_TYPE) == Abi.UDP_GRO;
        return told ? control.get(JAVA_INT, Abi.CMSG_DATA) : 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
