package io.jverbs.bench.process;

import io.jverbs.Access;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.ConnectionInfo;
import io.jverbs.CqInitAttributes;
import io.jverbs.Gid;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.WorkCompletions;
import java.io.IOException;

/** A reliable connection to the other process, with one completion queue and one memory region. Not thread-safe. */
public final class Connection implements AutoCloseable {
    /** The number of send requests, and of receive requests, that the queue pair holds. */
    public static final int DEPTH = 64;
    private static final int ALIGNMENT = 64;

    private final RdmaContext context;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final MemoryRegion region;
    private final WorkCompletions completions = WorkCompletions.create(DEPTH);
    private final long remoteAddress;
    private final int remoteKey;

    /**
     * Opens a device at the own address, and connects to the other process, which does the same.
     *
     * @param sides the addresses
     * @param control the control connection
     * @param bytes the length of the memory region
     * @throws IOException if the control connection fails
     */
    public Connection(Sides sides, ControlConnection control, int bytes) throws IOException {
        this(open(sides), null, control, bytes);
    }

    /**
     * Connects a device that other connections may share to the other process, which does the same.
     *
     * @param context the device
     * @param channel the completion channel of the completion queue; null for none
     * @param control the control connection
     * @param bytes the length of the memory region
     * @throws IOException if the control connection fails
     */
    public Connection(RdmaContext context, CompletionChannel channel, ControlConnection control, int bytes)
            throws IOException {
        this.context = context;
        ProtectionDomain pd = context.allocatePd();
        cq = context.createCompletionQueue(CqInitAttributes.of(2 * DEPTH).withChannel(channel));
        qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(DEPTH).maxRecvWr(DEPTH).build());
        region = pd.allocate(Math.max(bytes, ALIGNMENT), Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        ConnectionInfo own = qp.localInfo();
        long[] peer = control.exchange(own.qpn(), own.psn(), own.gid().high(), own.gid().low(), region.address(),
                region.rkey());
        qp.connect(new ConnectionInfo((int) peer[0], (int) peer[1], Gid.of(peer[2], peer[3]), own.mtu()));
        remoteAddress = peer[4];
        remoteKey = (int) peer[5];
    }

    /**
     * {@return the software device at the own address}
     *
     * @param sides the addresses
     */
    public static RdmaContext open(Sides sides) {
        return Verbs.open("soft:" + sides.own());
    }

    /** {@return the completion queue} */
    public CompletionQueue cq() {
        return cq;
    }

    /** {@return the queue pair} */
    public QueuePair qp() {
        return qp;
    }

    /** {@return the memory region} */
    public MemoryRegion region() {
        return region;
    }

    /** {@return the address of the memory region of the other process} */
    public long remoteAddress() {
        return remoteAddress;
    }

    /** {@return the key of that region} */
    public int remoteKey() {
        return remoteKey;
    }

    /** {@return the completions of the latest {@link #poll}} */
    public WorkCompletions completions() {
        return completions;
    }

    /**
     * Polls the completion queue.
     *
     * @return the number of completions
     * @throws IllegalStateException if a completion is in error
     */
    public int poll() {
        int count = cq.poll(completions);
        for (int i = 0; i < count; i++) {
            if (!completions.isSuccess(i)) {
                throw new IllegalStateException(completions.toString());
            }
        }
        return count;
    }

    /** Closes the device, and so the other connections that share it. */
    @Override
    public void close() {
        context.close();
    }
}
