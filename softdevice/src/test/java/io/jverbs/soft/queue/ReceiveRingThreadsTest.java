package io.jverbs.soft.queue;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.spi.WcLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One thread posts receive requests and polls their completions while another one takes and completes them. */
@Isolated("its threads spin on both processors")
final class ReceiveRingThreadsTest {
    private static final int REQUESTS = Integer.getInteger("jverbs.ring.requests", 300_000);
    private static final int SECONDS = 60;
    /** How often a thread that waits spins before it yields. */
    private static final int SPINS = 1000;
    private static final int RECEIVE_QP = 1;
    private static final int OTHER_QP = 2;

    private final CompletionQueueCore cq = new CompletionQueueCore(new DeferredWork.DeferredQueue(), 256, false,
            new CompletionEvents() {
                @Override
                public void completionEvent(CompletionQueueCore queue) {}

                @Override
                public void allEventsRaised(CompletionQueueCore queue) {}

                @Override
                public void overflow(CompletionQueueCore queue, boolean first) {
                    throw new IllegalStateException("overflow");
                }
            });
    private final AtomicBoolean failed = new AtomicBoolean();

    /** Completes all requests; before one in {@code others}, a completion of another queue pair is added. */
    private void take(ReceiveRing ring, int others) {
        Random random = new Random(others);
        ReceiveWqe loaded = new ReceiveWqe(1);
        int waits = 0;
        for (int i = 0; i < REQUESTS && !failed.get(); i++) {
            while (!ring.load(loaded)) {
                if (failed.get()) {
                    return;
                }
                pause(++waits);
            }
            if (others != 0 && random.nextInt(others) == 0) {
                cq.putSuccess(0, 0, 0, 0, OTHER_QP, 0, 0, false);
            }
            assertEquals(i, loaded.wrId);
            cq.putReceived(loaded.wrId, 0, 0, 0, RECEIVE_QP, 0, 0, false, ring);
            ring.taken();
        }
    }

    /** Spins, and sometimes lets the other thread run, which has no processor of its own on a busy machine. */
    private static void pause(int waits) {
        if (waits % SPINS == 0) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }

    /** E3: a post succeeds exactly if fewer requests are posted and not polled than fit. */
    @ParameterizedTest
    @CsvSource({"1, 0", "2, 0", "16, 0", "64, 0", "1, 2", "4, 1", "16, 3", "64, 20", "64, 1"})
    void aSlotIsFreeOnceItsCompletionWasPolled(int capacity, int others)
            throws InterruptedException, ExecutionException, TimeoutException {
        ReceiveRing ring = new ReceiveRing(capacity, 1, cq);
        CompletableFuture<Void> taker = CompletableFuture.runAsync(() -> take(ring, others),
                task -> Thread.ofPlatform().daemon().start(task));
        try {
            postAndPoll(ring, capacity);
        } catch (AssertionError e) {
            failed.set(true);
            throw e;
        }
        taker.get(SECONDS, TimeUnit.SECONDS);
    }

    /** The deadline is in processor time of this thread, since other programs may use the processors. */
    private void postAndPoll(ReceiveRing ring, int capacity) {
        ReceiveWorkRequest request = ReceiveWorkRequest.create(1).sgeCount(0);
        MemorySegment memory = Arena.ofAuto().allocate(WcLayout.SIZE, Long.BYTES);
        Random random = new Random(capacity);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long deadline = threads.getCurrentThreadCpuTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        int posted = 0;
        int polled = 0;
        int waits = 0;
        while (polled < REQUESTS) {
            int posts = posted == REQUESTS ? 0 : random.nextInt(capacity + 1);
            for (int i = 0; i <= posts && posted < REQUESTS; i++) {
                boolean fits = posted - polled < capacity;
                assertEquals(fits ? 0 : ErrnoCode.ENOMEM, ReceiveRingTest.post(ring, request.wrId(posted)),
                        posted + ", " + polled);
                posted += fits ? 1 : 0;
            }
            int count = cq.poll(memory, 1);
            polled += count == 1 && memory.get(JAVA_INT, WcLayout.QP_NUM) == RECEIVE_QP ? 1 : 0;
            if (count == 0) {
                pause(++waits);
                assertTrue(waits % SPINS != 0 || threads.getCurrentThreadCpuTime() < deadline, "polled " + polled);
            }
        }
    }
}
