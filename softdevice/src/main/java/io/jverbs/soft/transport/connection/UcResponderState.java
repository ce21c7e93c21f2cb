package io.jverbs.soft.transport.connection;

import io.jverbs.Access;
import io.jverbs.WcOpcode;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.protocol.TrafficCounter;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.transport.ReceiveSide;
import io.jverbs.soft.transport.ResponderProtocol;
import io.jverbs.soft.transport.SoftQp;

/**
 * The part of an unreliable connection's responder that is the same for requests from the same JVM and from the wire:
 * the expected PSN, the counters, and how payload is stored or dropped. Guarded by the responder's lock.
 */
public abstract class UcResponderState extends ResponderProtocol {
    /** The opcode of the completion of a SEND. */
    protected static final int RECV = WcOpcode.RECV.code();
    /** The opcode of the completion of a WRITE with immediate. */
    protected static final int RECV_RDMA_WITH_IMM = WcOpcode.RECV_RDMA_WITH_IMM.code();

    protected final SoftQp qp;
    protected final ReceiveSide receives;
    /** The counter of received packets. */
    protected final TrafficCounter received = new TrafficCounter();
    private int expectedPsn;

    protected UcResponderState(SoftQp qp, ReceiveSide receives) {
        this.qp = qp;
        this.receives = receives;
    }

    @Override
    public final void expectPsn(int psn) {
        expectedPsn = psn & Psns.MASK;
    }

    @Override
    public final int expectedPsn() {
        return expectedPsn;
    }

    @Override
    public final Traffic traffic() {
        return received.received();
    }

    /**
     * Stores payload of a SEND in the memory of the next receive request. Returns false if that is not possible; then
     * the SEND is dropped.
     *
     * @param offset the number of bytes of the SEND before the payload
     */
    protected final boolean storeSend(Message payload, long offset) {
        long end = offset + payload.length;
        if (!receives.load()) {
            qp.count(Counter.NO_RECEIVE);
            return false;
        }
        if (end > receives.room()) {
            qp.count(Counter.NO_RECEIVE);
            receives.dropTooLong();
            return false;
        }
        if (!receives.resolve(end) || !receives.place(payload, payload.data, offset, payload.length)) {
            qp.count(Counter.NO_RECEIVE);
            qp.fail(0);
            receives.completeInError(WcStatusCode.LOC_PROT_ERR);
            return false;
        }
        return true;
    }

    /** Checks the remote key of a WRITE; returns its entry, or null if it does not permit access to the whole range. */
    protected final KeyEntry checkRkey(int rkey, long address, long length) {
        return qp.responderKeys().checkRkey(rkey, address, length, Access.REMOTE_WRITE);
    }
}
