package io.jverbs.soft.transport;

import io.jverbs.soft.journal.Journal;
import io.jverbs.soft.protocol.QpStateCode;

/**
 * Records posts that were refused because the send queue is full, as JFR events. Because this is an ordinary outcome of
 * a post, at most one event is recorded in {@link #PAUSE_NANOS}. Guarded by the requester's lock.
 */
final class SendQueueFullLog {
    private static final long PAUSE_NANOS = 1_000_000;

    private final SoftQp qp;
    private final SendRing ring;
    private long recordedAt = System.nanoTime() - PAUSE_NANOS;

    SendQueueFullLog(SoftQp qp, SendRing ring) {
        this.qp = qp;
        this.ring = ring;
    }

    /**
     * Records that a request found no free slot.
     *
     * @param index the number of requests before it in its chain
     * @param started whether the oldest request that is not done has been started
     * @param wired whether the connection is over the wire
     */
    void note(int index, boolean started, boolean wired) {
        assert qp.requester().isHeldByCurrentThread();
        long now = System.nanoTime();
        if (now - recordedAt >= PAUSE_NANOS) {
            recordedAt = now;
            Journal.postStall(qp, ring.used(), oldestWrId(), reason(index, started, wired));
        }
    }

    private long oldestWrId() {
        long completion = ring.oldestUnpolled();
        if (completion != SendRing.NO_COMPLETION) {
            return qp.parts().sendCq().wrId(completion);
        }
        return ring.isEmpty() ? 0 : ring.wrId(ring.oldest());
    }

    private String reason(int index, boolean started, boolean wired) {
        if (index >= ring.slots()) {
            return "the rest of its chain, which is longer than the queue";
        }
        if (ring.oldestUnpolled() != SendRing.NO_COMPLETION) {
            return "its completion to be polled";
        }
        if (ring.isEmpty()) {
            return "a signaled request behind it: no request in the queue is signaled";
        }
        if (qp.state() == QpStateCode.SQD && !started) {
            return "the queue pair to leave SQD";
        }
        return wired ? "acknowledgements" : "its peer, which is not ready or does not respond";
    }
}
