package io.jverbs.soft.fabric;

import io.jverbs.soft.linux.Libc;
import io.jverbs.soft.linux.SocketAddress;
import io.jverbs.soft.linux.UdpSocket;
import io.jverbs.soft.transport.Capacity;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.Outgoing;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;

/**
 * A socket of Linux. Packets of one size to one peer leave in one piece, of which the kernel, or the card, makes packets again with
 * the IPv4 IDs 0, 1, 2 and so on (udp(7), UDP_SEGMENT); what arrived so comes in one piece (UDP_GRO). Pieces of several sizes or for
 * several peers leave with one call all the same (sendmmsg(2)), and while short messages come, a call receives several
 * (recvmmsg(2)). To be told all that takes the kernel longer, also where nothing has come, so that packets are received one by one
 * (recvfrom(2)) until for the first time several come at once.
 */
final class LinuxDatagrams implements Datagrams {
    /** How many in a row, with no look in vain between them, are several at once: a conversation has a packet and an acknowledgement. */
    private static final int SEVERAL = 8;

    /** So few take as long with a call each, and the first one is there earlier. */
    private static final int PAIR = 2;

    private final UdpSocket socket;
    private final Capacity capacity;
    // of the one who receives
    private final Inbox inbox = new Inbox();
    /** The latest call has got less than it asked for. */
    private boolean dry;
    /** What came together is received so. Never taken back: of a piece that waits the kernel would not say any more what it is. */
    private boolean gathering;
    private int inARow;

    /** Where packets are sent. */
    private static final class Peer {
        private final MemorySegment address;
        /** The way there has no use for several packets in one piece. */
        private volatile boolean single;

        Peer(InetSocketAddress address) {
            this.address = SocketAddress.of(address);
        }
    }

    /** Over a socket that has its buffers. */
    LinuxDatagrams(UdpSocket socket) throws IOException {
        this.socket = socket;
        boolean large = socket.receiveBuffer() >= Sockets.SOCKET_BUFFER;
        this.capacity = large ? Capacity.IN_MANY_PIECES : Capacity.IN_PIECES;
    }

    UdpSocket socket() {
        return socket;
    }

    @Override
    public int together(int bytes) {
        return Batch.most(bytes);
    }

    @Override
    public Capacity capacity() {
        return capacity;
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
        if (!batch.takes(length)) {
            sendAll(batch);
            batch.startWithWritten();
        }
        if (((Peer) route.address()).single || !batch.continues(length, route)) {
            batch.begin(route);
        }
        Icrc icrc = batch.icrc();
        UdpWire.between(icrc, route);
        icrc.id(batch.placeInRun());
        batch.encoder().finish(icrc);
        batch.take(length);
        if (batch.isFull()) {
            sendAll(batch);
        }
        batch.throwRefusal();
    }

    @Override
    public void flush(Outgoing packets) throws IOException {
        Batch batch = (Batch) packets;
        if (batch.count() != 0) {
            sendAll(batch);
        } else {
            batch.clear();
        }
        batch.throwRefusal();
    }

