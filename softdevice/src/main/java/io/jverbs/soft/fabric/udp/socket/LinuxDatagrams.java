package io.jverbs.soft.fabric.udp.socket;

import io.jverbs.soft.congestion.PathCapacity;
import io.jverbs.soft.linux.Libc;
import io.jverbs.soft.linux.SocketAddress;
import io.jverbs.soft.linux.UdpSocket;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.SendBuffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;

/**
 * A socket of Linux. Packets of one size to one peer are sent as one segmented message, of which the kernel or the NIC
 * makes packets again, with the IPv4 IDs 0, 1, 2 and so on (UDP_SEGMENT in udp(7)). Packets that arrive like this are
 * received as one coalesced message (UDP_GRO). Messages of several sizes, or to several peers, are sent with one call
 * too (sendmmsg(2)). While short messages arrive, one call receives several (recvmmsg(2)).
 *
 * <p>
 * The kernel takes longer to receive this way, even if nothing has arrived. Packets are therefore received one by one
 * (recvfrom(2)) until several arrive at once for the first time.
 */
final class LinuxDatagrams implements Datagrams {
    /**
     * How many packets in a row, without an empty receive between them, count as several at once. While two peers
     * alternate requests, there are a packet and an acknowledgement.
     */
    private static final int BATCH_THRESHOLD = 8;

    /** For up to this many packets, one call for each is as fast, and the first arrives earlier. */
    private static final int PAIR = 2;

    private final UdpSocket socket;
    private final PathCapacity capacity;
    // the engine's lock guards the fields below
    private final ReceiveBatch inbox = new ReceiveBatch();
    /** The latest call received less than it requested. */
    private boolean drained;
    /**
     * Coalesced messages, and several at a time, are received. Never reset: the kernel would not report the packet size
     * of a coalesced message that is already in the socket buffer.
     */
    private boolean coalescing;
    private int receivedInARow;

    /** The destination of packets. */
    private static final class Peer {
        private final MemorySegment address;
        /** The path does not support segmented messages. */
        private volatile boolean unsegmented;

        Peer(InetSocketAddress address) {
            this.address = SocketAddress.of(address);
        }
    }

    /**
     * Uses a socket whose buffer sizes are set.
     *
     * @param ecnCapable whether the socket receives traffic classes, for which packets are never received one by one
     */
    LinuxDatagrams(UdpSocket socket, boolean ecnCapable) throws IOException {
        this.socket = socket;
        if (ecnCapable) {
            enableCoalescing();
        }
        boolean large = socket.receiveBuffer() >= Sockets.SOCKET_BUFFER;
        this.capacity = large ? PathCapacity.COALESCED_LARGE_BUFFER : PathCapacity.COALESCED;
    }

    UdpSocket socket() {
        return socket;
    }

    @Override
    public int maxBatch(int bytes) {
        return SendBatch.maxPackets(bytes);
    }

    @Override
    public PathCapacity capacity() {
        return capacity;
    }

    @Override
    public PathCapacity readCapacity() {
        return capacity == PathCapacity.COALESCED_LARGE_BUFFER ? PathCapacity.OWN_LARGE_BUFFER : capacity;
    }

    @Override
    public SendBuffer newOutgoing() {
        return new SendBatch();
    }

    @Override
    public Object address(InetSocketAddress peer) {
        return new Peer(peer);
    }

    @Override
    public void send(SendBuffer packet, Route route) throws IOException {
        SendBatch batch = (SendBatch) packet;
        int length = batch.encoder().length();
        if (!batch.fits(length)) {
            sendAll(batch);
            batch.startWithWritten();
        }
        if (((Peer) route.address()).unsegmented || !batch.joinsRun(length, route)) {
            batch.beginRun(route);
        }
        Icrc icrc = batch.icrc();
        route.setAddresses(icrc);
        icrc.setIpId(batch.indexInRun());
        batch.encoder().finish(icrc);
        batch.add(length);
        if (batch.isFull()) {
            sendAll(batch);
        }
        batch.throwFailures();
    }

    @Override
    public void flush(SendBuffer packets) throws IOException {
        SendBatch batch = (SendBatch) packets;
        if (batch.count() != 0) {
            sendAll(batch);
        } else {
            batch.clear();
        }
        batch.throwFailures();
    }

    /**
     * Sends all packets with one call, or two packets that form no run with two. A run that the system refuses is sent
     * alone, and the runs after it with the next call.
     */
    private void sendAll(SendBatch batch) {
        int runs = batch.runs();
        try {
            // a single packet is sent without a struct msghdr
            for (int run = 0; run < runs && batch.count() > 1; run++) {
                batch.fillHeader(run, ((Peer) batch.route(run).address()).address);
            }
            int run = 0;
            while (run < runs) {
                int sent = runs == 1 || batch.count() == PAIR
                        ? 0
                        : socket.send(batch.state(), batch.message(run), runs - run);
                if (sent > 0) {
                    run += sent;
                } else {
                    sendRun(batch, run);
                    run++;
                }
            }
        } catch (ClosedChannelException e) {
            batch.addFailure(e);
        } finally {
            batch.clear();
        }
    }

