package io.jverbs.soft.stress;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.jverbs.Access;
import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Arming a completion queue, its event and acknowledging the event allocate nothing. */
class EventAllocationTest {
    private static final int WARM_UP = 20_000;
    private static final int EVENTS = 10_000;
    private static final double OBJECT_BYTES = 16;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final WorkCompletions completion = WorkCompletions.create(1);

    @Test
    void completionEventsAllocateNothing() throws InterruptedException {
        try (RdmaContext context = Verbs.open("soft");
                ProtectionDomain pd = context.allocatePd();
                CompletionChannel channel = context.createCompletionChannel();
                CompletionQueue cq = context.createCompletionQueue(16, channel);
                MemoryRegion memory = pd.allocate(8, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
                QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build());
                QueuePair peer = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build())) {
            qp.connect(peer.localInfo());
            peer.connect(qp.localInfo());
            SendWorkRequest write = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED)
                    .sge(memory, 0, 8).remote(memory.address(), memory.rkey());
            raise(WARM_UP, channel, cq, qp, write);
            long before = THREADS.getCurrentThreadAllocatedBytes();
            raise(EVENTS, channel, cq, qp, write);
            double each = (THREADS.getCurrentThreadAllocatedBytes() - before) / (double) EVENTS;

            assertTrue(each < OBJECT_BYTES, each + " bytes allocated per event");
        }
    }

    private void raise(int count, CompletionChannel channel, CompletionQueue cq, QueuePair qp, SendWorkRequest write)
            throws InterruptedException {
        for (int i = 0; i < count; i++) {
            cq.requestNotification(false);
            qp.postSend(write);
            assertSame(cq, channel.awaitEvent(TIMEOUT));
            cq.acknowledgeEvents(1);
            assertTrue(cq.poll(completion) == 1 && completion.isSuccess(0), "no completion");
        }
    }
}
