package io.jverbs.soft.transport.rc;

import io.jverbs.Access;
import io.jverbs.QpType;
import io.jverbs.soft.congestion.PathWindow;
import io.jverbs.soft.memory.SoftMr;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.transport.BareDevice;
import io.jverbs.soft.transport.BareQueuePair;
import io.jverbs.soft.transport.IncomingPacket;
import io.jverbs.soft.transport.Outbox;
import io.jverbs.soft.transport.Responses;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.WireOpcode;
import java.lang.foreign.MemorySegment;

/** The responder of a reliable connection over the wire, with memory for its peer and for receive requests. */
final class TestedResponder {
    static final int QPN = 5;
    static final int MTU = 256;
    /** The number of bytes that a receive request holds. */
    static final int ROOM = 4 * MTU;
    /** The number of READs and atomics that the peer may have outstanding. */
    static final int MAX_DEST_RD_ATOMIC = 2;
    static final int ALL_REMOTE = Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;

    final BareDevice device;
    final BareQueuePair pair;
    /** The memory that the peer accesses. */
    final MemorySegment target;
    private final MemorySegment inbox;
    private final SoftMr inboxRegion;
    private final SoftMr targetRegion;
    private final IncomingPacket packet;
    private final Outbox outbox;
    private final int firstPsn;
    private int receives;
    private int scheduled;

    /**
     * Makes the responder of a new queue pair in RTS.
     *
     * @param firstPsn the PSN expected first
     * @param access the access flags of the queue pair
     * @param regionAccess those of the memory, with which LOCAL_WRITE is granted
     */
    TestedResponder(int firstPsn, int access, int regionAccess) {
        this(firstPsn, access, regionAccess, null);
    }

    /** Makes the responder of a new queue pair in RTS, with the window of the path to its peer. */
    TestedResponder(int firstPsn, PathWindow path) {
        this(firstPsn, ALL_REMOTE, ALL_REMOTE, path);
    }

    private TestedResponder(int firstPsn, int access, int regionAccess, PathWindow path) {
        this.firstPsn = firstPsn;
        device = BareDevice.withWire();
        if (path != null) {
            device.wire.pathWindow(path);
        }
        pair = device.create(QpType.RC, QPN);
        target = BareDevice.memory(4096 * MTU);
        targetRegion = device.register(target, regionAccess | Access.LOCAL_WRITE);
        inbox = BareDevice.memory(BareQueuePair.SLOTS * ROOM);
        inboxRegion = device.register(inbox, Access.LOCAL_WRITE);
        packet = new IncomingPacket(QPN);
        outbox = new Outbox(device.wire);
        connect(access);
    }

    /** Makes the responder of another queue pair of the same device, with the same memory. */
    TestedResponder(TestedResponder other, int number) {
        firstPsn = other.firstPsn;
        device = other.device;
        pair = device.create(QpType.RC, number);
        target = other.target;
        targetRegion = other.targetRegion;
        inbox = other.inbox;
        inboxRegion = other.inboxRegion;
        packet = new IncomingPacket(number);
        outbox = new Outbox(device.wire);
        connect(ALL_REMOTE);
    }

    private void connect(int access) {
        pair.qp.settings().pathMtu = MTU;
        pair.qp.settings().accessFlags = access;
        pair.qp.settings().maxDestRdAtomic = MAX_DEST_RD_ATOMIC;
        pair.qp.settings().minRnrTimer = 1;
        pair.connect(BareDevice.PEER, 9, 0, firstPsn);
    }

    TestedResponder(int firstPsn) {
        this(firstPsn, ALL_REMOTE, ALL_REMOTE);
    }

    /** Posts a receive request, whose wr_id is its number, from 1. */
    void postReceive() {
        long at = inbox.address() + (long) receives * ROOM;
        pair.postReceive(++receives, inboxRegion, at, ROOM);
    }

    /** The memory of a receive request. */
    MemorySegment received(int wrId) {
        return inbox.asSlice((wrId - 1L) * ROOM, ROOM);
    }

    /** Begins a request packet, whose PSN counts from the first one. */
    PacketEncoder begin(int opcode, int psn, int payload, boolean ackRequest) {
        return packet.begin(opcode, ackRequest ? Bth.ACK_REQUEST : 0, Psns.add(firstPsn, psn), payload);
    }

    /** Lets the packet arrive that was begun, with a payload that repeats a value. */
    void deliver(int value) {
        pair.receive(packet.fill(value).decoded());
    }

    /** The address by which the peer names an offset in its memory. */
    long address(long offset) {
        return target.address() + offset;
    }

    int rkey() {
        return targetRegion.rkey();
    }

    /** Ends the registration of the peer's memory. */
    void deregisterTarget() {
        device.keyTable.deregister(targetRegion);
    }

    /** Lets a WRITE of 20 bytes arrive, which requests an acknowledgement. */
    void write(int psn) {
        begin(WireOpcode.WRITE_ONLY, psn, 20, true).reth(address(0), rkey(), 20);
        deliver('o');
    }

    /** Lets a READ arrive. */
    void read(int psn, long offset, long length, int key) {
        begin(WireOpcode.READ_REQUEST, psn, 0, true).reth(address(offset), key, length);
        deliver(0);
    }

    /** The number of packets of the messages received in order so far. */
    int expectedPsn() {
        int[] psn = new int[1];
        pair.locked(() -> psn[0] = pair.qp.responder().expectedPsn());
        return Psns.difference(psn[0], firstPsn);
    }

    /** Sends the responses that are due, if the responder has asked for a turn; returns whether some are left. */
    boolean takeTurn() {
        if (device.wire.scheduleCalls() == scheduled) {
            return false;
        }
        scheduled = device.wire.scheduleCalls();
        return takeTurn(false);
    }

    /** Sends responses in a new turn of a thread that polls or does not; returns whether some are left. */
    boolean takeTurn(boolean polling) {
        return takeTurn(polling, 0);
    }

    /** Sends responses in a turn in which other queue pairs have sent some; returns whether some are left. */
    boolean takeTurn(boolean polling, int others) {
        outbox.beginTurn();
        for (int i = 0; i < others; i++) {
            outbox.countResponse();
        }
        boolean more = pair.qp.responder().sendResponses(polling, outbox);
        outbox.release();
        device.deferred.run();
        return more;
    }

    /** The responses sent since the previous call, see {@link Responses}. */
    String sent() {
        return Responses.names(device.wire.takeSent(), firstPsn);
    }
}
