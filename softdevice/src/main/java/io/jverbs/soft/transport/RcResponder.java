package io.jverbs.soft.transport;

import io.jverbs.Access;
import io.jverbs.WcFlags;
import io.jverbs.WcOpcode;
import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.memory.Domain;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.memory.KnownKey;
import io.jverbs.soft.memory.Regions;
import io.jverbs.soft.memory.SgeList;
import io.jverbs.soft.queue.WcStatusCode;
import java.lang.foreign.MemorySegment;

/**
 * The responder of a reliable connection: executes requests in the order of their PSNs and answers each with an ACK or a NAK.
 * Guarded by the responder's lock.
 */
final class RcResponder {
    private static final int RECV = WcOpcode.RECV.code();
    private static final int RECV_RDMA_WITH_IMM = WcOpcode.RECV_RDMA_WITH_IMM.code();

    private final SoftQp qp;
    private final ReceiveSide receives;
    private final Settings settings;
    private final Regions regions;
    private final Domain domain;
    private final Port port;
    private final int number;
    private final KnownKey targets;
    private final SgeList source = new SgeList(1);
    private final Tally sent = new Tally();
    /** Keeps it from the cache lines of what the peer's thread writes. */
    @SuppressWarnings("unused")
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
    /** Its lowest 24 bits are the PSN expected next; it grows with each packet, so that packets need not be counted besides. */
    private long position;
    /** What is to be added to the position for the number of packets taken. */
    private long besides;
    private long bytes;
    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7;
    /** The last packet of a WRITE with immediate is awaited; those before it were executed. */
    private boolean midWrite;
    /** The gap before {@link #position} was answered by a NAK; one is enough. */
    private boolean nakSent;

    RcResponder(SoftQp qp, ReceiveSide receives) {
        this.qp = qp;
        this.receives = receives;
        this.settings = qp.settings;
        this.regions = qp.around.regions();
        this.domain = qp.parts.domain();
        this.port = qp.around.port();
        this.number = qp.number();
        this.targets = KnownKey.remote(regions, domain, Access.REMOTE_WRITE, number);
    }

    void expectPsn(int psn) {
        besides += position - (psn & Psns.MASK);
        position = psn & Psns.MASK;
    }

    int expectedPsn() {
        return (int) position & Psns.MASK;
    }

    void reset() {
        midWrite = false;
        nakSent = false;
    }

    /** Whether our answers go to the sender: they go to the queue pair that we are connected to, which may be another. */
    boolean answers(Message message) {
        return message.sourceQpn == settings.destinationQpn;
    }

    void execute(Message message) {
        int ahead = Psns.difference(message.psn, expectedPsn());
        if (ahead != 0) {
            outOfOrder(message, ahead);
            return;
        }
        nakSent = false;
        qp.noteRequest();
        if (isMalformed(message)) {
            refuse(message, Message.NAK_INVALID);
            return;
        }
        int opcode = message.opcode;
        if (Opcode.isWrite(opcode)) {
            write(message);
        } else if (Opcode.isSend(opcode)) {
            send(message);
        } else {
            respond(message);
        }
    }

    /** Answers with data; an atomic's is in a header, so that its packet has no payload. */
    private void respond(Message message) {
        boolean reads = message.opcode == Opcode.RDMA_READ;
        if (reads) {
            read(message);
        } else {
            atomic(message);
        }
        if (message.reply == Message.ACK) {
            sent.packets(message.packets, reads ? message.length : 0);
        }
    }

    /** Whether a request is the one expected, and nothing special is to be noted about it. */
    private boolean isExpected(int psn) {
        return psn == expectedPsn() && !nakSent && !midWrite && qp.hasRequests();
    }

