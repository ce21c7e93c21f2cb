package io.jverbs.bench.datapath;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.bench.suite.Patience;

/**
 * Two connected reliable queue pairs of the device that {@code -Djverbs.device} names, each with a completion queue, and a
 * memory region at either end. For one thread at a time.
 */
public final class Loopback implements AutoCloseable {
    /** Requests that fit into a queue. */
    public static final int DEPTH = 64;
    /** Bytes that a request may have inline. */
    public static final int INLINE = 64;
    private static final int ACCESS = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ
            | Access.REMOTE_ATOMIC;

    private final RdmaContext context;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final CompletionQueue peerCq;
    private final QueuePair qp;
    private final QueuePair peer;
    private final MemoryRegion source;
    private final MemoryRegion target;

    /**
     * Opens the device and connects.
     *
     * @param bytes the length of each region
     */
    public Loopback(long bytes) {
        this(bytes, false);
    }

    /**
     * Opens the device and connects.
     *
     * @param bytes the length of each region
     * @param apart whether completions of sends come to queues of their own, {@link QueuePair#sendCq}, which no other thread then
     *            puts to: as the programs of perftest have it
     */
    public Loopback(long bytes, boolean apart) {
        context = Verbs.open();
        pd = context.allocatePd();
        cq = context.createCompletionQueue(2 * DEPTH);
        peerCq = context.createCompletionQueue(2 * DEPTH);
        qp = create(cq, apart);
        peer = create(peerCq, apart);
        qp.connect(peer.localInfo());
        peer.connect(qp.localInfo());
        source = pd.allocate(bytes, ACCESS);
        target = pd.allocate(bytes, ACCESS);
    }

    private QueuePair create(CompletionQueue queue, boolean apart) {
        CompletionQueue sends = apart ? context.createCompletionQueue(2 * DEPTH) : queue;
        return pd.createQueuePair(
                QpInitAttributes.builder(QpType.RC).sendCq(sends).recvCq(queue).maxSendWr(DEPTH).maxRecvWr(DEPTH)
                        .maxInlineData(INLINE).build());
    }

    /** {@return the device} */
    public RdmaContext context() {
        return context;
    }

    /** {@return the protection domain of all} */
    public ProtectionDomain pd() {
        return pd;
    }

    /** {@return the queue pair that posts} */
    public QueuePair qp() {
        return qp;
    }

    /** {@return the queue pair at the other end} */
    public QueuePair peer() {
        return peer;
    }

    /** {@return where completions of {@link #qp} come} */
    public CompletionQueue cq() {
        return cq;
    }

    /** {@return where completions of {@link #peer} come} */
    public CompletionQueue peerCq() {
        return peerCq;
    }

    /** {@return the memory of {@link #qp}} */
    public MemoryRegion source() {
        return source;
    }

    /** {@return the memory of {@link #peer}} */
    public MemoryRegion target() {
        return target;
    }

    /**
     * {@return a signaled request with all of the source as its element, and all of the target for WRITE and READ}
     *
     * @param opcode SEND, RDMA_WRITE or RDMA_READ
     */
    public SendWorkRequest request(WrOpcode opcode) {
        return write(SendWorkRequest.create(1), opcode);
    }

    /**
     * Writes all of such a request anew.
     *
     * @param into where to
     * @param opcode as for {@link #request}
     * @return the same
     */
    public SendWorkRequest write(SendWorkRequest into, WrOpcode opcode) {
        return into.opcode(opcode).flags(SendFlags.SIGNALED).sge(source, 0, source.length()).remote(target.address(),
                target.rkey());
    }

    /** {@return a receive into all of the target} */
    public ReceiveWorkRequest receive() {
        return ReceiveWorkRequest.create(1).sge(target, 0, target.length());
    }

    /**
     * Polls until there is something.
     *
     * @param queue the completion queue
     * @param completions where completions go; all of them must be successes
     * @return how many there are
     */
    public static int await(CompletionQueue queue, WorkCompletions completions) {
        int count = queue.poll(completions);
        if (count == 0) {
            count = awaitLonger(queue, completions);
        }
        for (int i = 0; i < count; i++) {
            if (!completions.isSuccess(i)) {
                throw new IllegalStateException(completions.toString());
            }
        }
        return count;
    }

    private static int awaitLonger(CompletionQueue queue, WorkCompletions completions) {
        int count = 0;
        long began = 0;
        for (int turn = 1; count == 0; turn++) {
            began = Patience.spin(turn, began);
            count = queue.poll(completions);
        }
        return count;
    }

    /**
     * Polls until there are so many completions.
     *
     * @param queue the completion queue
     * @param completions where completions go; all of them must be successes
     * @param expected how many to wait for
     * @return as many, or more
     */
    public static int await(CompletionQueue queue, WorkCompletions completions, int expected) {
        int count = 0;
        while (count < expected) {
            count += await(queue, completions);
        }
        return count;
    }

    @Override
    public void close() {
        context.close();
    }
}