    private void sendRun(SendBatch batch, int run) throws ClosedChannelException {
        Peer peer = (Peer) batch.route(run).address();
        int first = batch.firstPacket(run);
        if (batch.firstPacket(run + 1) == first + 1) {
            sendOne(batch, first, peer);
        } else {
            sendSegmented(batch, run, peer);
        }
    }

    /**
     * Evaluates the result of a send call. If there was no room, the packets are dropped; RC retransmits them. Returns
     * false if the system refused the call for another reason.
     */
    private static boolean evaluate(SendBatch batch, String call, long result, int packets) {
        if (result == -Libc.EAGAIN) {
            batch.lost(packets);
        } else if (result < 0) {
            batch.addFailure(UdpSocket.failure(call, (int) -result));
            return false;
        }
        return true;
    }

    private boolean sendOne(SendBatch batch, int index, Peer peer) throws ClosedChannelException {
        long result = -Libc.EAGAIN;
        for (int i = 0; isRetryable(result) && i < ATTEMPTS; i++) {
            result = socket.send(batch.state(), batch.packet(index).segment(), batch.length(index), peer.address);
        }
        return evaluate(batch, "sendto", result, 1);
    }

    private static boolean isRetryable(long result) {
        return result == -Libc.EAGAIN || result == -Libc.EINTR;
    }

    private void sendSegmented(SendBatch batch, int run, Peer peer) throws ClosedChannelException {
        MemorySegment all = batch.message(run);
        long result = -Libc.EAGAIN;
        for (int i = 0; isRetryable(result) && i < ATTEMPTS; i++) {
            result = socket.send(batch.state(), all);
        }
        switch ((int) Math.min(result, 0)) {
            // the path does not support it, or the message is too long; if the packets can be sent one by one, that was
            // the reason
            case -Libc.EINVAL, -Libc.EIO, -Libc.EMSGSIZE, -Libc.EOPNOTSUPP -> {
                if (sendOneByOne(batch, run, peer)) {
                    peer.unsegmented = true;
                }
            }
            default -> evaluate(batch, "sendmsg", result, batch.firstPacket(run + 1) - batch.firstPacket(run));
        }
    }

    /** Sends the packets of a run one by one, each with the ID 0. Returns whether all could be sent. */
    private boolean sendOneByOne(SendBatch batch, int run, Peer peer) throws ClosedChannelException {
        Icrc icrc = batch.icrc();
        batch.route(run).setAddresses(icrc);
        icrc.setIpId(0);
        boolean all = true;
        for (int i = batch.firstPacket(run); i < batch.firstPacket(run + 1); i++) {
            icrc.append(batch.packet(i), batch.length(i) - Icrc.BYTES);
            all &= sendOne(batch, i, peer);
        }
        return all;
    }

    @Override
    public boolean receive(ReceivedPackets arrival, int max) throws IOException {
        boolean has = inbox.holds() || fetch(max);
        if (has) {
            next(arrival);
        }
        return has;
    }

    /** From now on receives coalesced packets as one message, and several messages with one call. */
    void enableCoalescing() throws IOException {
        socket.enableGro();
        coalescing = true;
    }

    /** Receives into the inbox; returns false if there is nothing to receive. */
    private boolean fetch(int max) throws IOException {
        return coalescing ? fetchMessages(max) : fetchPacket();
    }

    private boolean fetchPacket() throws IOException {
        long result = socket.receive(inbox.preparePacket(), inbox.source(), inbox.sourceLength());
        if (result < 0) {
            receivedInARow = 0;
            if (!isRetryable(result)) {
                throw UdpSocket.failure("recvfrom", (int) -result);
            }
            return false;
        }
        inbox.receivedPacket((int) result);
        if (++receivedInARow == BATCH_THRESHOLD) {
            enableCoalescing();
        }
        return true;
    }

    private boolean fetchMessages(int max) throws IOException {
        int wanted = inbox.batchSize(max);
        MemorySegment messages = inbox.prepare(wanted);
        long result = wanted == 1 ? socket.receive(messages) : socket.receive(messages, wanted);
        drained = wanted > 1 && result < wanted;
        if (result < 0) {
            if (!isRetryable(result)) {
                throw UdpSocket.failure(wanted == 1 ? "recvmsg" : "recvmmsg", (int) -result);
            }
            return false;
        }
        if (wanted == 1) {
            inbox.receivedMessage((int) result);
        } else {
            inbox.receivedMessages((int) result);
        }
        return true;
    }

    @Override
    public boolean holds() {
        return inbox.holds();
    }

    @Override
    public void next(ReceivedPackets arrival) {
        inbox.next(arrival);
    }

    @Override
    public boolean isDrained() {
        return drained && !inbox.holds();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
