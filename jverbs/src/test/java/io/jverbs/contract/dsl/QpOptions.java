package io.jverbs.contract.dsl;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.Psn;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.contract.end.QpAttr;
import io.jverbs.contract.end.QpSpec;
import java.util.function.UnaryOperator;

/**
 * Options for the creation and connection of one queue pair. Every setter returns this object. Defaults: all remote
 * rights, path MTU 1024, ACK timeout code 14 (67 ms), 6 retries, 6 RNR retries with timer code 12 (0.64 ms), 16
 * outstanding READs and atomics, a random PSN, 16 requests of 4 elements and 64 bytes inline, one completion queue of
 * 64 entries for both queues.
 */
public final class QpOptions {

    /** All remote rights. */
    public static final int REMOTE_ALL = Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;

    /** Q_Key of UD queue pairs. */
    public static final int QKEY = 0x1111_1111;

    private int access = REMOTE_ALL;
    private Mtu mtu = Mtu.MTU_1024;
    private int timeout = 14;
    private int retry = 6;
    private int rnrRetry = 6;
    private int minRnrTimer = 12;
    private int maxRdAtomic = 16;
    private int maxDestRdAtomic = 16;
    private int psn = Psn.random();
    private Integer rqPsn;
    private Integer destQpn;
    private Gid destGid;
    private int qkey = QKEY;
    private int pkeyIndex;
    private int trafficClass;
    private QpState upTo = QpState.RTS;
    private Integer pd;
    private Cq sendCq;
    private Cq recvCq;
    private Srq srq;
    private UnaryOperator<QpSpec> spec = UnaryOperator.identity();

    /** Sets the rights of the peer, as {@link Access} bits. */
    public QpOptions access(int flags) {
        access = flags;
        return this;
    }

    public QpOptions mtu(Mtu value) {
        mtu = value;
        return this;
    }

    public QpOptions timeout(int code) {
        timeout = code;
        return this;
    }

    public QpOptions retry(int count) {
        retry = count;
        return this;
    }

    public QpOptions rnrRetry(int count) {
        rnrRetry = count;
        return this;
    }

    public QpOptions minRnrTimer(int code) {
        minRnrTimer = code;
        return this;
    }

    public QpOptions maxRdAtomic(int count) {
        maxRdAtomic = count;
        return this;
    }

    public QpOptions maxDestRdAtomic(int count) {
        maxDestRdAtomic = count;
        return this;
    }

    /** Sets the first PSN that this queue pair sends. The peer expects it. */
    public QpOptions psn(int first) {
        psn = first;
        return this;
    }

    int psn() {
        return psn;
    }

    /** Sets the expected PSN to a value other than the one that the peer sends. */
    public QpOptions rqPsn(int expected) {
        rqPsn = expected;
        return this;
    }

    /** Sets a destination QPN other than that of the peer. */
    public QpOptions destQpn(int qpn) {
        destQpn = qpn;
        return this;
    }

    /** Sets a destination GID other than that of the peer. */
    public QpOptions destGid(Gid gid) {
        destGid = gid;
        return this;
    }

    public QpOptions qkey(int value) {
        qkey = value;
        return this;
    }

    public int qkey() {
        return qkey;
    }

    public QpOptions pkeyIndex(int index) {
        pkeyIndex = index;
        return this;
    }

    public QpOptions trafficClass(int value) {
        trafficClass = value;
        return this;
    }

    /** Sets the final state: RESET, INIT, RTR or RTS. */
    public QpOptions upTo(QpState state) {
        upTo = state;
        return this;
    }

    QpState upTo() {
        return upTo;
    }

    public QpOptions pd(int id) {
        pd = id;
        return this;
    }

    /** Sets one completion queue for both queues. */
    public QpOptions cq(Cq both) {
        return cqs(both, both);
    }

    public QpOptions cqs(Cq send, Cq recv) {
        sendCq = send;
        recvCq = recv;
        return this;
    }

    /** Creates a separate completion queue for each queue. */
    public QpOptions separateCqs(Side side) {
        return cqs(side.cq(), side.cq());
    }

    public QpOptions srq(Srq shared) {
        srq = shared;
        return this;
    }

    /** Makes every send generate a completion. */
    public QpOptions signalAll() {
        return spec(s -> s.signalAll(true));
    }

    public QpOptions wrs(int send, int recv) {
        return spec(s -> s.wrs(send, recv));
    }

    public QpOptions sges(int send, int recv) {
        return spec(s -> s.maxSges(send, recv));
    }

    public QpOptions inline(int bytes) {
        return spec(s -> s.inline(bytes));
    }

    /** Changes other creation attributes. Changes accumulate. */
    public QpOptions spec(UnaryOperator<QpSpec> change) {
        UnaryOperator<QpSpec> before = spec;
        spec = s -> change.apply(before.apply(s));
        return this;
    }

    Qp create(Side side, QpType type) {
        if (sendCq == null) {
            cq(side.cq());
        }
        QpSpec made = QpSpec.of(type, pd == null ? side.pd() : pd, sendCq.id()).cqs(sendCq.id(), recvCq.id());
        if (srq != null) {
            made = made.srq(srq.id());
        }
        return new Qp(side, side.end().createQp(spec.apply(made)), sendCq, recvCq, this);
    }

    /** Returns the attributes for RESET to INIT. */
    public QpAttr initAttributes(QpType type) {
        QpAttr attr = QpAttr.to(QpState.INIT).pkeyIndex(pkeyIndex).port(Side.PORT);
        return type == QpType.UD ? attr.qkey(qkey) : attr.access(access);
    }

    /** Returns the attributes for INIT to RTR. */
    public QpAttr rtrAttributes(QpType type, Side from, Qp peer) {
        QpAttr attr = QpAttr.to(QpState.RTR);
        if (type == QpType.UD) {
            return attr;
        }
        attr = attr.av(path(from, peer)).mtu(mtu).destQpn(destQpn == null ? peer.number() : destQpn)
                .rqPsn(rqPsn == null ? peer.psn() : rqPsn);
        return type == QpType.UC ? attr : attr.maxDestRdAtomic(maxDestRdAtomic).minRnrTimer(minRnrTimer);
    }

    private AhAttributes path(Side from, Qp peer) {
        return AhAttributes.builder().destination(destGid == null ? peer.side().gid() : destGid)
                .port(Side.PORT).sgidIndex(from.gidIndex()).trafficClass(trafficClass).build();
    }

    /** Returns the attributes for RTR to RTS. */
    public QpAttr rtsAttributes(QpType type) {
        QpAttr attr = QpAttr.to(QpState.RTS).sqPsn(psn);
        return type != QpType.RC
                ? attr
                : attr.timeout(timeout).retry(retry).rnrRetry(rnrRetry).maxRdAtomic(maxRdAtomic);
    }
}
