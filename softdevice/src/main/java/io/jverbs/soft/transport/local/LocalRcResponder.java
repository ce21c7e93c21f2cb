package io.jverbs.soft.transport.local;

import io.jverbs.Access;
import io.jverbs.WcFlags;
import io.jverbs.WcOpcode;
import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.memory.KeyCache;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.memory.SgeList;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.protocol.TrafficCounter;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.transport.QpSettings;
import io.jverbs.soft.transport.ReceiveSide;
import io.jverbs.soft.transport.ResponderProtocol;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.connection.RemoteAccess;
import io.jverbs.soft.wire.PacketView;
import java.lang.foreign.MemorySegment;

/**
 * The responder of a reliable connection: executes whole requests in the order of their PSNs and responds to each with
 * an ACK or a NAK. It serves requesters in the same JVM; {@code RcResponder} uses it for packets from the wire. Guarded
 * by the responder's lock.
 */
public final class LocalRcResponder extends ResponderProtocol {
    private static final int RECV = WcOpcode.RECV.code();
    private static final int RECV_RDMA_WITH_IMM = WcOpcode.RECV_RDMA_WITH_IMM.code();

    private final SoftQp qp;
    private final ReceiveSide receives;
    private final QpSettings settings;
    private final RemoteAccess remoteAccess;
    private final KeyCache targets;
    private final SgeList source = new SgeList(1);
    private final TrafficCounter sent = new TrafficCounter();
    /** Keeps the fields below off the cache lines of fields that the peer's thread writes. */
    @SuppressWarnings("unused")
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
    /** Its lowest 24 bits are the expected PSN. It grows by one for each packet, so that it also counts them. */
    private long position;
    /** The difference between the number of packets received and the position. */
    private long packetOffset;
    /** The number of payload bytes received. */
    private long bytes;
    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7;
    /** Whether all packets of a WRITE with immediate except the last were executed, and the last one is expected. */
    private boolean midWrite;
    /** Whether a NAK was sent for the expected PSN; only one is sent until that PSN arrives. */
    private boolean nakSent;

