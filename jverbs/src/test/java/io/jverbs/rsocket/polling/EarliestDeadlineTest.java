package io.jverbs.rsocket.polling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The earliest of many deadlines, also where the values of the clock overflow. */
class EarliestDeadlineTest {

    @ParameterizedTest
    @ValueSource(longs = {0, 1000, -50, Long.MAX_VALUE - 50, Long.MIN_VALUE})
    void onlyAnEarlierDeadlineWakesTheThreadAndChangesTheWait(long start) {
        EarliestDeadline earliest = new EarliestDeadline(start + 100);
        assertEquals(100, earliest.nanosFrom(start));
        assertFalse(earliest.add(start + 200));
        assertFalse(earliest.add(start + 100));
        assertEquals(100, earliest.nanosFrom(start));
        assertTrue(earliest.add(start + 70));
        assertEquals(60, earliest.nanosFrom(start + 10));
        assertEquals(0, earliest.nanosFrom(start + 70));
        assertEquals(0, earliest.nanosFrom(start + 90));
    }

    @Test
    void aDeadlineThatHasPassedStaysUntilTheRestart() {
        EarliestDeadline earliest = new EarliestDeadline(0);
        assertFalse(earliest.add(500));
        assertEquals(0, earliest.nanosFrom(10));
        earliest.restart(10_000);
        assertTrue(earliest.add(500));
        assertEquals(490, earliest.nanosFrom(10));
    }
}
