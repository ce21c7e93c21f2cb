package io.jverbs.soft.queue;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.spi.WcLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Catalogue C17, D34: the completions of a queue pair that enters RESET or is destroyed are removed from the completion
 * queue. Those of other queue pairs keep their order and their numbers.
 */
final class RemovedCompletionsTest {
    private static final int LARGE = 64;
    private static final int STEPS = 100_000;

    private final MemorySegment polled = Arena.ofAuto().allocate(LARGE * WcLayout.SIZE, Long.BYTES);

    /** Adds one completion for each letter; the {@code wr_id} is the position in the text, from 1. */
    private static void put(CompletionRing ring, String queuePairs) {
        for (int i = 0; i < queuePairs.length(); i++) {
            assertTrue(ring.put(i + 1, 1, 2, 3, 4, queuePairs.charAt(i), 5, 6, null), "completion " + (i + 1));
        }
    }

    private String poll(CompletionRing ring, int max) {
        int count = ring.poll(polled, max);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            long at = i * WcLayout.SIZE;
            text.append((char) polled.get(JAVA_INT, at + WcLayout.QP_NUM)).append(polled.get(JAVA_LONG, at));
            assertEquals(List.of(1, 2, 3, 4, 5, 6),
                    List.of(polled.get(JAVA_INT, at + WcLayout.STATUS), polled.get(JAVA_INT, at + WcLayout.OPCODE),
                            polled.get(JAVA_INT, at + WcLayout.BYTE_LEN), polled.get(JAVA_INT, at + WcLayout.IMM_DATA),
                            polled.get(JAVA_INT, at + WcLayout.SRC_QP), polled.get(JAVA_INT, at + WcLayout.WC_FLAGS)));
        }
        return text.toString();
    }

    /**
     * The columns are the queue pairs of the completions that are added, how many are polled, the queue pair whose
     * completions are removed, and the completions that remain.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            A,        0, A, ''
            AAAAAAAA, 0, A, ''
            AAAAAAAA, 3, A, ''
            BBBB,     0, A, B1B2B3B4
            BBBB,     4, A, ''
            '',       0, A, ''
            AB,       0, A, B2
            BA,       0, A, B1
            BAAAAAAB, 0, A, B1B8
            ABABABAB, 0, A, B2B4B6B8
            ABABABAB, 0, B, A1A3A5A7
            ABABABAB, 3, A, B4B6B8
            AAABBB,   3, A, B4B5B6
            CBACBA,   1, A, B2C4B5
            """)
    void theCompletionsOfOneQueuePairAreRemovedAndTheOthersKeepTheirOrder(String added, int before, char removed,
            String remaining) {
        // from each position in the ring
        for (int start = 0; start <= 8; start++) {
            CompletionRing ring = new CompletionRing(8);
            put(ring, "X".repeat(start));
            assertEquals(start, ring.poll(polled, LARGE));
            put(ring, added);
            assertEquals(before, ring.poll(polled, before));
            ring.remove(removed);
            assertEquals(remaining.length() / 2, ring.size(), "from position " + start);
            assertEquals(start + added.length(), ring.added());
            // the places are free
            put(ring, "N".repeat(8 - remaining.length() / 2));
            assertFalse(ring.put(9, 0, 0, 0, 0, 'N', 0, 0, null));
            assertTrue(poll(ring, LARGE).startsWith(remaining + (remaining.length() < 16 ? "N1" : "")));
            assertEquals("", poll(ring, LARGE));
        }
    }

    /** A completion counts as polled when it is, not when those of another queue pair are removed. */
    @Test
    void completionsThatWereMovedHaveTheNumbersUnderWhichTheyWereAdded() {
        CompletionRing ring = new CompletionRing(8);
        put(ring, "ABABAB");
        ring.remove('A');
        assertEquals(1, ring.polled());
        assertEquals("B2", poll(ring, 1));
        assertEquals(3, ring.polled());
        put(ring, "CA");
        assertEquals("B4", poll(ring, 1));
        assertEquals(5, ring.polled());
        ring.remove('A');
        assertEquals(6, ring.wrId(6));
        assertEquals(1, ring.wrId(7));
        assertEquals("B6", poll(ring, 1));
        assertEquals(6, ring.polled());
        assertEquals("C1", poll(ring, 1));
        assertEquals(8, ring.polled());
    }

    /** Such a poll would find what was at a position before entries were moved, so it must read the ring again. */
    @Test
    void aPollThatStillReadsTheArrayOfBeforeAResizeFindsNothingThere() {
        CompletionRing ring = new CompletionRing(8);
        put(ring, "ABAB");
        long[] former = ring.entries;
        assertTrue(ring.resize(16, 16));
        ring.remove('A');
        long[] present = ring.entries;
        ring.entries = former;
        CompletableFuture<String> polled = CompletableFuture.supplyAsync(() -> poll(ring, 1));
        assertThrows(TimeoutException.class, () -> polled.get(20, TimeUnit.MILLISECONDS));
        ring.entries = present;
        assertEquals("B2", polled.orTimeout(20, TimeUnit.SECONDS).join());
    }

    /** Applies random operations to a ring and to a list, and compares the two after each. */
    private final class Run {
        /** A completion in the ring. */
        private record Entry(long number, int queuePair) {}

        private final List<Entry> entries = new ArrayList<>();
        private final SplittableRandom random;
        private final int queuePairs;
        private CompletionRing ring;
        private long added;

        private Run(int capacity, int queuePairs) {
            this.ring = new CompletionRing(capacity);
            this.queuePairs = queuePairs;
            this.random = new SplittableRandom(31L * capacity + queuePairs);
        }

        private void step() {
            int chance = random.nextInt(100);
            if (chance < 60) {
                put();
            } else if (chance < 80) {
                poll(1 + random.nextInt(3));
            } else if (chance < 98) {
                int queuePair = random.nextInt(queuePairs);
                ring.remove(queuePair);
                entries.removeIf(entry -> entry.queuePair() == queuePair);
            } else {
                int capacity = Math.min(LARGE, Integer.highestOneBit(Math.max(1, entries.size())) * 2);
                assertTrue(ring.resize(capacity, capacity));
            }
            check();
        }

        private void put() {
            int queuePair = random.nextInt(queuePairs);
            boolean fits = ring.put(added + 1, 0, 0, 0, 0, queuePair, 0, 0, null);
            assertEquals(entries.size() < ring.capacity(), fits, "fits");
            if (fits) {
                entries.add(new Entry(++added, queuePair));
            }
        }

        private void poll(int max) {
            int count = ring.poll(polled, max);
            assertEquals(Math.min(max, entries.size()), count);
            for (int i = 0; i < count; i++) {
                assertEquals(entries.removeFirst().number(), polled.get(JAVA_LONG, i * WcLayout.SIZE));
            }
        }

        private void check() {
            assertEquals(entries.size(), ring.size());
            assertEquals(added, ring.added());
            assertEquals(entries.isEmpty() ? added : entries.getFirst().number() - 1, ring.polled());
            assertTrue(ring.polledAtLeast() <= ring.polled(), "the lower bound of the completions polled");
            for (Entry entry : entries) {
                assertEquals(entry.number(), ring.wrId(entry.number()));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 2", "2, 2", "4, 2", "8, 3", "32, 4"})
    void theRingMatchesAListAfterRandomOperations(int capacity, int queuePairs) {
        Run run = new Run(capacity, queuePairs);
        for (int step = 0; step < STEPS; step++) {
            try {
                run.step();
            } catch (AssertionError e) {
                throw new AssertionError("at step " + step, e);
            }
        }
    }

    /** Catalogue D37, E3: slots of another queue pair are in use until their own completions are polled. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void removingCompletionsFreesNoSlotOfAnotherQueuePairAndKeepsNone(boolean resized) {
        HeldLock half = new HeldLock(() -> {});
        CompletionQueueCore cq = new CompletionQueueCore(new DeferredWork.DeferredQueue(), LARGE, false, null);
        SendSlots slots = new SendSlots(4, cq) {};
        slots.allocate();
        for (int i = 0; i < 4; i++) {
            assertTrue(slots.hasRoom());
            slots.add();
            cq.putSuccess(0, 0, 0, 0, 'A', 0, 0, false);
            slots.finishOldest(cq.putSuccess(i, 0, 0, 0, 'B', 0, 0, false));
        }
        cq.removeCompletions('A', half);
        if (resized) {
            assertTrue(cq.resize(4, 4));
        }
        for (int i = 0; i < 4; i++) {
            assertFalse(slots.hasRoom(), "before completion " + i + " is polled");
            assertEquals(i, cq.wrId(slots.oldestUnpolled()));
            assertEquals(1, cq.poll(polled, 1));
            assertEquals(i, polled.get(JAVA_LONG, 0));
            assertTrue(slots.hasRoom(), "after completion " + i + " was polled");
            slots.add();
        }
        assertFalse(slots.hasRoom());
    }
}
