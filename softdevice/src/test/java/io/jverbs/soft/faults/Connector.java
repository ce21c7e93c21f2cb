package io.jverbs.soft.faults;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.ConnectionInfo;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;

/** Connects a queue pair with a peer that knows it by another address than its own, as behind a {@link Middlebox}. */
public final class Connector {
    private static final int PORT = 1;
    /** The index of the GID of the IPv4 address. */
    private static final int SGID_INDEX = 1;
    /** The code of an ACK timeout of 16.8 ms. */
    private static final int TIMEOUT = 12;
    private static final int RETRIES = 7;

    private Connector() {}

    static void connect(QueuePair qp, int ownPsn, ConnectionInfo peer) {
        connect(qp, ownPsn, peer, TIMEOUT);
    }

    static void connect(QueuePair qp, int ownPsn, ConnectionInfo peer, int timeout) {
        connect(qp, ownPsn, peer, timeout, RETRIES);
    }

    /** Connects with the code of an ACK timeout and a retry count. */
    public static void connect(QueuePair qp, int ownPsn, ConnectionInfo peer, int timeout, int retries) {
        boolean reliable = qp.type() == QpType.RC;
        qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(PORT)
                .accessFlags(Access.REMOTE_WRITE
                        | (reliable ? Access.REMOTE_READ | Access.REMOTE_ATOMIC : 0))
                .build());
        QpAttributes.Builder ready = QpAttributes.builder().state(QpState.RTR)
                .addressVector(AhAttributes.to(peer.gid(), PORT, SGID_INDEX)).pathMtu(peer.mtu())
                .destinationQpn(peer.qpn()).rqPsn(peer.psn());
        qp.modify((reliable ? ready.maxDestRdAtomic(16).minRnrTimer(1) : ready).build());
        QpAttributes.Builder send = QpAttributes.builder().state(QpState.RTS).sqPsn(ownPsn);
        qp.modify((reliable ? send.timeout(timeout).retryCount(retries).rnrRetry(7).maxRdAtomic(16) : send).build());
    }
}
