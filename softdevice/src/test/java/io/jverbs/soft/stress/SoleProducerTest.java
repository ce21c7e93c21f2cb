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
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A completion queue with a sole producer, which does not take the queue's lock: no transition loses completions. */
final class SoleProducerTest {
    private static final int EACH = 100;
    private static final int CAPACITY = 256;
    private static final int LEAST_ROUNDS = 20;

    private static CompletionQueueCore queue(int capacity) {
        return new CompletionQueueCore(new DeferredWork.DeferredQueue(), capacity, false, null);
    }

    private static void put(CompletionQueueCore queue, SpinLock half, long id) {
        half.lock();
        queue.prefetch(half);
        queue.putSuccess(id, 0, 0, 0, 1, 0, 0, false);
        half.unlock();
    }

    private static long id(MemorySegment completions, int index) {
        return completions.get(ValueLayout.JAVA_LONG, index * WcLayout.SIZE + WcLayout.WR_ID);
    }

    @Test
    void secondProducerJoiningWhileFirstPutsLosesNoCompletion() {
        try (WorkerThreads workers = new WorkerThreads()) {
            AtomicReference<CompletionQueueCore> queue = new AtomicReference<>(queue(CAPACITY));
            SpinLock first = new SpinLock();
            SpinLock second = new SpinLock();
            queue.get().registerProducer(first);
            int[] rounds = new int[1];
            workers.require("rounds of both producers", () -> rounds[0] > LEAST_ROUNDS);
            boolean[] ended = new boolean[1];
            CyclicBarrier barrier = workers.barrier(2, () -> {
                check(queue.get(), 2 * EACH * Math.min(rounds[0], 1));
                rounds[0]++;
                queue.set(queue(CAPACITY));
                queue.get().registerProducer(first);
                ended[0] = !workers.isRunning();
            });
            workers.start("first", () -> {
                while (true) {
                    workers.awaitBarrier(barrier, "the second");
                    if (ended[0]) {
                        return;
                    }
                    for (int i = 0; i < EACH; i++) {
                        put(queue.get(), first, i);
                    }
                }
            });
            workers.start("second", () -> {
                for (int round = 0;; round++) {
                    workers.awaitBarrier(barrier, "the first");
                    if (ended[0]) {
                        return;
                    }
                    for (int i = 0; i < round % EACH; i++) {
                        Thread.onSpinWait();
                    }
                    queue.get().registerProducer(second);
                    for (int i = 0; i < EACH; i++) {
                        put(queue.get(), second, EACH + i);
                    }
                }
            });
            workers.join();
        }
    }

    /** Checks that the queue holds the given number of completions with distinct ids. */
    private static void check(CompletionQueueCore queue, int expected) {
        BitSet seen = new BitSet();
        MemorySegment completions = Arena.ofAuto().allocate(CAPACITY * WcLayout.SIZE, Long.BYTES);
        int count = queue.poll(completions, CAPACITY);
        for (int i = 0; i < count; i++) {
            seen.set((int) id(completions, i));
        }
        assertEquals(expected, count);
        assertEquals(expected, seen.cardinality());
    }

    /** Puts and polls one completion after the other and counts them. No id is 0, because a prefetch writes 0. */
    private static void putAndPoll(WorkerThreads workers, CompletionQueueCore queue, SpinLock half, AtomicLong count) {
        MemorySegment completions = Arena.ofAuto().allocate(WcLayout.SIZE, Long.BYTES);
        while (workers.isRunning()) {
            long number = count.incrementAndGet();
            put(queue, half, number);
            assertEquals(1, queue.poll(completions, 1), "the completion is polled");
            assertEquals(number, id(completions, 0));
        }
    }

    @Test
    void resizingQueueOfSoleProducerLosesNoCompletion() {
        try (WorkerThreads workers = new WorkerThreads()) {
            CompletionQueueCore queue = queue(CAPACITY);
            SpinLock half = new SpinLock();
            queue.registerProducer(half);
            AtomicLong polled = new AtomicLong();
            AtomicLong resized = new AtomicLong();
            workers.require("the ring to wrap around and to be resized",
                    () -> polled.get() > CAPACITY && resized.get() > LEAST_ROUNDS);
            workers.start("producer and poller", () -> putAndPoll(workers, queue, half, polled));
            workers.start("resizer", () -> {
                while (workers.isRunning()) {
                    assertTrue(queue.resize(CAPACITY << resized.getAndIncrement() % 2, CAPACITY));
                }
            });
            workers.join();
        }
    }

    /** A queue pair prefetches without putting when a message arrives before it has posted a receive. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void prefetchByAnotherHalfLeavesCompletionsOfSoleProducerIntact(boolean named) {
        try (WorkerThreads workers = new WorkerThreads()) {
            CompletionQueueCore queue = queue(CAPACITY);
            SpinLock half = new SpinLock();
            queue.registerProducer(half);
            SpinLock other = new SpinLock();
            AtomicLong polled = new AtomicLong();
            AtomicLong prefetched = new AtomicLong();
            workers.require("the ring to wrap around, with as many prefetches",
                    () -> polled.get() > CAPACITY && prefetched.get() > CAPACITY);
            workers.start("producer and poller", () -> putAndPoll(workers, queue, half, polled));
            workers.start("other", () -> {
                while (workers.isRunning()) {
                    other.lock();
                    queue.prefetch(named ? other : null);
                    other.unlock();
                    prefetched.incrementAndGet();
                }
            });
            workers.join();
        }
    }

    @Test
    void prefetchOnFullQueueLeavesCompletionsIntact() {
        CompletionQueueCore queue = queue(2);
        SpinLock half = new SpinLock();
        queue.registerProducer(half);
        put(queue, half, 7);
        put(queue, half, 8);
        half.lock();
        queue.prefetch(half);
        half.unlock();

        MemorySegment completions = Arena.ofAuto().allocate(2 * WcLayout.SIZE, Long.BYTES);
        assertEquals(2, queue.poll(completions, 2));
        assertEquals(List.of(7L, 8L), List.of(id(completions, 0), id(completions, 1)));
    }

    @Test
    void aProducerThatRegistersAfterTheSoleProducerLeftLosesNoCompletion() {
        CompletionQueueCore queue = queue(CAPACITY);
        SpinLock first = new SpinLock();
        SpinLock second = new SpinLock();
        queue.registerProducer(first);
        put(queue, first, 0);
        queue.unregisterProducer(first);

        queue.registerProducer(second);
        put(queue, second, 1);

        check(queue, 2);
    }
}
