package io.jverbs.soft.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.jverbs.Access;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
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
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One end of a connection that waits for completion events. */
final class WaitingEnd implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final RdmaContext context;
    final CompletionChannel channel;
    final CompletionQueue cq;
    private final ProtectionDomain pd;
    private final MemoryRegion memory;
    final QueuePair qp;
    private final WorkCompletions done = WorkCompletions.create(1);

    WaitingEnd(String selector) {
        context = Verbs.open(selector);
        channel = context.createCompletionChannel();
        cq = context.createCompletionQueue(16, channel);
        pd = context.allocatePd();
        memory = pd.allocate(64, Access.LOCAL_WRITE);
        qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(4).maxRecvWr(4).build());
    }

    void connect(WaitingEnd other) {
        qp.connect(other.qp.localInfo());
        other.qp.connect(qp.localInfo());
    }

    void receive() {
        qp.postReceive(ReceiveWorkRequest.create(1).sge(memory, 0, 64));
    }

    void send() {
        qp.postSend(SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).sge(memory, 0, 64));
    }

    /** Raises one event for each of some new queues of the channel: a receive of each is flushed. */
    List<CompletionQueue> raiseEvents(int number) {
        List<CompletionQueue> queues = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            CompletionQueue made = context.createCompletionQueue(4, channel);
            queues.add(made);
            made.requestNotification(false);
            try (QueuePair flushed = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(made).maxSendWr(1)
                    .maxRecvWr(1).build())) {
                flushed.modify(QpAttributes.builder().state(QpState.INIT).accessFlags(0).pkeyIndex(0).port(1).build());
                flushed.postReceive(ReceiveWorkRequest.create(1).sge(memory, 0, 64));
                flushed.modify(QpAttributes.builder().state(QpState.ERR).build());
                // a request that another thread has not flushed yet would be discarded by the close
                DeviceThreads.await("a flushed receive", () -> made.poll(done) == 1);
            }
        }
        return queues;
    }

    void awaitDone() {
        DeviceThreads.await("a completion", () -> cq.poll(done) == 1);
        assertEquals(WcStatus.SUCCESS, done.status(0));
    }

    void awaitEvent() throws InterruptedException {
        assertNotNull(channel.awaitEvent(TIMEOUT), "no completion event within " + TIMEOUT);
        cq.acknowledgeEvents(1);
        awaitDone();
    }

    @Override
    public void close() {
        context.close();
    }
}