    public LocalRcResponder(SoftQp qp, ReceiveSide receives) {
        this.qp = qp;
        this.receives = receives;
        this.settings = qp.settings;
        this.remoteAccess = new RemoteAccess(qp);
        this.targets = KeyCache.remote(qp.responderKeys, Access.REMOTE_WRITE);
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public void expectPsn(int psn) {
        packetOffset += position - (psn & Psns.MASK);
        position = psn & Psns.MASK;
    }

    @Override
    public int expectedPsn() {
        return (int) position & Psns.MASK;
    }

    @Override
    public void clear() {
        assert qp.responder.lock().isHeldByCurrentThread();
        midWrite = false;
        nakSent = false;
    }

    /**
     * Whether responses reach the sender of a message. They are sent to the queue pair that this one is connected to,
     * which may be another one.
     */
    private boolean respondsTo(Message message) {
        return message.sourceQpn == settings.destinationQpn;
    }

    @Override
    public ResponderProtocol direct(Message message) {
        return respondsTo(message) && message.mtu == settings.pathMtu ? this : null;
    }

    @Override
    public void receive(PacketView packet, PacketAddresses addresses) {
        throw new IllegalStateException("a responder without a wire receives no packets");
    }

    @Override
    public void execute(Message message) {
        assert qp.responder.lock().isHeldByCurrentThread();
        executeInOrder(message);
        if (!respondsTo(message)) {
            message.reply = Message.NO_REPLY;
        }
    }

    private void executeInOrder(Message message) {
        int ahead = Psns.difference(message.psn, expectedPsn());
        if (ahead != 0) {
            outOfOrder(message, ahead);
            return;
        }
        nakSent = false;
        qp.requestArrived();
        if (isMalformed(message)) {
            refuse(message, Message.NAK_INVALID);
            return;
        }
        int opcode = message.opcode;
        if (WrOpcodeCode.isWrite(opcode)) {
            write(message);
        } else if (WrOpcodeCode.isSend(opcode)) {
            send(message);
        } else {
            respond(message);
        }
    }

    /** Executes a READ or atomic and counts its response packets; that of an atomic has no payload. */
    private void respond(Message message) {
        boolean reads = message.opcode == WrOpcodeCode.RDMA_READ;
        if (reads) {
            finish(message, remoteAccess.read(message, respondsTo(message)));
        } else {
            atomic(message);
        }
        if (message.reply == Message.ACK) {
            sent.packets(message.packets, reads ? message.length : 0);
        }
    }

    /** Executes an atomic; stores the response in the message. */
    public void atomic(Message message) {
        assert qp.responder.lock().isHeldByCurrentThread();
        finish(message, remoteAccess.atomic(message));
    }

    /** Acknowledges a READ or atomic, or refuses it with a NAK. */
    private void finish(Message message, int reply) {
        if (reply == Message.ACK) {
            acknowledge(message);
        } else {
            refuse(message, reply);
        }
    }

    /** Whether a PSN is expected, and the general path would record nothing about its request before it executes it. */
    private boolean isExpected(int psn) {
        assert qp.responder.lock().isHeldByCurrentThread();
        return psn == expectedPsn() && !nakSent && !midWrite && qp.hasRequests();
    }

    /** Executes a WRITE. Returns false, and changes nothing, if the general path must handle it. */
    boolean writeDirectly(int psn, int count, MemorySegment from, long at, long length, long remoteAddress,
            int rkey) {
        if (!isExpected(psn) || (settings.accessFlags & Access.REMOTE_WRITE) == 0) {
            return false;
        }
        KeyEntry entry = targets.find(rkey, remoteAddress, length);
        if (entry == null) {
            return false;
        }
        try {
            Copier.copyReleasing(from, at, entry.segment(), entry.offsetOf(remoteAddress), length, source);
        } catch (IllegalStateException | InternalError e) {
            return false;
        }
        accept(count, length);
        return true;
    }

    private void accept(int count, long length) {
        position += count;
        bytes += length;
    }

    /** The access of the peer to this queue pair's memory. */
    public RemoteAccess remoteAccess() {
        return remoteAccess;
    }

    /** Counts a packet from the wire. */
    public void packetAccepted(long payload) {
        packetOffset++;
        bytes += payload;
    }

    /** The counter of response packets: those with data, and on the wire also acknowledgements. */
    public TrafficCounter sent() {
        return sent;
    }

    @Override
    public Traffic traffic() {
        return Traffic.received(position + packetOffset, bytes).plus(sent.sent());
    }

    /** Executes a SEND. Returns false, and changes nothing, if the general path must handle it. */
    boolean sendDirectly(int psn, int count, MemorySegment from, long at, long length, boolean solicited) {
        if (!isExpected(psn) || !receives.receiveDirectly(from, at, length)) {
            return false;
        }
        receives.complete(RECV, length, 0, 0, 0, solicited);
        accept(count, length);
        receives.prepare();
        return true;
    }

    private void outOfOrder(Message message, int ahead) {
        if (ahead > 0) {
            qp.count(Counter.OUT_OF_SEQUENCE);
            if (!nakSent) {
                nakSent = true;
                qp.count(Counter.SENT_NAK_SEQUENCE);
                message.reply = Message.NAK_SEQUENCE;
                message.replyPsn = expectedPsn();
            }
            return;
        }
        qp.count(Counter.DUPLICATE_REQUEST);
        if (ahead + message.packets > 0) {
            // the first packets are duplicates; the others are new, but continue a message that was never started
            refuse(message, Message.NAK_INVALID);
        } else if (!WrOpcodeCode.isResponding(message.opcode)) {
            message.reply = Message.ACK;
            message.replyPsn = Psns.add(expectedPsn(), -1);
        }
    }

    /**
     * Whether the lengths of the packets do not fit the path MTU, the request starts a message before the previous one
     * has ended, or it continues a message that was not started.
     */
    private boolean isMalformed(Message message) {
        int mtu = settings.pathMtu;
        boolean badLength = message.opcode != WrOpcodeCode.RDMA_READ
                && (message.packets > 1 ? message.mtu != mtu : message.length - message.offset > mtu);
        return badLength || message.isFirst() == midWrite;
    }

    private void send(Message message) {
        if (!receives.load()) {
            notReady(message);
            return;
        }
        long length = message.length;
        if (length > receives.room()) {
            failReceive(message, Message.NAK_INVALID, WcStatusCode.LOC_LEN_ERR);
            return;
        }
        if (!receives.resolve(length) || !receives.place(message, message.data, 0, length)) {
            failReceive(message, Message.NAK_OPERATION, WcStatusCode.LOC_PROT_ERR);
            return;
        }
        if (!message.dataValid) {
            return;
        }
        if (message.opcode == WrOpcodeCode.SEND_WITH_INV && !remoteAccess.invalidate(message.immediate)) {
            // the receive request completes in error, and no response is sent (fault class J of the specification)
            failReceive(message, Message.NO_REPLY, WcStatusCode.MW_BIND_ERR);
            return;
        }
        int flags = message.opcode == WrOpcodeCode.SEND_WITH_IMM
                ? WcFlags.WITH_IMM
                : message.opcode == WrOpcodeCode.SEND_WITH_INV ? WcFlags.WITH_INV : 0;
        receives.complete(RECV, length, flags == 0 ? 0 : message.immediate, 0, flags, message.solicited);
        acknowledge(message);
    }

    private void write(Message message) {
        if ((settings.accessFlags & Access.REMOTE_WRITE) == 0) {
            refuse(message, Message.NAK_INVALID);
            return;
        }
        KeyEntry entry = null;
        if (message.length != 0) {
            entry = remoteAccess.find(message, Access.REMOTE_WRITE, message.length);
            if (entry == null) {
                refuse(message, Message.NAK_ACCESS);
                return;
            }
        }
        boolean withImmediate = message.opcode == WrOpcodeCode.RDMA_WRITE_WITH_IMM;
        boolean ready = !withImmediate || receives.load();
        int executable = ready ? message.packets : message.packets - 1;
        long executed = Math.min(message.length - message.offset, (long) executable * message.mtu);
        if (executed != 0 && !store(message, entry, executed)) {
            return;
        }
        if (!ready) {
            accept(executable, executed);
            midWrite = midWrite || executable != 0;
            notReady(message);
            return;
        }
        if (withImmediate) {
            receives.complete(RECV_RDMA_WITH_IMM, message.length, message.immediate, 0, WcFlags.WITH_IMM,
                    message.solicited);
        }
        midWrite = false;
        acknowledge(message);
    }

    private boolean store(Message message, KeyEntry entry, long length) {
        try {
            Copier.gatherReleasing(message.data, message.offset, entry, message.remoteAddress + message.offset, length);
            return true;
        } catch (IllegalStateException | InternalError e) {
            qp.noteLostMemory(e);
            if (message.data.exists()) {
                refuse(message, Message.NAK_ACCESS);
            } else {
                message.dataValid = false;
            }
            return false;
        }
    }

    /** Completes the receive request of a SEND from the wire. */
    public void completeSend(long length, int word, boolean immediate, boolean invalidates, boolean solicited) {
        int flags = immediate ? WcFlags.WITH_IMM : invalidates ? WcFlags.WITH_INV : 0;
        receives.complete(RECV, length, word, 0, flags, solicited);
    }

    /** Completes the receive request of a WRITE with immediate from the wire. */
    public void completeWrite(long length, int immediate, boolean solicited) {
        receives.complete(RECV_RDMA_WITH_IMM, length, immediate, 0, WcFlags.WITH_IMM, solicited);
    }

    private void acknowledge(Message message) {
        if (WrOpcodeCode.isResponding(message.opcode)) {
            packetOffset -= message.packets - 1;
        } else {
            bytes += message.length - message.offset;
        }
        position += message.packets;
        message.reply = Message.ACK;
        message.replyPsn = Psns.add(expectedPsn(), -1);
    }

    private void notReady(Message message) {
        qp.count(Counter.SENT_RNR);
        message.reply = Message.RNR_NAK;
        message.replyPsn = expectedPsn();
        message.rnrTimer = settings.minRnrTimer;
    }

    /** Moves the queue pair to ERR, then completes the receive request in error, and responds with a NAK. */
    public void failReceive(Message message, int nak, int status) {
        qp.fail(0);
        receives.completeInError(status);
        reply(message, nak);
    }

    /**
     * Moves the queue pair to ERR, raises an event, because no receive request reports the fault, and responds with a
     * NAK.
     */
    public void refuse(Message message, int nak) {
        qp.fail(nak == Message.NAK_ACCESS ? SoftQp.ACCESS_ERROR : SoftQp.REQUEST_ERROR);
        reply(message, nak);
    }

    private void reply(Message message, int nak) {
        message.reply = nak;
        message.replyPsn = expectedPsn();
        switch (nak) {
            case Message.NAK_INVALID -> qp.count(Counter.SENT_NAK_INVALID);
            case Message.NAK_ACCESS -> {
                qp.count(Counter.REMOTE_ACCESS);
                qp.count(Counter.SENT_NAK_ACCESS);
            }
            case Message.NAK_OPERATION -> qp.count(Counter.SENT_NAK_OPERATION);
            // NO_REPLY: a key that cannot be invalidated
            default -> qp.count(Counter.REMOTE_ACCESS);
        }
    }
}
