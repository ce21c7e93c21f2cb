package io.jverbs.samples.timeline;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.samples.console.SampleFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import jdk.jfr.Recording;

/** Records three connections of the software device that fail for different reasons. Not thread-safe. */
final class FailingConnections implements AutoCloseable {
    private static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_WRITE;
    private static final int BYTES = 64;
    private static final int DEPTH = 8;
    /** The code of 4.2 ms. */
    private static final int TIMEOUT = 10;
    private static final int RETRIES = 3;
    /** The code of 2.56 ms. */
    private static final int RNR_TIMER = 16;
    private static final long TIMEOUT_NANOS = Duration.ofSeconds(20).toNanos();

    private final RdmaContext context = Verbs.open("soft");
    private final ProtectionDomain pd = context.allocatePd();
    private final CompletionQueue cq = context.createCompletionQueue(4 * DEPTH);
    private final MemoryRegion source = pd.allocate(BYTES, ALL);
    private final MemoryRegion target = pd.allocate(BYTES, ALL);

    private FailingConnections() {}

    /** Makes the connections and records them to a file. */
    static void record(Path file) {
        try (Recording recording = new Recording(); FailingConnections connections = new FailingConnections()) {
            recording.start();
            connections.failWithoutReceive();
            connections.failWithoutPeer();
            connections.failWithWrongKey();
            recording.dump(file);
        } catch (IOException e) {
            throw new SampleFailure("the recording cannot be written: " + e);
        }
    }

    private void failWithoutReceive() {
        QueuePair sender = queuePair();
        connect(sender, queuePair());
        fail(sender, request(WrOpcode.SEND), 1);
    }

    private void failWithoutPeer() {
        QueuePair sender = queuePair();
        QueuePair peer = queuePair();
        connect(sender, peer);
        peer.close();
        fail(sender, request(WrOpcode.RDMA_WRITE), DEPTH);
    }

    private void failWithWrongKey() {
        QueuePair sender = queuePair();
        connect(sender, queuePair());
        fail(sender, request(WrOpcode.RDMA_WRITE).remote(target.address(), ~target.rkey()), 1);
    }

    private QueuePair queuePair() {
        return pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(DEPTH).maxRecvWr(1).build());
    }

    private void connect(QueuePair left, QueuePair right) {
        connectOne(left, right);
        connectOne(right, left);
    }

    private void connectOne(QueuePair qp, QueuePair peer) {
        qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(ALL).build());
        qp.modify(QpAttributes.builder().state(QpState.RTR)
                .addressVector(AhAttributes.to(peer.localInfo().gid(), 1, context.preferredGid(1).index()))
                .pathMtu(peer.localInfo().mtu()).destinationQpn(peer.number()).rqPsn(peer.localInfo().psn())
                .maxDestRdAtomic(1).minRnrTimer(RNR_TIMER).build());
        qp.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(qp.localInfo().psn()).timeout(TIMEOUT)
                .retryCount(RETRIES).rnrRetry(RETRIES).maxRdAtomic(1).build());
    }

    private SendWorkRequest request(WrOpcode opcode) {
        return SendWorkRequest.create(1).wrId(1).opcode(opcode).flags(SendFlags.SIGNALED).sge(source, 0, BYTES)
                .remote(target.address(), target.rkey());
    }

    /** Posts a request a number of times, and waits for the completions. */
    private void fail(QueuePair sender, SendWorkRequest request, int count) {
        for (int i = 0; i < count; i++) {
            sender.postSend(request);
        }
        WorkCompletions completions = WorkCompletions.create(count);
        long began = System.nanoTime();
        for (int completed = 0; completed < count;) {
            completed += cq.poll(completions);
            if (System.nanoTime() - began > TIMEOUT_NANOS) {
                throw new SampleFailure("the requests of the demonstration did not complete within 20 s");
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
