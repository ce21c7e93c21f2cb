package io.jverbs.soft.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The registration of the halves of queue pairs that add completions to a queue. */
final class ProducersTest {
    private final CompletionQueueCore cq = new CompletionQueueCore(new DeferredWork.DeferredQueue(), 8, false, null);
    private final List<String> waits = new ArrayList<>();
    private final HeldLock sole = new HeldLock(() -> waits.add(Thread.holdsLock(cq) ? "in a monitor" : "without"));

    private void put(long wrId) {
        cq.putSuccess(wrId, 0, 0, 0, 1, 0, 0, false);
    }

    /** A virtual thread that waits in a monitor would be pinned on a JDK before 24. */
    @Test
    void theReleaseOfTheSoleProducersLockIsAwaitedOutsideMonitors() {
        cq.registerProducer(sole);
        assertTrue(cq.resize(16, 16));
        cq.registerProducer(new HeldLock(() -> {}));
        assertEquals(List.of("without", "without"), waits);
    }

    @Test
    void theOnlyProducerStaysTheSoleOneIfResizingFails() {
        HeldLock failing = new HeldLock(() -> {
            throw new StackOverflowError("injected");
        });
        cq.registerProducer(failing);
        put(1);
        for (int i = 0; i < 2; i++) {
            // the second time, it waits again, since the half does not take the put lock
            assertThrows(StackOverflowError.class, () -> cq.resize(16, 16));
            assertEquals(8, cq.cqe());
        }
        put(2);
        assertEquals(2, cq.size());
    }
}
