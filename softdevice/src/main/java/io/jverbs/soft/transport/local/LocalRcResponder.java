package io.jverbs.soft.transport.local;

import io.jverbs.Access;
import io.jverbs.WcFlags;
import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.memory.KeyCache;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.memory.SgeList;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.transport.DirectResponder;
import io.jverbs.soft.transport.ReceiveSide;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.connection.RcResponderState;
import io.jverbs.soft.wire.PacketView;
import java.lang.foreign.MemorySegment;

/**
 * The responder of a reliable connection for requesters in the same JVM: executes whole requests in the order of their
 * PSNs and responds to each with an ACK or a NAK. Guarded by the responder's lock.
 */
public class LocalRcResponder extends RcResponderState {
    /** Its cached entry is {@link #target}. */
    private final KeyCache targets;
    private final KeyCache sources;
    private final KeyCache atomics;
    private final SgeList source = new SgeList(1);
    /** The original value of the latest atomic that was executed directly. */
    private long original;
    /** Keeps the fields of the superclass off the cache lines that other threads write. */
    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7;

    public LocalRcResponder(SoftQp qp, ReceiveSide receives) {
        super(qp, receives);
        this.targets = KeyCache.remote(qp.responderKeys(), Access.REMOTE_WRITE);
        this.target = targets.cached();
        this.sources = KeyCache.remote(qp.responderKeys(), Access.REMOTE_READ);
        this.atomics = KeyCache.remote(qp.responderKeys(), Access.REMOTE_ATOMIC);
    }

    /**
     * Whether responses reach the sender of a message. They are sent to the queue pair that this one is connected to,
     * which may be another one.
     */
    private boolean respondsTo(Message message) {
        return message.sourceQpn == settings.destinationQpn;
    }

    @Override
    public final DirectResponder direct(Message message) {
        if (!respondsTo(message) || message.mtu != settings.pathMtu || !qp.hasRequests()) {
            return null;
        }
        readAccess();
        return this;
    }

    @Override
    public void receive(PacketView packet, PacketAddresses addresses) {
        throw new IllegalStateException("a responder without a wire receives no packets");
    }

    @Override
    public final void execute(Message message) {
        assert qp.responder().lock().isHeldByCurrentThread();
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
        nakSent(false);
        qp.requestArrived();
        if (isMalformed(message)) {
            failWithNak(message, Message.NAK_INVALID_REQUEST);
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
            finish(message, remoteAccess.atomic(message));
        }
        if (message.reply == Message.ACK) {
            sent.packets(message.packets, reads ? message.length : 0);
        }
    }

    /** Acknowledges a READ or atomic, or refuses it with a NAK. */
    private void finish(Message message, int reply) {
        if (reply == Message.ACK) {
            acknowledge(message);
        } else {
            failWithNak(message, reply);
        }
    }

    /**
     * Whether a PSN is expected, and the general path would record nothing about its request before it executes it: the
     * first request since RESET is never direct.
     */
    private boolean isExpected(int psn) {
        assert qp.responder().lock().isHeldByCurrentThread();
        return psn == expectedPsn() && !isNakSent() && !isMidMessage();
    }

