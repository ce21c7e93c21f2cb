package io.jverbs.soft.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.queue.Deferral;
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

/** A completion queue whose one producer needs no lock of it: what ends that loses nothing. */
final class SoleProducerTest {
    private static final int EACH = 100;
    private static final int CAPACITY = 256;
    private static final int LEAST_ROUNDS = 20;

    private static CompletionQueueCore queue(int capacity) {
        return new CompletionQueueCore(new Deferral.Agenda(), capacity, false, null);
    }

    private static void put(CompletionQueueCore queue, SpinLock half, long id) {
        half.lock();
        queue.approach(half);
        queue.putSuccess(id, 0, 0, 0, 1, 0, 0, false);
        half.unlock();
    }

    private static long id(MemorySegment completions, int index) {
        return completions.get(ValueLayout.JAVA_LONG, index * WcLayout.SIZE + WcLayout.WR_ID);
    }

    @Test
    void aSecondProducerJoinsWhileTheFirstPuts() {
        try (Team team = new Team()) {
            AtomicReference<CompletionQueueCore> queue = new AtomicReference<>(queue(CAPACITY));
            SpinLock first = new SpinLock();
            SpinLock second = new SpinLock();
            queue.get().claim(first);
            int[] rounds = new int[1];
            team.until("rounds of both", () -> rounds[0] > LEAST_ROUNDS);
            boolean[] ended = new boolean[1];
            CyclicBarrier barrier = team.barrier(2, () -> {
                check(queue.get(), 2 * EACH * Math.min(rounds[0], 1));
                rounds[0]++;
                queue.set(queue(CAPACITY));
                queue.get().claim(first);
                ended[0] = !team.goesOn();
            });
            team.member("first", () -> {
                while (true) {
                    team.meet(barrier, "the second");
                    if (ended[0]) {
                        return;
                    }
                    for (int i = 0; i < EACH; i++) {
                        put(queue.get(), first, i);
                    }
                }
            });
            team.member("second", () -> {
                for (int round = 0;; round++) {
                    team.meet(barrier, "the first");
                    if (ended[0]) {
                        return;
                    }
                    for (int i = 0; i < round % EACH; i++) {
                        Thread.onSpinWait();
                    }
                    queue.get().claim(second);
                    for (int i = 0; i < EACH; i++) {
                        put(queue.get(), second, EACH + i);
                    }
                }
            });
            team.join();
        }
    }

    /** Each number below so many is there once. */
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

    /** Puts one after the other, counts them, and finds each. None is named 0, which an approach writes. */
    private static void putAndPoll(Team team, CompletionQueueCore queue, SpinLock half, AtomicLong count) {
        MemorySegment completions = Arena.ofAuto().allocate(WcLayout.SIZE, Long.BYTES);
        while (team.goesOn()) {
            long number = count.incrementAndGet();
            put(queue, half, number);
            assertEquals(1, queue.poll(completions, 1), "it is there");
            assertEquals(number, id(completions, 0));
        }
    }

    @Test
    void resizingAQueueOfOneProducerLosesNothing() {
        try (Team team = new Team()) {
            CompletionQueueCore queue = queue(CAPACITY);
            SpinLock half = new SpinLock();
            queue.claim(half);
            AtomicLong polled = new AtomicLong();
            AtomicLong resized = new AtomicLong();
            team.until("the ring goes round, and is resized",
                    () -> polled.get() > CAPACITY && resized.get() > LEAST_ROUNDS);
            team.member("producer and poller", () -> putAndPoll(team, queue, half, polled));
            team.member("resizer", () -> {
                while (team.goesOn()) {
                    assertTrue(queue.resize(CAPACITY << resized.getAndIncrement() % 2, CAPACITY));
                }
            });
            team.join();
        }
    }

    /** As a queue pair to which something is sent before it has posted a receive. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoApproachesWithoutEverPuttingTouchesNothingOfTheSoleProducer(boolean named) {
        try (Team team = new Team()) {
            CompletionQueueCore queue = queue(CAPACITY);
            SpinLock half = new SpinLock();
            queue.claim(half);
            SpinLock other = new SpinLock();
            AtomicLong polled = new AtomicLong();
            AtomicLong approached = new AtomicLong();
            team.until("the ring goes round, approached as often",
                    () -> polled.get() > CAPACITY && approached.get() > CAPACITY);
            team.member("producer and poller", () -> putAndPoll(team, queue, half, polled));
            team.member("other", () -> {
                while (team.goesOn()) {
                    other.lock();
                    queue.approach(named ? other : null);
                    other.unlock();
                    approached.incrementAndGet();
                }
            });
            team.join();
        }
    }

    @Test
    void whoApproachesAFullQueueLeavesWhatIsThere() {
        CompletionQueueCore queue = queue(2);
        SpinLock half = new SpinLock();
        queue.claim(half);
        put(queue, half, 7);
        put(queue, half, 8);
        half.lock();
        queue.approach(half);
        half.unlock();

        MemorySegment completions = Arena.ofAuto().allocate(2 * WcLayout.SIZE, Long.BYTES);
        assertEquals(2, queue.poll(completions, 2));
        assertEquals(List.of(7L, 8L), List.of(id(completions, 0), id(completions, 1)));
    }

    @Test
    void whoComesAfterASoleProducerHasLeftIsTheNextOne() {
        CompletionQueueCore queue = queue(CAPACITY);
        SpinLock first = new SpinLock();
        SpinLock second = new SpinLock();
        queue.claim(first);
        put(queue, first, 0);
        queue.leave(first);

        queue.claim(second);
        put(queue, second, 1);

        check(queue, 2);
    }
}
