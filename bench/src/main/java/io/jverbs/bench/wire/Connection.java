package io.jverbs.bench.wire;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.ConnectionInfo;
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
final class Connection implements AutoCloseable {
    static final int DEPTH = 64;
    private static final int ALIGNMENT = 64;

    private final RdmaContext context;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final MemoryRegion region;
    private final WorkCompletions completions = WorkCompletions.create(DEPTH);
    private final long remoteAddress;
    private final int remoteKey;

    Connection(Sides sides, ControlConnection control, int bytes) throws IOException {
        context = Verbs.open("soft:" + sides.own());
        ProtectionDomain pd = context.allocatePd();
        cq = context.createCompletionQueue(2 * DEPTH);
        qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(DEPTH).maxRecvWr(DEPTH).build());
        region = pd.allocate(Math.max(bytes, ALIGNMENT), Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        ConnectionInfo own = qp.localInfo();
        long[] peer = control.exchange(own.qpn(), own.psn(), own.gid().high(), own.gid().low(), region.address(),
                region.rkey());
        qp.connect(new ConnectionInfo((int) peer[0], (int) peer[1], Gid.of(peer[2], peer[3]), own.mtu()));
        remoteAddress = peer[4];
        remoteKey = (int) peer[5];
    }

    QueuePair qp() {
        return qp;
    }

    MemoryRegion region() {
        return region;
    }

    long remoteAddress() {
        return remoteAddress;
    }

    int remoteKey() {
        return remoteKey;
    }

    WorkCompletions completions() {
        return completions;
    }

    /**
     * Polls the completion queue.
     *
     * @return the number of completions
     * @throws IllegalStateException if a completion is in error
     */
    int poll() {
        int count = cq.poll(completions);
        for (int i = 0; i < count; i++) {
            if (!completions.isSuccess(i)) {
                throw new IllegalStateException(completions.toString());
            }
        }
        return count;
    }

    @Override
    public void close() {
        context.close();
    }
}
