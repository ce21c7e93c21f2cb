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
import io.jverbs.bench.suite.SpinTimeout;

/**
 * Two connected RC queue pairs of the device that {@code -Djverbs.device} selects, each with a completion queue and a
 * memory region. Only the methods of the verbs objects are thread-safe.
 */
public final class Loopback implements AutoCloseable {
    /** The depth of the queues. */
    public static final int DEPTH = 64;
    /** The largest inline data in bytes. */
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
     * Opens the device and connects two queue pairs.
     *
     * @param bytes the length of each region
     */
    public Loopback(long bytes) {
        this(bytes, false);
    }

    /**
     * Opens the device and connects two queue pairs.
     *
     * @param bytes the length of each region
     * @param separateSendCqs whether each queue pair has a separate completion queue for sends, as in perftest. Only
     *         the sending thread then adds completions to it.
     */
    public Loopback(long bytes, boolean separateSendCqs) {
        context = Verbs.open();
        pd = context.allocatePd();
        cq = context.createCompletionQueue(2 * DEPTH);
        peerCq = context.createCompletionQueue(2 * DEPTH);
        qp = create(cq, separateSendCqs);
        peer = create(peerCq, separateSendCqs);
        qp.connect(peer.localInfo());
        peer.connect(qp.localInfo());
        source = pd.allocate(bytes, ACCESS);
        target = pd.allocate(bytes, ACCESS);
    }

    private QueuePair create(CompletionQueue queue, boolean separateSendCq) {
        CompletionQueue sends = separateSendCq ? context.createCompletionQueue(2 * DEPTH) : queue;
        return pd.createQueuePair(QpInitAttributes.builder(QpType.RC).sendCq(sends).recvCq(queue).maxSendWr(DEPTH)
                .maxRecvWr(DEPTH).maxInlineData(INLINE).build());
    }

    /** {@return the device} */
    public RdmaContext context() {
        return context;
    }

    /** {@return the protection domain of all objects} */
    public ProtectionDomain pd() {
        return pd;
    }

    /** {@return the queue pair that sends} */
    public QueuePair qp() {
        return qp;
    }

    /** {@return the queue pair that it is connected to} */
    public QueuePair peer() {
        return peer;
    }

    /** {@return the completion queue of {@link #qp}} */
    public CompletionQueue cq() {
        return cq;
    }

    /** {@return the completion queue of {@link #peer}} */
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
     * {@return a signaled request with the whole source as its element, and the target as the remote memory}
     *
     * @param opcode SEND, RDMA_WRITE or RDMA_READ
     */
    public SendWorkRequest request(WrOpcode opcode) {
        return write(SendWorkRequest.create(1), opcode);
    }

    /**
     * Sets all fields of a request, as in {@link #request}.
     *
     * @param into the request
     * @param opcode SEND, RDMA_WRITE or RDMA_READ
     * @return the request
     */
    public SendWorkRequest write(SendWorkRequest into, WrOpcode opcode) {
        return into.opcode(opcode).flags(SendFlags.SIGNALED).sge(source, 0, source.length()).remote(target.address(),
                target.rkey());
    }

    /** {@return a receive with the whole target as its element} */
    public ReceiveWorkRequest receive() {
        return ReceiveWorkRequest.create(1).sge(target, 0, target.length());
    }

    /**
     * Polls until there are completions.
     *
     * @param queue the completion queue
     * @param completions the destination of the completions
     * @return the number of completions
     * @throws IllegalStateException if a completion is in error, or if there is none within ten seconds
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
        long start = 0;
        for (int iteration = 1; count == 0; iteration++) {
            start = SpinTimeout.spin(iteration, start);
            count = queue.poll(completions);
        }
        return count;
    }

    /**
     * Polls until there are a number of completions.
     *
     * @param queue the completion queue
     * @param completions the destination of the completions
     * @param expected the number of completions to wait for
     * @return the number of completions, at least the expected one
     * @throws IllegalStateException if a completion is in error, or if there is none within ten seconds
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
