package io.jverbs.soft.fuzz;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.soft.transport.SoftQp;
import java.util.List;

/** A queue pair to which inputs send packets, with its state and posted requests at the start of each input. */
final class Target {
    static final int RQ_PSN = 0x2000;
    static final int SQ_PSN = 0x1000;
    static final int QKEY = 0x1234;
    static final int PEER_QPN = 0x77;
    private static final int PORT = 1;
    /** The index of the GID of the IPv4 address. */
    private static final int SGID_INDEX = 1;
    private static final int ALL = Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;
    private static final QpAttributes RESET = QpAttributes.builder().state(QpState.RESET).build();
    private static final QpAttributes ERR = QpAttributes.builder().state(QpState.ERR).build();

    private final QueuePair qp;
    private final SoftQp inner;
    private final QpState state;
    private final QpAttributes init;
    private final QpAttributes ready;
    private final QpAttributes send;
    private final List<ReceiveWorkRequest> receives;
    private final List<SendWorkRequest> sends;

    /**
     * @param qp the queue pair
     * @param peer the address of its peer
     * @param state the state at the start of an input: INIT, RTR, RTS or ERR
     * @param remoteAccess whether the queue pair permits remote access
     * @param receives the receive requests that are posted
     * @param sends the send requests that are posted and outstanding
     */
    Target(QueuePair qp, Gid peer, QpState state, boolean remoteAccess, List<ReceiveWorkRequest> receives,
            List<SendWorkRequest> sends) {
        this.qp = qp;
        this.inner = (SoftQp) qp.handle();
        this.state = state;
        this.receives = receives;
        this.sends = sends;
        QpType type = qp.type();
        int rights = !remoteAccess ? 0 : type == QpType.RC ? ALL : Access.REMOTE_WRITE;
        QpAttributes.Builder first = QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(PORT);
        init = (type == QpType.UD ? first.qkey(QKEY) : first.accessFlags(rights)).build();
        QpAttributes.Builder second = QpAttributes.builder().state(QpState.RTR);
        if (type != QpType.UD) {
            second.addressVector(AhAttributes.to(peer, PORT, SGID_INDEX)).pathMtu(Mtu.MTU_256)
                    .destinationQpn(PEER_QPN).rqPsn(RQ_PSN);
        }
        ready = (type == QpType.RC ? second.maxDestRdAtomic(16).minRnrTimer(1) : second).build();
        QpAttributes.Builder third = QpAttributes.builder().state(QpState.RTS).sqPsn(SQ_PSN);
        send = (type == QpType.RC ? third.timeout(8).retryCount(3).rnrRetry(3).maxRdAtomic(16) : third).build();
    }

    QueuePair qp() {
        return qp;
    }

    boolean hasSends() {
        return !sends.isEmpty();
    }

    int expectedPsn() {
        inner.lock();
        try {
            return inner.responder().expectedPsn();
        } finally {
            inner.unlock();
        }
    }

    void reset() {
        qp.modify(RESET);
    }

    /** Moves the queue pair from RESET to its initial state and posts its requests. */
    void prepare() {
        qp.modify(init);
        for (int i = 0; i < receives.size(); i++) {
            qp.postReceive(receives.get(i));
        }
        if (state == QpState.INIT) {
            return;
        }
        qp.modify(ready);
        if (state == QpState.RTR) {
            return;
        }
        qp.modify(send);
        for (int i = 0; i < sends.size(); i++) {
            qp.postSend(sends.get(i));
        }
        if (state == QpState.ERR) {
            qp.modify(ERR);
        }
    }
}