    /** Executes a WRITE; false, with nothing done, unless it is expected and allowed and the memory is there. */
    boolean writeAtOnce(int psn, int count, MemorySegment from, long at, long length, long remoteAddress, int rkey) {
        if (!isExpected(psn) || (settings.accessFlags & Access.REMOTE_WRITE) == 0) {
            return false;
        }
        KeyEntry entry = targets.find(rkey);
        if (entry == null || !entry.contains(remoteAddress, length)) {
            return false;
        }
        try {
            Copier.copyReleasing(from, at, entry.segment(), entry.offsetOf(remoteAddress), length, source);
        } catch (IllegalStateException | InternalError e) {
            return false;
        }
        take(count, length);
        return true;
    }

    private void take(int count, long length) {
        position += count;
        bytes += length;
    }

    /** A packet was taken from the wire. */
    void took(long payload) {
        besides++;
        bytes += payload;
    }

    /** Packets of answers: those with data, and on the wire acknowledgements too. */
    Tally sent() {
        return sent;
    }

    Traffic traffic() {
        return Traffic.received(position + besides, bytes).plus(sent.sent());
    }

    /** Executes a SEND; false, with nothing done, unless it is expected and there is a receive request that holds it. */
    boolean sendAtOnce(int psn, int count, MemorySegment from, long at, long length, boolean solicited) {
        if (!isExpected(psn) || !receives.takeAtOnce(from, at, length)) {
            return false;
        }
        receives.complete(RECV, length, 0, 0, 0, solicited);
        take(count, length);
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
            // its later packets would be new, but the first of them continues a message that never began
            refuse(message, Message.NAK_INVALID);
        } else if (!Opcode.isResponding(message.opcode)) {
            message.reply = Message.ACK;
            message.replyPsn = Psns.add(expectedPsn(), -1);
        }
    }

    /** Whether packets have not the length that our MTU asks of them, or a message is continued that was not begun. */
    private boolean isMalformed(Message message) {
        int mtu = settings.pathMtu;
        boolean badLength = message.opcode != Opcode.RDMA_READ
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
        if (message.opcode == Opcode.SEND_WITH_INV
                && !regions.invalidate(message.immediate, domain, number)) {
            // class J: the receive completes in error and nobody answers
            failReceive(message, Message.NO_REPLY, WcStatusCode.MW_BIND_ERR);
            return;
        }
        int flags = message.opcode == Opcode.SEND_WITH_IMM
                ? WcFlags.WITH_IMM
                : message.opcode == Opcode.SEND_WITH_INV ? WcFlags.WITH_INV : 0;
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
            entry = find(message, Access.REMOTE_WRITE, message.length);
            if (entry == null) {
                refuse(message, Message.NAK_ACCESS);
                return;
            }
        }
        boolean withImmediate = message.opcode == Opcode.RDMA_WRITE_WITH_IMM;
        boolean ready = !withImmediate || receives.load();
        int executable = ready ? message.packets : message.packets - 1;
        long executed = Math.min(message.length - message.offset, (long) executable * message.mtu);
        if (executed != 0 && !store(message, entry, executed)) {
            return;
        }
        if (!ready) {
            take(executable, executed);
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
            Copier.gatherReleasing(message.data, message.offset, entry.segment(),
                    entry.offsetOf(message.remoteAddress + message.offset), length);
            return true;
        } catch (IllegalStateException | InternalError e) {
            if (message.data.isAlive()) {
                refuse(message, Message.NAK_ACCESS);
            } else {
                message.dataValid = false;
            }
            return false;
        }
    }

    private void read(Message message) {
        if (!mayRespond(Access.REMOTE_READ)) {
            refuse(message, Message.NAK_INVALID);
            return;
        }
        if (message.length != 0) {
            KeyEntry entry = find(message, Access.REMOTE_READ, message.length);
            if (entry == null) {
                refuse(message, Message.NAK_ACCESS);
                return;
            }
            if (message.dataValid && answers(message) && !fetch(message, entry)) {
                return;
            }
        }
        acknowledge(message);
    }

    private boolean fetch(Message message, KeyEntry entry) {
        source.set(entry.segment(), entry.offsetOf(message.remoteAddress), message.length);
        try {
            Copier.copy(source, 0, message.data, 0, message.length);
            return true;
        } catch (IllegalStateException | InternalError e) {
            if (source.isAlive()) {
                message.dataValid = false;
                return true;
            }
            refuse(message, Message.NAK_ACCESS);
            return false;
        }
    }

    void atomic(Message message) {
        if ((message.remoteAddress & Long.BYTES - 1) != 0 || !mayRespond(Access.REMOTE_ATOMIC)) {
            refuse(message, Message.NAK_INVALID);
            return;
        }
        KeyEntry entry = find(message, Access.REMOTE_ATOMIC, Long.BYTES);
        if (entry == null) {
            refuse(message, Message.NAK_ACCESS);
            return;
        }
        long offset = entry.offsetOf(message.remoteAddress);
        if ((entry.segment().address() + offset & Long.BYTES - 1) != 0) {
            refuse(message, Message.NAK_INVALID);
            return;
        }
        try {
            message.original = message.opcode == Opcode.FETCH_AND_ADD
                    ? Copier.fetchAndAdd(entry.segment(), offset, message.compareAdd)
                    : Copier.compareAndSwap(entry.segment(), offset, message.compareAdd, message.swap);
        } catch (IllegalStateException | InternalError e) {
            refuse(message, Message.NAK_ACCESS);
            return;
        }
        acknowledge(message);
    }

    boolean mayRespond(int access) {
        return (settings.accessFlags & access) != 0 && settings.maxDestRdAtomic > 0;
    }

    /** Looks a remote key up for the whole range of a request; null if it does not grant it. */
    private KeyEntry find(Message message, int access, long length) {
        return find(message.rkey, message.remoteAddress, length, access);
    }

    KeyEntry find(int rkey, long address, long length, int access) {
        KeyEntry entry = regions.find(rkey);
        return entry != null && entry.allows(domain, access, number) && entry.contains(address, length) ? entry : null;
    }

    boolean invalidate(int rkey) {
        return regions.invalidate(rkey, domain, number);
    }

    /** Completes the receive request of a SEND that came in packets. */
    void completeSend(long length, int word, boolean immediate, boolean invalidates, boolean solicited) {
        int flags = immediate ? WcFlags.WITH_IMM : invalidates ? WcFlags.WITH_INV : 0;
        receives.complete(RECV, length, word, 0, flags, solicited);
    }

    /** Completes the receive request of a WRITE with immediate that came in packets. */
    void completeWrite(long length, int immediate, boolean solicited) {
        receives.complete(RECV_RDMA_WITH_IMM, length, immediate, 0, WcFlags.WITH_IMM, solicited);
    }

    private void acknowledge(Message message) {
        if (Opcode.isResponding(message.opcode)) {
            besides -= message.packets - 1;
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

    /** Completes the receive request in error, after the state has changed, and answers. */
    void failReceive(Message message, int nak, int status) {
        qp.fail(0);
        receives.completeInError(status);
        answer(message, nak);
    }

    /** Answers with a NAK for a fault that no receive request tells of, so an event does. */
    void refuse(Message message, int nak) {
        qp.fail(nak == Message.NAK_ACCESS ? SoftQp.ACCESS_ERROR : SoftQp.REQUEST_ERROR);
        answer(message, nak);
    }

    private void answer(Message message, int nak) {
        message.reply = nak;
        message.replyPsn = expectedPsn();
        switch (nak) {
            case Message.NAK_INVALID -> qp.count(Counter.SENT_NAK_INVALID);
            case Message.NAK_ACCESS -> {
                qp.count(Counter.REMOTE_ACCESS);
                qp.count(Counter.SENT_NAK_ACCESS);
            }
            case Message.NAK_OPERATION -> qp.count(Counter.SENT_NAK_OPERATION);
            // silence: about a key that cannot be invalidated
            default -> qp.count(Counter.REMOTE_ACCESS);
        }
    }
}
