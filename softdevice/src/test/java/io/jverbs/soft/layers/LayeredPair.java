package io.jverbs.soft.layers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.AddressHandle;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.CqInitAttributes;
import io.jverbs.GidEntry;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.spi.DeviceLayer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Two connected queue pairs of one context that has layers before its device; the sender was created first. */
final class LayeredPair implements AutoCloseable {
    static final int BYTES = 64;
    static final int DEPTH = 16;
    private static final long DEADLINE_NANOS = Duration.ofSeconds(20).toNanos();

    final RdmaContext context;
    final ProtectionDomain pd;
    final CompletionChannel channel;
    final CompletionQueue sendCq;
    final CompletionQueue recvCq;
    final QueuePair sender;
    final QueuePair receiver;
    final MemoryRegion source;
    final MemoryRegion target;
    final WorkCompletions completions = WorkCompletions.create(4 * DEPTH);

    LayeredPair(DeviceLayer... layers) {
        this(QpType.RC, layers);
    }

    LayeredPair(QpType type, DeviceLayer... layers) {
        context = Verbs.select("soft").open(layers);
        pd = context.allocatePd();
        channel = context.createCompletionChannel();
        sendCq = context.createCompletionQueue(CqInitAttributes.of(4 * DEPTH).withChannel(channel));
        recvCq = context.createCompletionQueue(CqInitAttributes.of(4 * DEPTH).withChannel(channel));
        source = pd.allocate(BYTES, Access.LOCAL_WRITE);
        target = pd.allocate(BYTES, Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ);
        QpInitAttributes init = QpInitAttributes.builder(type).sendCq(sendCq).recvCq(recvCq).maxSendWr(DEPTH)
                .maxRecvWr(DEPTH).build();
        sender = pd.createQueuePair(init);
        receiver = pd.createQueuePair(init);
        sender.connect(receiver.localInfo());
        receiver.connect(sender.localInfo());
    }

    /** A queue pair for datagrams in RTS, both of whose halves complete into the queue of sends. */
    QueuePair datagramQueuePair(int qkey, int pkeyIndex) {
        QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.UD).cq(sendCq).build());
        qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(pkeyIndex).port(1).qkey(qkey).build());
        qp.modify(QpAttributes.builder().state(QpState.RTR).build());
        qp.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(0).build());
        return qp;
    }

    /** The way of datagrams to queue pairs of the context itself. */
    AddressHandle wayHere() {
        GidEntry gid = context.preferredGid(1);
        return pd.createAddressHandle(AhAttributes.to(gid.gid(), 1, gid.index()));
    }

    SendWorkRequest send(long wrId) {
        return SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).wrId(wrId).sge(source, 0, 8);
    }

    SendWorkRequest write(long wrId, int flags) {
        return SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(flags).wrId(wrId).sge(source, 0, 8)
                .remote(target.address(), target.rkey());
    }

    ReceiveWorkRequest receive(long wrId) {
        return ReceiveWorkRequest.create(1).wrId(wrId).sge(target, 0, BYTES);
    }

    /** What a queue has now, as "name STATUS". */
    List<String> polled(CompletionQueue cq) {
        int count = cq.poll(completions);
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(completions.wrId(i) + " " + completions.status(i));
        }
        return all;
    }

    /** Polls until there are so many completions. */
    List<String> await(CompletionQueue cq, int count) {
        long start = System.nanoTime();
        List<String> all = new ArrayList<>(polled(cq));
        while (all.size() < count) {
            assertTrue(System.nanoTime() - start < DEADLINE_NANOS, () -> "only " + all);
            Thread.onSpinWait();
            all.addAll(polled(cq));
        }
        assertEquals(count, all.size(), all::toString);
        return all;
    }

    /** Brings the sender, in RESET, to RTS again, with an ACK timeout and retries. */
    void reconnectSender(int timeout, int retries, int rnrRetry) {
        int access = Access.REMOTE_WRITE | Access.REMOTE_READ;
        sender.modify(QpAttributes.builder().state(QpState.RESET).build());
        receiver.modify(QpAttributes.builder().state(QpState.RESET).build());
        sender.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(access).build());
        sender.modify(QpAttributes.builder().state(QpState.RTR)
                .addressVector(AhAttributes.to(receiver.localInfo().gid(), 1, context.preferredGid(1).index()))
                .pathMtu(receiver.localInfo().mtu()).destinationQpn(receiver.number()).rqPsn(receiver.localInfo().psn())
                .maxDestRdAtomic(16).minRnrTimer(1).build());
        sender.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(sender.localInfo().psn()).timeout(timeout)
                .retryCount(retries).rnrRetry(rnrRetry).maxRdAtomic(1).build());
        receiver.connect(sender.localInfo());
    }

    /** Brings a queue pair, in RESET, to RTS, which does not try again where there is no receive. */
    static void connectWithoutRnrRetry(RdmaContext context, QueuePair qp, QueuePair peer) {
        qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(0).build());
        qp.modify(QpAttributes.builder().state(QpState.RTR)
                .addressVector(AhAttributes.to(peer.localInfo().gid(), 1, context.preferredGid(1).index()))
                .pathMtu(peer.localInfo().mtu()).destinationQpn(peer.number()).rqPsn(peer.localInfo().psn())
                .maxDestRdAtomic(16).minRnrTimer(1).build());
        qp.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(qp.localInfo().psn()).timeout(14).retryCount(7)
                .rnrRetry(0).maxRdAtomic(1).build());
    }

    @Override
    public void close() {
        context.close();
    }
}
