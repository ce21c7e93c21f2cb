package io.jverbs.soft.jcstress;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionChannel;
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
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Two connected queue pairs with their completion queues and memory, from a pool. The state of a test takes a pair, and
 * its arbiter releases it in the initial state. Pairs are pooled because creating one costs as much as hundreds of the
 * operations under test.
 */
final class ConnectedPair {
    static final int BYTES = 256;
    static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;
    static final int WRONG_KEY = 0x00BAD000;
    static final RdmaContext CONTEXT = Verbs.open("soft");
    static final ProtectionDomain PD = CONTEXT.allocatePd();

    private static final int PORT = 1;
    private static final int GID_INDEX = 0;
    private static final int TIMEOUT_1_MILLI = 8;
    private static final long DEADLINE_NANOS = 2_000_000_000;
    private static final Queue<ConnectedPair> POOL = new ConcurrentLinkedQueue<>();

    final CompletionChannel channel = CONTEXT.createCompletionChannel();
    final CompletionQueue leftCq = CONTEXT.createCompletionQueue(2);
    final CompletionQueue rightCq = CONTEXT.createCompletionQueue(4, channel);
    final QueuePair left = queuePair(leftCq);
    final QueuePair right = queuePair(rightCq);
    final MemoryRegion leftMemory = PD.allocate(BYTES, ALL);
    final MemoryRegion rightMemory = PD.allocate(BYTES, ALL);
    /** The requests of the threads that post to the left and to the right queue pair. */
    final SendWorkRequest leftRequest = SendWorkRequest.create(2);
    final SendWorkRequest rightRequest = SendWorkRequest.create(2);
    final ReceiveWorkRequest receive = ReceiveWorkRequest.create(1);
    /** The completions of the first polling actor, of the second one, and of the arbiter. */
    final WorkCompletions first = WorkCompletions.create(1);
    final WorkCompletions second = WorkCompletions.create(1);
    final WorkCompletions remaining = WorkCompletions.create(4);

    private ConnectedPair() {
        connect();
    }

    static ConnectedPair take() {
        ConnectedPair pooled = POOL.poll();
        return pooled == null ? new ConnectedPair() : pooled;
    }

    static QueuePair queuePair(CompletionQueue cq) {
        return PD.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(4).maxRecvWr(4).maxSendSge(2)
                .signalAll(true).build());
    }

    private void connect() {
        toInit(left);
        toInit(right);
        toReady(left, right);
        toReady(right, left);
    }

    static void toInit(QueuePair qp) {
        qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(PORT).accessFlags(ALL).build());
    }

    static void toReady(QueuePair qp, QueuePair peer) {
        qp.modify(toReceive(peer));
        qp.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(0).timeout(TIMEOUT_1_MILLI).retryCount(1).rnrRetry(7)
                .maxRdAtomic(4).build());
    }

    static QpAttributes toReceive(QueuePair peer) {
        return QpAttributes.builder().state(QpState.RTR).pathMtu(Mtu.MTU_1024).destinationQpn(peer.number()).rqPsn(0)
                .addressVector(AhAttributes.to(CONTEXT.queryGid(PORT, GID_INDEX), PORT, GID_INDEX))
                .maxDestRdAtomic(4).minRnrTimer(1).build();
    }

    /** Returns a WRITE of the left queue pair from the left to the right memory. */
    SendWorkRequest write(int bytes) {
        return leftRequest.opcode(WrOpcode.RDMA_WRITE).flags(0).sge(leftMemory, 0, bytes)
                .remote(rightMemory.address(), rightMemory.rkey());
    }

    /** Returns a SEND of the left queue pair. */
    SendWorkRequest send(int bytes) {
        return leftRequest.opcode(WrOpcode.SEND).flags(0).sge(leftMemory, 0, bytes);
    }

    /** Posts a receive request to the right queue pair, for the start of the right memory. */
    void postReceive(int bytes) {
        right.postReceive(receive.wrId(0).sge(rightMemory, 0, bytes));
    }

    /** Fills both memories. */
    void fill(int leftValue, int rightValue) {
        leftMemory.segment().fill((byte) leftValue);
        rightMemory.segment().fill((byte) rightValue);
    }

    /** Returns the number of completions; waits for the expected number, and also counts excess ones. */
    int count(CompletionQueue cq, int expected) {
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        int count = cq.poll(remaining);
        while (count < expected && System.nanoTime() - deadline < 0) {
            Thread.onSpinWait();
            count += cq.poll(remaining);
        }
        return count + cq.poll(remaining);
    }

    /** Empties both completion queues. */
    void drain() {
        while (leftCq.poll(remaining) + rightCq.poll(remaining) != 0) {
            Thread.onSpinWait();
        }
    }

    /** Empties the completion queues and returns the pair to the pool. */
    void release() {
        drain();
        POOL.add(this);
    }

    /** Resets and reconnects both queue pairs, and returns the pair to the pool. */
    void reconnectAndRelease() {
        QpAttributes reset = QpAttributes.builder().state(QpState.RESET).build();
        left.modify(reset);
        right.modify(reset);
        drain();
        connect();
        POOL.add(this);
    }
}
