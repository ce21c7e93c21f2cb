package io.jverbs.soft.queue;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.spi.WcLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which completions a ring holds, in which order they are polled, and when one is refused. */
final class CompletionRingTest {
    private static final int LARGE = 64;

    private final MemorySegment polled = Arena.ofAuto().allocate(LARGE * WcLayout.SIZE, Long.BYTES);
    private CompletionRing ring = new CompletionRing(4);
    /** The {@code wr_id} of the next completion that is added, and of the next one that is to be polled. */
    private long nextIn = 1;
    private long nextOut = 1;

    private boolean put() {
        boolean fits = ring.put(nextIn, 0, 0, 0, 0, 0, 0, 0, null);
        nextIn += fits ? 1 : 0;
        return fits;
    }

    private void put(int count) {
        for (int i = 0; i < count; i++) {
            assertTrue(put(), "completion " + nextIn);
        }
    }

    /** Polls, and checks that the completions are the next ones in order; returns their number. */
    private int poll(int max) {
        int count = ring.poll(polled, max);
        for (int i = 0; i < count; i++) {
            assertEquals(nextOut++, polled.get(JAVA_LONG, i * WcLayout.SIZE + WcLayout.WR_ID));
        }
        return count;
    }

    /** C7: the columns are the capacity, the completions in the ring, the limit of the poll and what it returns. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            1,  0, 1,  0
            1,  1, 1,  1
            4,  0, 4,  0
            4,  3, 0,  0
            4,  3, 1,  1
            4,  3, 2,  2
            4,  3, 3,  3
            4,  3, 64, 3
            4,  4, 4,  4
            4,  4, 64, 4
            16, 9, 8,  8
            """)
    void pollReturnsWhatTheRingHoldsUpToItsLimit(int capacity, int held, int max, int returned) {
        // from each position in the ring
        for (int start = 0; start <= capacity; start++) {
            ring = new CompletionRing(capacity);
            nextIn = 1;
            nextOut = 1;
            for (int i = 0; i < start; i++) {
                put(1);
                assertEquals(1, poll(1));
            }
            put(held);
            assertEquals(held, ring.size());
            assertEquals(returned, poll(max), "from position " + start);
            assertEquals(held - returned, ring.size());
            assertEquals(start + returned, ring.polled());
            assertEquals(start + held, ring.added());
        }
    }

    /** C8, C9: each completion is returned once and in order while the ring wraps around many times. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 32})
    void completionsAreReturnedOnceAndInOrderAcrossManyWraparounds(int capacity) {
        ring = new CompletionRing(capacity);
        for (int round = 0; round < 100; round++) {
            int batch = 1 + round % capacity;
            put(batch);
            assertEquals(batch, poll(LARGE));
            assertEquals(0, poll(LARGE));
        }
        assertEquals(nextIn, nextOut);
    }

    /** C15: a completion that does not fit is refused and damages none of those that the ring holds. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 32})
    void aFullRingRefusesACompletionUntilOneIsPolled(int capacity) {
        ring = new CompletionRing(capacity);
        for (int round = 0; round < 3 * capacity; round++) {
            while (put()) {
                // fills the ring
            }
            assertEquals(capacity, ring.size());
            assertFalse(put());
            assertEquals(1, poll(1));
        }
        assertEquals(capacity - 1, poll(LARGE));
        assertEquals(nextIn, nextOut);
    }

    /** C6: the columns are the completions in the ring, the new capacity, the size requested, and the outcome. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            0, 8, 8, true
            0, 1, 1, true
            3, 8, 5, true
            3, 4, 3, true
            4, 8, 8, true
            4, 4, 4, true
            2, 2, 2, true
            1, 1, 1, true
            3, 2, 2, false
            4, 4, 3, false
            4, 1, 1, false
            """)
    void resizeKeepsTheCompletionsInOrderOrChangesNothing(int held, int capacity, int requested, boolean resized) {
        for (int start = 0; start <= 8; start++) {
            ring = new CompletionRing(4);
            nextIn = 1;
            nextOut = 1;
            for (int i = 0; i < start; i++) {
                put(1);
                assertEquals(1, poll(1));
            }
            put(held);
            assertEquals(resized, ring.resize(capacity, requested), "from position " + start);
            assertEquals(resized ? capacity : 4, ring.capacity());
            assertEquals(held, ring.size());
            // the rest fits, and no more
            put(ring.capacity() - held);
            assertFalse(put());
            assertEquals(ring.capacity(), poll(LARGE));
            assertEquals(nextIn, nextOut);
        }
    }

    @Test
    void theWrIdOfACompletionThatWasNotPolledIsFoundByItsNumber() {
        put(3);
        assertEquals(1, poll(1));
        put(2);
        assertTrue(ring.resize(8, 8));
        put(1);
        for (long number = 2; number <= 6; number++) {
            assertEquals(number, ring.wrId(number));
        }
    }

    /** A prefetch writes to the next entry only, and not to its first word while another thread may add entries. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            0, false
            0, true
            2, false
            2, true
            4, false
            4, true
            """)
    void prefetchChangesNoCompletion(int held, boolean exclusive) {
        put(3);
        assertEquals(3, poll(3));
        put(held);
        ring.prefetch(exclusive);
        assertEquals(held, poll(LARGE));
        put(4);
        ring.prefetch(exclusive);
        assertEquals(4, poll(LARGE));
    }

    /** C10: a completion has the layout of {@code struct ibv_wc}; what the device does not use is 0. */
    @Test
    void aPolledCompletionHasTheFieldsThatWereAdded() {
        polled.fill((byte) 0xA5);
        assertTrue(ring.put(0x0102030405060708L, 11, 12, 13, 14, 15, 16, 17, null));
        assertTrue(ring.put(-1, -2, -3, -4, -5, -6, -7, -8, null));
        assertEquals(2, ring.poll(polled, 2));
        assertEquals(0x0102030405060708L, polled.get(JAVA_LONG, WcLayout.WR_ID));
        assertEquals(-1, polled.get(JAVA_LONG, WcLayout.SIZE + WcLayout.WR_ID));
        long[] fields = {WcLayout.STATUS, WcLayout.OPCODE, WcLayout.BYTE_LEN, WcLayout.IMM_DATA, WcLayout.QP_NUM,
            WcLayout.SRC_QP, WcLayout.WC_FLAGS};
        for (int i = 0; i < fields.length; i++) {
            assertEquals(11 + i, polled.get(JAVA_INT, fields[i]), "field at " + fields[i]);
            assertEquals(-2 - i, polled.get(JAVA_INT, WcLayout.SIZE + fields[i]), "field at " + fields[i]);
        }
        for (int entry = 0; entry < 2; entry++) {
            assertEquals(0, polled.get(JAVA_INT, entry * WcLayout.SIZE + WcLayout.VENDOR_ERR));
            assertEquals(0, polled.get(JAVA_LONG, entry * WcLayout.SIZE + WcLayout.PKEY_INDEX));
        }
    }
}
