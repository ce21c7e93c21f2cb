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
            assertTrue(rounds[0] > LEAST_ROUNDS, () -> rounds[0] + " rounds");
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

    /** Puts one after the other and finds each; how many. None is named 0, which an approach writes. */
    private static long putAndPoll(Team team, CompletionQueueCore queue, SpinLock half) {
        MemorySegment completions = Arena.ofAuto().allocate(WcLayout.SIZE, Long.BYTES);
        long count = 0;
        while (team.goesOn()) {
            count++;
            put(queue, half, count);
            assertEquals(1, queue.poll(completions, 1), "it is there");
            assertEquals(count, id(completions, 0));
        }
        return count;
    }

    @Test
    void resizingAQueueOfOneProducerLosesNothing() {
        try (Team team = new Team()) {
            CompletionQueueCore queue = queue(CAPACITY);
            SpinLock half = new SpinLock();
            queue.claim(half);
            long[] polled = new long[1];
            long[] resized = new long[1];
            team.member("producer and poller", () -> polled[0] = putAndPoll(team, queue, half));
            team.member("resizer", () -> {
                while (team.goesOn()) {
                    assertTrue(queue.resize(CAPACITY << resized[0] % 2, CAPACITY));
                    resized[0]++;
                }
            });
            team.join();
            assertTrue(polled[0] > CAPACITY && resized[0] > LEAST_ROUNDS, () -> polled[0] + " and " + resized[0]);
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
            long[] done = new long[2];
            team.member("producer and poller", () -> done[0] = putAndPoll(team, queue, half));
            team.member("other", () -> {
                while (team.goesOn()) {
                    other.lock();
                    queue.approach(named ? other : null);
                    other.unlock();
                    done[1]++;
                }
            });
            team.join();
            assertTrue(done[0] > CAPACITY && done[1] > CAPACITY, () -> done[0] + " and " + done[1]);
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
