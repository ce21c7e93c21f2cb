package io.jverbs.contract.end;

import io.jverbs.QpType;
import java.io.Serializable;

/** The creation attributes of a queue pair. {@link End#NONE} omits a completion queue or shared receive queue. */
public record QpSpec(int type, int pd, int sendCq, int recvCq, int srq, int maxSendWr, int maxRecvWr, int maxSendSge,
        int maxRecvSge, int maxInlineData, boolean signalAll,
        boolean blockOwnMulticast) implements Serializable {

    /**
     * Returns the defaults: 16 requests and 4 elements for each queue, 64 bytes inline, no SRQ, completions of signaled
     * requests only.
     */
    public static QpSpec of(QpType type, int pd, int cq) {
        return new QpSpec(type.code(), pd, cq, cq, End.NONE, 16, 16, 4, 4, 64, false,
                false);
    }

    public QpSpec type(int raw) {
        return new QpSpec(raw, pd, sendCq, recvCq, srq, maxSendWr, maxRecvWr, maxSendSge, maxRecvSge, maxInlineData,
                signalAll, blockOwnMulticast);
    }

    public QpSpec pd(int id) {
        return new QpSpec(type, id, sendCq, recvCq, srq, maxSendWr, maxRecvWr, maxSendSge, maxRecvSge, maxInlineData,
                signalAll, blockOwnMulticast);
    }

    public QpSpec cqs(int send, int recv) {
        return new QpSpec(type, pd, send, recv, srq, maxSendWr, maxRecvWr, maxSendSge, maxRecvSge, maxInlineData,
                signalAll, blockOwnMulticast);
    }

    public QpSpec srq(int id) {
        return new QpSpec(type, pd, sendCq, recvCq, id, maxSendWr, maxRecvWr, maxSendSge, maxRecvSge, maxInlineData,
                signalAll, blockOwnMulticast);
    }

    public QpSpec wrs(int send, int recv) {
        return new QpSpec(type, pd, sendCq, recvCq, srq, send, recv, maxSendSge, maxRecvSge, maxInlineData, signalAll,
                blockOwnMulticast);
    }

    public QpSpec maxSges(int send, int recv) {
        return new QpSpec(type, pd, sendCq, recvCq, srq, maxSendWr, maxRecvWr, send, recv, maxInlineData, signalAll,
                blockOwnMulticast);
    }

    public QpSpec inline(int bytes) {
        return new QpSpec(type, pd, sendCq, recvCq, srq, maxSendWr, maxRecvWr, maxSendSge, maxRecvSge, bytes,
                signalAll, blockOwnMulticast);
    }

    public QpSpec signalAll(boolean all) {
        return new QpSpec(type, pd, sendCq, recvCq, srq, maxSendWr, maxRecvWr, maxSendSge, maxRecvSge, maxInlineData,
                all, blockOwnMulticast);
    }

    public QpSpec blockOwnMulticast(boolean block) {
        return new QpSpec(type, pd, sendCq, recvCq, srq, maxSendWr, maxRecvWr, maxSendSge, maxRecvSge, maxInlineData,
                signalAll, block);
    }
}
