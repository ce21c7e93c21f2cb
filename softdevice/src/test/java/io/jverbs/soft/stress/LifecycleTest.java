package io.jverbs.soft.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many threads create, use and close objects at once. */
final class LifecycleTest {
    private static final int THREADS = 4;
    private static final int REPEATS = 100;
    private static final int BYTES = 64;

    @Test
    void fourThreadsCreateConnectUseAndCloseQueuePairsConcurrently() {
        try (Node node = Node.open(); WorkerThreads workers = new WorkerThreads()) {
            AtomicInteger cycles = new AtomicInteger();
            for (int thread = 0; thread < THREADS; thread++) {
                byte mark = (byte) (thread + 1);
                workers.start("creator " + thread, () -> {
                    for (int i = 0; i < REPEATS || workers.isRunning(); i++) {
                        runCycle(node, workers, mark);
                        cycles.incrementAndGet();
                    }
                });
            }
            workers.join();
            assertTrue(cycles.get() >= THREADS * REPEATS);
        }
    }

    /** Creates two connected queue pairs with their queues and memory, sends a message, and closes each object. */
    private static void runCycle(Node node, WorkerThreads workers, byte mark) {
        WorkCompletions done = WorkCompletions.create(4);
        try (CompletionQueue leftCq = node.cq(4);
                CompletionQueue rightCq = node.cq(4);
                QueuePair left = node.queuePair(QpType.RC, leftCq, leftCq);
                QueuePair right = node.queuePair(QpType.RC, rightCq, rightCq);
                MemoryRegion from = node.region(BYTES);
                MemoryRegion to = node.region(BYTES)) {
            Node.connect(left, right);
            from.segment().fill(mark);
            right.postReceive(ReceiveWorkRequest.create(1).sge(to, 0, BYTES).wrId(mark));
            left.postSend(SendWorkRequest.create(1).sge(from, 0, BYTES).wrId(mark));
            workers.await("the send", () -> leftCq.poll(done) == 1);
            assertEquals(WcStatus.SUCCESS, done.status(0));
            assertEquals(left.number(), done.qpNumber(0));
            workers.await("the message", () -> rightCq.poll(done) == 1);
            assertEquals(WcStatus.SUCCESS, done.status(0));
            assertEquals(right.number(), done.qpNumber(0));
            assertEquals(mark, done.wrId(0));
            assertEquals(-1, from.segment().mismatch(to.segment()), "the payload");
        }
    }
}
