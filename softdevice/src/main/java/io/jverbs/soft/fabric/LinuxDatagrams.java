package io.jverbs.soft.fabric;

import io.jverbs.soft.linux.Libc;
import io.jverbs.soft.linux.SocketAddress;
import io.jverbs.soft.linux.UdpSocket;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.Outgoing;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;

/**
 * A socket of Linux. Packets of one size to one peer leave in one piece, of which the kernel, or the card, makes packets again with
 * the IPv4 IDs 0, 1, 2 and so on (udp(7), UDP_SEGMENT); what arrived so comes in one piece (UDP_GRO). Pieces of several sizes or for
 * several peers leave with one call all the same (sendmmsg(2)), and while short messages come, a call receives several
 * (recvmmsg(2)).
 */
final class LinuxDatagrams implements Datagrams {
    private final UdpSocket socket;
    // of the one who receives
    private final Inbox inbox = new Inbox();
    /** The latest call has got less than it asked for. */
    private boolean dry;

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
        IOException failure = null;
        if (!batch.takes(length)) {
            failure = flushed(batch);
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
            failure = and(failure, flushed(batch));
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Sends what was kept back; why that is not possible, or null. */
    private IOException flushed(Batch batch) {
        try {
            flush(batch);
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    @Override
    public void flush(Outgoing packets) throws IOException {
        Batch batch = (Batch) packets;
        try {
            if (batch.count() == 0) {
                return;
            }
            if (batch.runs() == 1) {
                sendRun(batch, 0);
            } else {
                sendRuns(batch);
            }
        } finally {
            batch.clear();
        }
    }

    /** Sends all with one call; a run that the system refuses, alone, and what is behind it with the next call. */
    private void sendRuns(Batch batch) throws IOException {
        for (int run = 0; run < batch.runs(); run++) {
            batch.address(run, ((Peer) batch.route(run).address()).address);
        }
        IOException failure = null;
        int run = 0;
        while (run < batch.runs()) {
            int sent = socket.send(batch.state(), batch.message(run), batch.runs() - run);
            if (sent > 0) {
                run += sent;
            } else {
                failure = and(failure, failureOf(batch, run));
                run++;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Sends a run; why that is not possible, or null. */
    private IOException failureOf(Batch batch, int run) {
        try {
            sendRun(batch, run);
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    /** The first failure, which tells of the others. */
    private static IOException and(IOException first, IOException next) {
        if (first == null || next == null) {
            return first == null ? next : first;
        }
        first.addSuppressed(next);
        return first;
    }

    private void sendRun(Batch batch, int run) throws IOException {
        Peer peer = (Peer) batch.route(run).address();
        int first = batch.start(run);
        if (batch.start(run + 1) == first + 1) {
            check("sendto", send(batch, first, peer));
        } else {
            sendTogether(batch, run, peer);
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

    private void sendTogether(Batch batch, int run, Peer peer) throws IOException {
        batch.address(run, peer.address);
        MemorySegment all = batch.message(run);
        long result = -Libc.EAGAIN;
        for (int i = 0; isLater(result) && i < ATTEMPTS; i++) {
            result = socket.send(batch.state(), all);
        }
        switch ((int) Math.min(result, 0)) {
            // not between such interfaces, or not so long
            case -Libc.EINVAL, -Libc.EIO, -Libc.EMSGSIZE, -Libc.EOPNOTSUPP -> {
                sendSingly(batch, run, peer);
                // they could leave: it was for the piece
                peer.single = true;
            }
            default -> check("sendmsg", result);
        }
    }

    /** Sends one by one what could not leave together: then each has the ID 0. */
    private void sendSingly(Batch batch, int run, Peer peer) throws IOException {
        Icrc icrc = batch.icrc();
        UdpWire.between(icrc, batch.route(run));
        icrc.id(0);
        for (int i = batch.start(run); i < batch.start(run + 1); i++) {
            icrc.append(batch.packet(i), batch.length(i) - Icrc.BYTES);
            check("sendto", send(batch, i, peer));
        }
    }

    @Override
    public boolean receive(Arrival arrival, int most) throws IOException {
        boolean has = inbox.holds() || fetch(most);
        if (has) {
            next(arrival);
        }
        return has;
    }

    /** Has something come into the inbox; false if there is nothing. */
    private boolean fetch(int most) throws IOException {
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
