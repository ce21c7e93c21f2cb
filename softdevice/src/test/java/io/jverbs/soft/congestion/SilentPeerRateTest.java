package io.jverbs.soft.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When portions of READ responses may be sent to a silent peer. */
final class SilentPeerRateTest {
    private static final int BYTES = 1000;
    private static final long NANOS = BYTES * 8L;
    /** How late a portion may be reserved without a loss of rate. */
    private static final long SLACK = 1_000_000;

    private final ReadResponseRate rate = new ReadResponseRate();

    @ParameterizedTest
    @ValueSource(longs = {0, 1L << 62, Long.MAX_VALUE - 5, Long.MIN_VALUE, -1})
    void portionsAreSentOneAfterAnotherAtTheRate(long now) {
        long late = SLACK / NANOS;
        for (int i = 0; i < late; i++) {
            assertEquals(0, rate.reserve(now, BYTES));
        }
        for (int i = 0; i < 10; i++) {
            assertEquals((late + i) * NANOS - SLACK, rate.reserve(now, BYTES));
        }
    }

    @Test
    void unusedTimeIsNotSaved() {
        rate.reserve(0, BYTES);
        long later = 1_000_000_000;
        for (int i = 0; i < SLACK / NANOS; i++) {
            assertEquals(0, rate.reserve(later, BYTES));
        }
        assertEquals(NANOS, rate.reserve(later, BYTES) + rate.reserve(later, BYTES));
    }
}