    /**
     * Sends all, with one call, or two packets that make no piece with two; a run that the system refuses, alone, and what is behind
     * it with the next call.
     */
    private void sendAll(Batch batch) {
        int runs = batch.runs();
        try {
            // a packet alone needs no struct msghdr
            for (int run = 0; run < runs && batch.count() > 1; run++) {
                batch.address(run, ((Peer) batch.route(run).address()).address);
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
            batch.refused(e);
        } finally {
            batch.clear();
        }
    }

    private void sendRun(Batch batch, int run) throws ClosedChannelException {
        Peer peer = (Peer) batch.route(run).address();
        int first = batch.start(run);
        if (batch.start(run + 1) == first + 1) {
            sendOne(batch, first, peer);
        } else {
            sendTogether(batch, run, peer);
        }
    }

    /** Whether a call did what it was for: where there was no room, packets are lost, as packets may be. */
    private static boolean taken(Batch batch, String call, long result, int packets) {
        if (result == -Libc.EAGAIN) {
            batch.lost(packets);
        } else if (result < 0) {
            batch.refused(UdpSocket.failure(call, (int) -result));
            return false;
        }
        return true;
    }

    private boolean sendOne(Batch batch, int index, Peer peer) throws ClosedChannelException {
        long result = -Libc.EAGAIN;
        for (int i = 0; isLater(result) && i < ATTEMPTS; i++) {
            result = socket.send(batch.state(), batch.packet(index).segment(), batch.length(index), peer.address);
        }
        return taken(batch, "sendto", result, 1);
    }

    private static boolean isLater(long result) {
        return result == -Libc.EAGAIN || result == -Libc.EINTR;
    }

    private void sendTogether(Batch batch, int run, Peer peer) throws ClosedChannelException {
        MemorySegment all = batch.message(run);
        long result = -Libc.EAGAIN;
        for (int i = 0; isLater(result) && i < ATTEMPTS; i++) {
            result = socket.send(batch.state(), all);
        }
        switch ((int) Math.min(result, 0)) {
            // not between such interfaces, or not so long; if they can leave one by one, it was for the piece
            case -Libc.EINVAL, -Libc.EIO, -Libc.EMSGSIZE, -Libc.EOPNOTSUPP -> {
                if (sendSingly(batch, run, peer)) {
                    peer.single = true;
                }
            }
            default -> taken(batch, "sendmsg", result, batch.start(run + 1) - batch.start(run));
        }
    }

    /** Sends one by one what could not leave together: then each has the ID 0. Whether all could. */
    private boolean sendSingly(Batch batch, int run, Peer peer) throws ClosedChannelException {
        Icrc icrc = batch.icrc();
        UdpWire.between(icrc, batch.route(run));
        icrc.id(0);
        boolean all = true;
        for (int i = batch.start(run); i < batch.start(run + 1); i++) {
            icrc.append(batch.packet(i), batch.length(i) - Icrc.BYTES);
            all &= sendOne(batch, i, peer);
        }
        return all;
    }

    @Override
    public boolean receive(Arrival arrival, int most) throws IOException {
        boolean has = inbox.holds() || fetch(most);
        if (has) {
            next(arrival);
        }
        return has;
    }

    /** Receives what came together, in one piece or at one time, with one call from now on. */
    void gather() throws IOException {
        socket.receiveSegmented();
        gathering = true;
    }

    /** Has something come into the inbox; false if there is nothing. */
    private boolean fetch(int most) throws IOException {
        return gathering ? fetchTogether(most) : fetchOne();
    }

    private boolean fetchOne() throws IOException {
        long result = socket.receive(inbox.packet(), inbox.source(), inbox.sourceLength());
        if (result < 0) {
            inARow = 0;
            if (!isLater(result)) {
                throw UdpSocket.failure("recvfrom", (int) -result);
            }
            return false;
        }
        inbox.cameAlone((int) result);
        if (++inARow == SEVERAL) {
            gather();
        }
        return true;
    }

    private boolean fetchTogether(int most) throws IOException {
        int wanted = inbox.sensible(most);
        MemorySegment messages = inbox.room(wanted);
        long result = wanted == 1 ? socket.receive(messages) : socket.receive(messages, wanted);
        dry = wanted > 1 && result < wanted;
        if (result < 0) {
            if (!isLater(result)) {
                throw UdpSocket.failure(wanted == 1 ? "recvmsg" : "recvmmsg", (int) -result);
            }
            return false;
        }
        if (wanted == 1) {
            inbox.came((int) result);
        } else {
            inbox.cameTogether((int) result);
        }
        return true;
    }

    @Override
    public boolean holds() {
        return inbox.holds();
    }

    @Override
    public void next(Arrival arrival) {
        inbox.give(arrival);
    }

    @Override
    public boolean isDry() {
        return dry && !inbox.holds();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
