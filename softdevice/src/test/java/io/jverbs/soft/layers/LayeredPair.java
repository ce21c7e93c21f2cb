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

/** Two connected queue pairs of one context with device layers. The sender is created before the receiver. */
public final class LayeredPair implements AutoCloseable {
    public static final int BYTES = 64;
    public static final int DEPTH = 16;
    private static final long DEADLINE_NANOS = Duration.ofSeconds(20).toNanos();

    public final RdmaContext context;
    public final ProtectionDomain pd;
    public final CompletionChannel channel;
    public final CompletionQueue sendCq;
    public final CompletionQueue recvCq;
    public final QueuePair sender;
    public final QueuePair receiver;
    public final MemoryRegion source;
    public final MemoryRegion target;
    public final WorkCompletions completions = WorkCompletions.create(4 * DEPTH);

    public LayeredPair(DeviceLayer... layers) {
        this(QpType.RC, layers);
    }

    public LayeredPair(QpType type, DeviceLayer... layers) {
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

    /** Creates a UD queue pair in RTS that uses {@link #sendCq} for sends and receives. */
    public QueuePair datagramQueuePair(int qkey, int pkeyIndex) {
        QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.UD).cq(sendCq).build());
        qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(pkeyIndex).port(1).qkey(qkey).build());
        qp.modify(QpAttributes.builder().state(QpState.RTR).build());
        qp.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(0).build());
        return qp;
    }

    /** Creates an address handle for datagrams to queue pairs of the same context. */
    public AddressHandle loopbackAddress() {
        GidEntry gid = context.preferredGid(1);
        return pd.createAddressHandle(AhAttributes.to(gid.gid(), 1, gid.index()));
    }

    public SendWorkRequest send(long wrId) {
        return SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).wrId(wrId).sge(source, 0, 8);
    }

    public SendWorkRequest write(long wrId, int flags) {
        return SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(flags).wrId(wrId).sge(source, 0, 8)
                .remote(target.address(), target.rkey());
    }

    public ReceiveWorkRequest receive(long wrId) {
        return ReceiveWorkRequest.create(1).wrId(wrId).sge(target, 0, BYTES);
    }

    /** Polls once; returns the completions as "wrId STATUS". */
    public List<String> polled(CompletionQueue cq) {
        int count = cq.poll(completions);
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(completions.wrId(i) + " " + completions.status(i));
        }
        return all;
    }

    /** Polls until there are a number of completions. */
    public List<String> await(CompletionQueue cq, int count) {
        long start = System.nanoTime();
        List<String> all = new ArrayList<>(polled(cq));
        while (all.size() < count) {
            assertTrue(System.nanoTime() - start < DEADLINE_NANOS,
                    () -> "only " + all + " of " + count + " completions");
            Thread.onSpinWait();
            all.addAll(polled(cq));
        }
        assertEquals(count, all.size(), all::toString);
        return all;
    }

    /** Resets both queue pairs and connects them again, with an ACK timeout and retry counts of the sender. */
    public void reconnectSender(int timeout, int retries, int rnrRetry) {
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

    /** Moves a queue pair from RESET to RTS with rnr_retry 0. */
    public static void connectWithoutRnrRetry(RdmaContext context, QueuePair qp, QueuePair peer) {
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
