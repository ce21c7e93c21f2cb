package io.jverbs.soft.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RoundTripRangeTest {
    private static final long MILLI = 1_000_000;
    private static final long MICRO = 1_000;
    private static final long PERMITTED = 40 * MICRO;

    private final RoundTripRange range = new RoundTripRange(false);
    private long now;

    /** Adds round trips of a time, one after the other, until one is due to probe, at most for a time. */
    private void add(long nanos, long atMost) {
        long end = now + atMost;
        while (now < end && !range.isProbing()) {
            now += nanos;
            range.windowAcknowledged(nanos, false);
            range.add(nanos, now, true, PERMITTED);
        }
    }

    /** Adds round trips of a time until the probe ends. */
    private void probe(long nanos) {
        while (range.isProbing()) {
            now += nanos;
            assertFalse(range.add(nanos, now, true, PERMITTED));
        }
    }

    @Test
    void aProbeFindsAShorterTimeWhichCountsForTwoPeriods() {
        add(100 * MICRO, MILLI);
        add(160 * MICRO, 60 * MILLI);
        assertTrue(range.isProbing());
        assertEquals(100 * MICRO, range.shortest());
        probe(30 * MICRO);
        assertEquals(30 * MICRO, range.shortest());
        for (long expected : new long[] {30, 80}) {
            add(160 * MICRO, 60 * MILLI);
            assertTrue(range.isProbing());
            probe(80 * MICRO);
            assertEquals(expected * MICRO, range.shortest());
        }
    }

    @Test
    void packetsThatWereInFlightAsAProbeBeganDoNotCount() {
        add(100 * MICRO, MILLI);
        add(160 * MICRO, 60 * MILLI);
        range.add(20 * MICRO, now + 100 * MICRO, true, PERMITTED);
        now += 400 * MICRO;
        probe(50 * MICRO);
        assertEquals(50 * MICRO, range.shortest());
    }

    /** The argument is the time of a round trip, in microseconds, when the period is more than half over. */
    @ParameterizedTest
    @ValueSource(longs = {49, 51})
    void aPathProbesWhenOthersDo(long micros) {
        add(100 * MICRO, MILLI);
        add(160 * MICRO, 60 * MILLI);
        probe(30 * MICRO);
        add(160 * MICRO, 30 * MILLI);
        assertFalse(range.isProbing());
        range.add(micros * MICRO, now, true, PERMITTED);
        assertEquals(micros < 50, range.isProbing());
    }

    @Test
    void aPathThatIsMostlyIdleOrHasNoQueueDoesNotProbe() {
        add(100 * MICRO, MILLI);
        add(120 * MICRO, 500 * MILLI);
        assertFalse(range.isProbing());
        RoundTripRange idle = new RoundTripRange(false);
        for (int i = 0; i < 500; i++) {
            now += MILLI;
            idle.windowAcknowledged(160 * MICRO, false);
            idle.add(i == 0 ? 30 * MICRO : 160 * MICRO, now, true, PERMITTED);
            assertFalse(idle.isProbing());
        }
    }

    @Test
    void aPeriodHasManyRoundTrips() {
        add(MILLI, 2 * MILLI);
        add(2 * MILLI, 100 * MILLI);
        assertFalse(range.isProbing());
        add(2 * MILLI, 200 * MILLI);
        assertTrue(range.isProbing());
    }

    @Test
    void aPathWithinTheHostDoesNotProbe() {
        RoundTripRange within = new RoundTripRange(true);
        for (long at = MILLI; at < 500 * MILLI; at += MILLI / 5) {
            assertTrue(within.add(at < 2 * MILLI ? 30 * MICRO : 160 * MICRO, at, true, PERMITTED));
            within.windowAcknowledged(160 * MICRO, false);
        }
    }
}
