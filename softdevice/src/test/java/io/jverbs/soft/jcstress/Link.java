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
 * A pair of connected queue pairs with their queues and memory. A test's state takes one and its arbiter gives it back, clean:
 * making one costs as much as hundreds of the operations that are tested.
 */
final class Link {
    static final int BYTES = 256;
    static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;
    static final int WRONG_KEY = 0x00BAD000;
    static final RdmaContext CONTEXT = Verbs.open("soft");
    static final ProtectionDomain PD = CONTEXT.allocatePd();

    private static final int PORT = 1;
    private static final int GID_INDEX = 0;
    private static final int TIMEOUT_1_MILLI = 8;
    private static final long PATIENCE_NANOS = 2_000_000_000;
    private static final Queue<Link> FREE = new ConcurrentLinkedQueue<>();

    final CompletionChannel channel = CONTEXT.createCompletionChannel();
    final CompletionQueue leftCq = CONTEXT.createCompletionQueue(2);
    final CompletionQueue rightCq = CONTEXT.createCompletionQueue(4, channel);
    final QueuePair left = queuePair(leftCq);
    final QueuePair right = queuePair(rightCq);
    final MemoryRegion leftMemory = PD.allocate(BYTES, ALL);
    final MemoryRegion rightMemory = PD.allocate(BYTES, ALL);
    /** For the thread that posts to the left queue pair, and the one that posts to the right. */
    final SendWorkRequest leftRequest = SendWorkRequest.create(2);
    final SendWorkRequest rightRequest = SendWorkRequest.create(2);
    final ReceiveWorkRequest receive = ReceiveWorkRequest.create(1);
    /** For the actor that polls left or alone, for the one that polls right, and for the arbiter. */
    final WorkCompletions seen = WorkCompletions.create(1);
    final WorkCompletions seenToo = WorkCompletions.create(1);
    final WorkCompletions done = WorkCompletions.create(4);

    private Link() {
        connect();
    }

    static Link take() {
        Link link = FREE.poll();
        return link == null ? new Link() : link;
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

    /** A WRITE of the left queue pair from its memory to the right one's. */
    SendWorkRequest write(int bytes) {
        return leftRequest.opcode(WrOpcode.RDMA_WRITE).flags(0).sge(leftMemory, 0, bytes)
                .remote(rightMemory.address(), rightMemory.rkey());
    }

    /** A SEND of the left queue pair. */
    SendWorkRequest send(int bytes) {
        return leftRequest.opcode(WrOpcode.SEND).flags(0).sge(leftMemory, 0, bytes);
    }

    /** Posts a receive of the right queue pair into the start of its memory. */
    void postReceive(int bytes) {
        right.postReceive(receive.wrId(0).sge(rightMemory, 0, bytes));
    }

    /** Fills both memories. */
    void fill(int leftValue, int rightValue) {
        leftMemory.segment().fill((byte) leftValue);
        rightMemory.segment().fill((byte) rightValue);
    }

    /** How many completions come, if so many are awaited; one too many is counted too. */
    int count(CompletionQueue cq, int awaited) {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        int count = cq.poll(done);
        while (count < awaited && System.nanoTime() - deadline < 0) {
            Thread.onSpinWait();
            count += cq.poll(done);
        }
        return count + cq.poll(done);
    }

    /** Empties the queues. */
    void drain() {
        while (leftCq.poll(done) + rightCq.poll(done) != 0) {
            Thread.onSpinWait();
        }
    }

    /** Gives the link to the next test, its queues emptied. */
    void giveBack() {
        drain();
        FREE.add(this);
    }

    /** The same after an error: both queue pairs are reset and connected again. */
    void mendAndGiveBack() {
        QpAttributes reset = QpAttributes.builder().state(QpState.RESET).build();
        left.modify(reset);
        right.modify(reset);
        drain();
        connect();
        FREE.add(this);
    }
}
