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

/** Objects made, used and closed by many threads at once. */
final class LifecycleTest {
    private static final int THREADS = 4;
    private static final int REPEATS = 100;
    private static final int BYTES = 64;

    @Test
    void fourThreadsMakeConnectUseAndCloseQueuePairsAHundredTimesEach() {
        try (Node node = Node.open(); Team team = new Team()) {
            AtomicInteger lives = new AtomicInteger();
            for (int thread = 0; thread < THREADS; thread++) {
                byte mark = (byte) (thread + 1);
                team.member("maker " + thread, () -> {
                    for (int i = 0; i < REPEATS || team.goesOn(); i++) {
                        live(node, team, mark);
                        lives.incrementAndGet();
                    }
                });
            }
            team.join();
            assertTrue(lives.get() >= THREADS * REPEATS);
        }
    }

    /** One whole life of a pair of queue pairs with everything around them, each object closed by hand. */
    private static void live(Node node, Team team, byte mark) {
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
            team.await("the send", () -> leftCq.poll(done) == 1);
            assertEquals(WcStatus.SUCCESS, done.status(0));
            assertEquals(left.number(), done.qpNumber(0));
            team.await("the message", () -> rightCq.poll(done) == 1);
            assertEquals(WcStatus.SUCCESS, done.status(0));
            assertEquals(right.number(), done.qpNumber(0));
            assertEquals(mark, done.wrId(0));
            assertEquals(-1, from.segment().mismatch(to.segment()), "the payload");
        }
    }
}
