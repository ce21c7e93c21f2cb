package io.jverbs.soft.stress;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.Mtu;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.Verbs;

/**
 * An open device with one protection domain. Its queue pairs have short delays: an RNR timer of 10 us and a local ACK
 * timeout of 1 ms.
 */
final class Node implements AutoCloseable {
    static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;
    static final int QKEY = 0x1234;

    private static final int PORT = 1;
    private static final int READS = 16;
    private static final int RNR_10_MICROS = 1;
    private static final int TIMEOUT_1_MILLI = 8;
    private static final int RETRIES = 2;
    private static final int RNR_RETRY_INFINITE = 7;
    private static final int DEPTH = 64;

    final RdmaContext context;
    final ProtectionDomain pd;

    private Node(RdmaContext context) {
        this.context = context;
        this.pd = context.allocatePd();
    }

    static Node open() {
        return open("soft");
    }

    static Node open(String selector) {
        return new Node(Verbs.open(selector));
    }

    CompletionQueue cq(int cqe) {
        return context.createCompletionQueue(cqe);
    }

    MemoryRegion region(long bytes) {
        return pd.allocate(bytes, ALL);
    }

    /** Creates a queue pair in RESET with 64 entries in each queue; every request is signaled. */
    QueuePair queuePair(QpType type, CompletionQueue sendCq, CompletionQueue recvCq) {
        return queuePair(type, sendCq, recvCq, null);
    }

    /** Creates a queue pair as above that uses a shared receive queue. */
    QueuePair queuePair(QpType type, CompletionQueue sendCq, CompletionQueue recvCq, SharedReceiveQueue srq) {
        return pd.createQueuePair(QpInitAttributes.builder(type).sendCq(sendCq).recvCq(recvCq).srq(srq).signalAll(true)
                .maxSendWr(DEPTH).maxRecvWr(DEPTH).build());
    }

    /** Connects two queue pairs that are in RESET, of one device or of two. */
    static void connect(QueuePair left, QueuePair right) {
        toInit(left);
        if (left != right) {
            toInit(right);
        }
        toReady(left, right);
        if (left != right) {
            toReady(right, left);
        }
    }

    static void toInit(QueuePair qp) {
        qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(PORT).accessFlags(ALL).build());
    }

    /** Brings a queue pair from INIT to RTS. */
    static void toReady(QueuePair qp, QueuePair peer) {
        boolean reliable = qp.type() == QpType.RC;
        int gidIndex = qp.context().preferredGid(PORT).index();
        QpAttributes.Builder receive = QpAttributes.builder().state(QpState.RTR).pathMtu(Mtu.MTU_1024)
                .destinationQpn(peer.number()).rqPsn(0)
                .addressVector(AhAttributes.to(peer.context().preferredGid(PORT).gid(), PORT, gidIndex));
        QpAttributes.Builder send = QpAttributes.builder().state(QpState.RTS).sqPsn(0);
        if (reliable) {
            receive.maxDestRdAtomic(READS).minRnrTimer(RNR_10_MICROS);
            send.timeout(TIMEOUT_1_MILLI).retryCount(RETRIES).rnrRetry(RNR_RETRY_INFINITE).maxRdAtomic(READS);
        }
        qp.modify(receive.build());
        qp.modify(send.build());
    }

    /** Brings a UD queue pair from RESET to RTS. */
    static void ready(QueuePair datagrams) {
        datagrams.modify(
                QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(PORT).qkey(QKEY).build());
        datagrams.modify(QpAttributes.builder().state(QpState.RTR).build());
        datagrams.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(0).build());
    }

    static void reset(QueuePair qp) {
        qp.modify(QpAttributes.builder().state(QpState.RESET).build());
    }

    static void toError(QueuePair qp) {
        qp.modify(QpAttributes.builder().state(QpState.ERR).build());
    }

    @Override
    public void close() {
        context.close();
    }
}
