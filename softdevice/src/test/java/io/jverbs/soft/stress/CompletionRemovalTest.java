package io.jverbs.soft.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.queue.DeferredWork;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.spi.WcLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A queue pair is reset again and again while others use the same completion queue: its completions are removed, and
 * each completion of the others is polled once. The completion queue is as deep as the two send queues. Catalogue items
 * C8, C17, D34, D37.
 */
final class CompletionRemovalTest {
    private static final int STAYING = 24;
    private static final int RESET = 8;
    private static final int CAPACITY = STAYING + RESET;
    private static final int QP_STAYING = 1;
    private static final int QP_RESET = 2;
    private static final int SEEN = 1 << 12;
    private static final int LEAST_ROUNDS = 100;

    private final CompletionQueueCore cq = new CompletionQueueCore(new DeferredWork.DeferredQueue(), CAPACITY, true,
            null);
    /** For each request of the staying queue pair, whether its completion has not been polled. */
    private final AtomicIntegerArray inFlight = new AtomicIntegerArray(SEEN);
    private final AtomicLong sequence = new AtomicLong();
    private final AtomicLong round = new AtomicLong();
    /** The latest round whose completions were removed. */
    private volatile long removed;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void completionsOfOthersArePolledOnceWhileThoseOfAResetQueuePairAreRemoved(boolean resized) {
        try (WorkerThreads workers = new WorkerThreads()) {
            workers.require("requests and resets", () -> sequence.get() > 4 * CAPACITY && round.get() > LEAST_ROUNDS);
            workers.start("staying", () -> stay(workers));
            workers.start("reset", () -> reset(workers));
            workers.start("poller of one", () -> poll(workers, 1));
            workers.start("poller of four", () -> poll(workers, 4));
            if (resized) {
                workers.start("resizer", () -> {
                    for (int i = 0; workers.isRunning(); i++) {
                        cq.resize(CAPACITY << i % 2, CAPACITY);
                    }
                });
            }
            workers.join();
        }
    }

    /** Adds completions like a queue pair whose send queue has as many slots as {@link #STAYING}. */
    private void stay(WorkerThreads workers) {
        long[] numbers = new long[STAYING];
        long latest = 0;
        while (workers.isRunning()) {
            long id = sequence.get();
            int slot = (int) (id % STAYING);
            if (cq.polled() >= numbers[slot]) {
                // its poll may not have recorded it yet
                workers.await("the completion to be polled", () -> inFlight.get((int) (id % SEEN)) == 0);
                inFlight.set((int) (id % SEEN), 1);
                numbers[slot] = cq.putSuccess(id, 0, 0, 0, QP_STAYING, 0, 0, false);
                assertTrue(numbers[slot] > latest, "the completion queue has overflowed");
                latest = numbers[slot];
                sequence.incrementAndGet();
            }
        }
    }

    /** Adds completions like a queue pair that is reset before it has polled them. */
    private void reset(WorkerThreads workers) {
        SpinLock half = new SpinLock();
        long latest = 0;
        while (workers.isRunning()) {
            long now = round.incrementAndGet();
            for (int i = 0; i < RESET; i++) {
                half.lock();
                long number = cq.putSuccess(now, 0, 0, 0, QP_RESET, 0, 0, false);
                half.unlock();
                assertTrue(number > latest, "the completion queue has overflowed");
                latest = number;
            }
            half.lock();
            cq.removeCompletions(QP_RESET, half);
            half.unlock();
            removed = now;
        }
    }

    private void poll(WorkerThreads workers, int max) {
        MemorySegment polled = Arena.ofAuto().allocate(max * WcLayout.SIZE, Long.BYTES);
        while (workers.isRunning()) {
            long before = removed;
            long polledBefore = cq.polled();
            int count = cq.poll(polled, max);
            assertTrue(cq.polled() >= polledBefore, "the number of the last polled completion has decreased");
            for (int i = 0; i < count; i++) {
                long id = polled.get(ValueLayout.JAVA_LONG, i * WcLayout.SIZE);
                if (polled.get(ValueLayout.JAVA_INT, i * WcLayout.SIZE + WcLayout.QP_NUM) == QP_RESET) {
                    assertTrue(id > before, "a completion of round " + id + " was polled after round " + before);
                } else {
                    assertEquals(1, inFlight.getAndSet((int) (id % SEEN), 0), "completion " + id + " is polled once");
                }
            }
        }
    }
}
