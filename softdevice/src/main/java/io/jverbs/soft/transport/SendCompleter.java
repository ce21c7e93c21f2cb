package io.jverbs.soft.transport;

import io.jverbs.SendFlags;
import io.jverbs.soft.journal.Journal;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.queue.WcStatusCode;

/**
 * Completes the requests of a send queue in order: puts their completions and frees their slots. Guarded by the
 * requester's lock.
 */
public final class SendCompleter {
    private final SoftQp qp;
    private final SendRing ring;
    private final CompletionQueueCore sendCq;
    private final boolean signalAll;
    /** Whether an error moves the queue pair to ERR, not to SQE. */
    private final boolean reliable;
    /** The position after the last request whose completion was put, if that request is still in the ring. */
    private long completed;

    SendCompleter(SoftQp qp, SendRing ring, boolean reliable) {
        this.qp = qp;
        this.ring = ring;
        this.sendCq = qp.parts().sendCq();
        this.signalAll = qp.parts().signalAll();
        this.reliable = reliable;
    }

    /**
     * Completes the oldest request with SUCCESS.
     *
     * @param at its place in the ring
     * @param opcode its opcode
     * @param bytes the byte count of the completion
     */
    public void succeed(int at, int opcode, int bytes) {
        assert qp.requester().isHeldByCurrentThread();
        long completion = signalAll || (ring.flags(at) & SendFlags.SIGNALED) != 0
                ? sendCq.putSuccess(ring.wrId(at), WrOpcodeCode.completion(opcode), bytes, 0, qp.number(), 0, 0, false)
                : SendRing.NO_COMPLETION;
        completed = ring.first() + 1;
        ring.finish(completion);
    }

    /**
     * Completes the oldest request in error, after the state has changed; the requests after it are flushed.
     *
     * @param at its place in the ring
     * @param opcode its opcode
     * @param status the status of the completion
     */
    public void fail(int at, int opcode, int status) {
        assert qp.requester().isHeldByCurrentThread();
        countNak(status);
        // recorded before another thread can flush, so that the events are in order
        Journal.completionError(qp, false, ring.wrId(at), status, 1);
        if (reliable) {
            qp.fail(0);
        } else {
            qp.failSendQueue();
        }
        long completion = sendCq.putError(ring.wrId(at), status, WrOpcodeCode.completion(opcode), qp.number());
        completed = ring.first() + 1;
        ring.finish(completion);
    }

    /** Counts the NAK that a status results from, if any. The other NAKs were counted when they arrived. */
    private void countNak(int status) {
        switch (status) {
            case WcStatusCode.REM_INV_REQ_ERR -> qp.count(Counter.RECEIVED_NAK_INVALID);
            case WcStatusCode.REM_ACCESS_ERR -> qp.count(Counter.RECEIVED_NAK_ACCESS);
            case WcStatusCode.REM_OP_ERR -> qp.count(Counter.RECEIVED_NAK_OPERATION);
            default -> {
                // the status does not result from a NAK
            }
        }
    }

    /** Completes all requests with WR_FLUSH_ERR. */
    void flush() {
        assert qp.requester().isHeldByCurrentThread();
        if (!ring.isEmpty()) {
            Journal.completionError(qp, false, ring.wrId(ring.oldest()), WcStatusCode.WR_FLUSH_ERR, ring.count());
        }
        while (!ring.isEmpty()) {
            long completion = sendCq.added();
            // a request whose completion was put is still in the ring only if an Error was thrown in between
            if (ring.first() >= completed) {
                int at = ring.oldest();
                int opcode = WrOpcodeCode.completion(ring.opcode(at));
                completion = sendCq.putError(ring.wrId(at), WcStatusCode.WR_FLUSH_ERR, opcode, qp.number());
                completed = ring.first() + 1;
            }
            ring.finish(completion);
        }
    }
}