    @Override
    public final boolean writeDirectly(int psn, int count, MemorySegment from, long at, long length,
            long remoteAddress, int rkey) {
        if (!isExpected(psn) || !permits(Access.REMOTE_WRITE)) {
            return false;
        }
        KeyEntry entry = target.serves(rkey, remoteAddress, length)
                ? target
                : findTarget(rkey, remoteAddress, length);
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

    private KeyEntry findTarget(int rkey, long address, long length) {
        KeyEntry found = targets.find(rkey, address, length);
        if (targets.cached() != target) {
            target = targets.cached();
        }
        return found;
    }

    @Override
    public final boolean sendDirectly(int psn, int count, MemorySegment from, long at, long length,
            boolean solicited) {
        if (!isExpected(psn) || !receives.receiveDirectly(from, at, length, solicited)) {
            return false;
        }
        accept(count, length);
        receives.prepare();
        return true;
    }

    @Override
    public final boolean readDirectly(int psn, int count, MemorySegment to, long at, long length, long remoteAddress,
            int rkey) {
        if (!isExpected(psn) || !permits(Access.REMOTE_READ)) {
            return false;
        }
        KeyEntry entry = sources.find(rkey, remoteAddress, length);
        if (entry == null) {
            return false;
        }
        try {
            Copier.copy(entry.segment(), entry.offsetOf(remoteAddress), to, at, length);
        } catch (IllegalStateException | InternalError e) {
            return false;
        }
        acceptRead(count);
        sent.packets(count, length);
        return true;
    }

    @Override
    public final boolean atomicDirectly(int psn, boolean swaps, long compareAdd, long swap, long remoteAddress,
            int rkey) {
        if (!isExpected(psn) || !permits(Access.REMOTE_ATOMIC)) {
            return false;
        }
        KeyEntry entry = atomics.find(rkey, remoteAddress, Long.BYTES);
        if (entry == null || !remoteAccess.isAligned(entry, remoteAddress)) {
            return false;
        }
        try {
            original = swaps
                    ? Copier.compareAndSwap(entry, remoteAddress, compareAdd, swap)
                    : Copier.fetchAndAdd(entry, remoteAddress, compareAdd);
        } catch (IllegalStateException | InternalError e) {
            return false;
        }
        acceptRead(1);
        sent.packets(1, 0);
        return true;
    }

    @Override
    public final long original() {
        return original;
    }

    private void outOfOrder(Message message, int ahead) {
        if (ahead > 0) {
            if (psnSequenceError()) {
                message.reply = Message.NAK_PSN_SEQUENCE_ERROR;
                message.replyPsn = expectedPsn();
            }
            return;
        }
        qp.count(Counter.DUPLICATE_REQUEST);
        if (ahead + message.packets > 0) {
            // the first packets are duplicates; the others are new, but continue a message that was never started
            failWithNak(message, Message.NAK_INVALID_REQUEST);
        } else if (!WrOpcodeCode.isReadOrAtomic(message.opcode)) {
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
        return badLength || message.isFirst() == isMidMessage();
    }

    private void send(Message message) {
        if (!receives.load()) {
            sendRnrNak(message);
            return;
        }
        long length = message.length;
        if (length > receives.room()) {
            failReceiveWithNak(message, Message.NAK_INVALID_REQUEST, WcStatusCode.LOC_LEN_ERR);
            return;
        }
        if (!receives.resolve(length) || !receives.place(message, message.data, 0, length)) {
            failReceiveWithNak(message, Message.NAK_REMOTE_OPERATIONAL_ERROR, WcStatusCode.LOC_PROT_ERR);
            return;
        }
        if (!message.dataValid) {
            return;
        }
        if (message.opcode == WrOpcodeCode.SEND_WITH_INV && !remoteAccess.invalidate(message.immediate)) {
            // the receive request completes in error, and no response is sent (fault class J of the specification)
            failReceiveWithNak(message, Message.NO_REPLY, WcStatusCode.MW_BIND_ERR);
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
            failWithNak(message, Message.NAK_INVALID_REQUEST);
            return;
        }
        KeyEntry entry = null;
        if (message.length != 0) {
            entry = remoteAccess.checkRkey(message, Access.REMOTE_WRITE, message.length);
            if (entry == null) {
                failWithNak(message, Message.NAK_REMOTE_ACCESS_ERROR);
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
            midMessage(isMidMessage() || executable != 0);
            sendRnrNak(message);
            return;
        }
        if (withImmediate) {
            receives.complete(RECV_RDMA_WITH_IMM, message.length, message.immediate, 0, WcFlags.WITH_IMM,
                    message.solicited);
        }
        midMessage(false);
        acknowledge(message);
    }

    private boolean store(Message message, KeyEntry entry, long length) {
        try {
            Copier.gatherReleasing(message.data, message.offset, entry, message.remoteAddress + message.offset, length);
            return true;
        } catch (IllegalStateException | InternalError e) {
            if (message.data.exists()) {
                qp.noteLostMemory(e);
                failWithNak(message, Message.NAK_REMOTE_ACCESS_ERROR);
            } else {
                message.loseData(e);
            }
            return false;
        }
    }

    private void acknowledge(Message message) {
        if (WrOpcodeCode.isReadOrAtomic(message.opcode)) {
            acceptRead(message.packets);
        } else {
            accept(message.packets, message.length - message.offset);
        }
        message.reply = Message.ACK;
        message.replyPsn = Psns.add(expectedPsn(), -1);
    }

    private void sendRnrNak(Message message) {
        qp.count(Counter.SENT_RNR);
        message.reply = Message.RNR_NAK;
        message.replyPsn = expectedPsn();
        message.rnrTimer = settings.minRnrTimer;
    }
}
