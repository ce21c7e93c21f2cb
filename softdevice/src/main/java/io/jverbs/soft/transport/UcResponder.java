package io.jverbs.soft.transport;

import io.jverbs.Access;
import io.jverbs.WcFlags;
import io.jverbs.WcOpcode;
import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.queue.WcStatusCode;

/**
 * The responder of an unreliable connection: executes what it can and drops the rest without a word. Guarded by the responder's
 * lock.
 */
final class UcResponder {
    private static final int RECV = WcOpcode.RECV.code();
    private static final int RECV_RDMA_WITH_IMM = WcOpcode.RECV_RDMA_WITH_IMM.code();

    private final SoftQp qp;
    private final ReceiveSide receives;
    private int expectedPsn;
    private final Tally received = new Tally();

    UcResponder(SoftQp qp, ReceiveSide receives) {
        this.qp = qp;
        this.receives = receives;
    }

    void expectPsn(int psn) {
        expectedPsn = psn & Psns.MASK;
    }

    int expectedPsn() {
        return expectedPsn;
    }

    /** What was taken, from the wire too. */
    Tally received() {
        return received;
    }

    Traffic traffic() {
        return received.received();
    }

    void execute(Message message) {
        // whole messages arrive, and the first packet of a message is good whatever its PSN
        expectedPsn = Psns.add(message.psn, message.packets);
        int mtu = qp.settings.pathMtu;
        if (message.packets > 1 ? message.mtu != mtu : message.length > mtu) {
            qp.count(Counter.INVALID_REQUEST);
            return;
        }
        qp.noteRequest();
        if (Opcode.isWrite(message.opcode)) {
            write(message);
        } else {
            send(message);
        }
    }

    /** Counts packets from the first on, of which all but a message's last are full. */
    private void took(Message message, int packets) {
        received.packets(packets, Math.min(message.length, (long) packets * message.mtu));
    }

    private void send(Message message) {
        if (!receives.load()) {
            qp.count(Counter.NO_RECEIVE);
            return;
        }
        long length = message.length;
        if (length > receives.room()) {
            qp.count(Counter.NO_RECEIVE);
            if (receives.isShared()) {
                receives.completeInError(WcStatusCode.LOC_LEN_ERR);
            }
            return;
        }
        if (!receives.resolve(length) || !receives.place(message, message.data, 0, length)) {
            qp.count(Counter.NO_RECEIVE);
            qp.fail(0);
            receives.completeInError(WcStatusCode.LOC_PROT_ERR);
            return;
        }
        if (message.dataValid) {
            took(message, message.packets);
            boolean withImmediate = message.opcode == Opcode.SEND_WITH_IMM;
            receives.complete(RECV, length, withImmediate ? message.immediate : 0, 0,
                    withImmediate ? WcFlags.WITH_IMM : 0,
                    message.solicited);
        }
    }

    private void write(Message message) {
        if ((qp.settings.accessFlags & Access.REMOTE_WRITE) == 0 || message.length != 0 && !store(message)) {
            qp.count(Counter.REMOTE_ACCESS);
            return;
        }
        if (message.opcode == Opcode.RDMA_WRITE_WITH_IMM) {
            if (!receives.load()) {
                qp.count(Counter.NO_RECEIVE);
                took(message, message.packets - 1);
                return;
            }
            receives.complete(RECV_RDMA_WITH_IMM, message.length, message.immediate, 0, WcFlags.WITH_IMM,
                    message.solicited);
        }
        took(message, message.packets);
    }

    /** Looks a remote key up for the whole range of a WRITE; null if it does not grant it. */
    KeyEntry find(int rkey, long address, long length) {
        KeyEntry entry = qp.around.regions().find(rkey);
        return entry != null && entry.allows(qp.parts.domain(), Access.REMOTE_WRITE, qp.number())
                && entry.contains(address, length) ? entry : null;
    }

    private boolean store(Message message) {
        KeyEntry entry = find(message.rkey, message.remoteAddress, message.length);
        if (entry == null) {
            return false;
        }
        try {
            Copier.gatherReleasing(message.data, 0, entry.segment(), entry.offsetOf(message.remoteAddress),
                    message.length);
            return true;
        } catch (IllegalStateException | InternalError e) {
            message.dataValid = message.data.isAlive();
            return false;
        }
    }
}
