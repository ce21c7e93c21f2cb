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
    /** How much may be acknowledged in a measurement while no round trip ends. */
    private static final long MOST = 64 * PathWindow.cost(4096);

    private final RoundTripRange range = new RoundTripRange(false);
    private long now;

    /** Adds round trips of a time, one after the other, until a measurement begins, at most for a time. */
    private void add(long nanos, long atMost) {
        long end = now + atMost;
        while (now < end && !range.isMeasuring()) {
            now += nanos;
            range.windowAcknowledged(nanos, false);
            range.add(nanos, now, true, PERMITTED);
        }
    }

    /** Adds round trips of a time until the measurement ends. */
    private void measure(long nanos) {
        while (range.isMeasuring()) {
            now += nanos;
            assertFalse(range.add(nanos, now, true, PERMITTED));
        }
    }

    @Test
    void aMeasurementFindsAShorterTimeWhichCountsForTwoPeriods() {
        add(100 * MICRO, MILLI);
        add(160 * MICRO, 60 * MILLI);
        assertTrue(range.isMeasuring());
        assertEquals(100 * MICRO, range.shortest());
        measure(30 * MICRO);
        assertEquals(30 * MICRO, range.shortest());
        for (long expected : new long[] {30, 80}) {
            add(160 * MICRO, 60 * MILLI);
            assertTrue(range.isMeasuring());
            measure(80 * MICRO);
            assertEquals(expected * MICRO, range.shortest());
        }
    }

    @Test
    void packetsThatWereInFlightAsAMeasurementBeganDoNotCount() {
        add(100 * MICRO, MILLI);
        add(160 * MICRO, 60 * MILLI);
        range.add(20 * MICRO, now + 100 * MICRO, true, PERMITTED);
        now += 400 * MICRO;
        measure(50 * MICRO);
        assertEquals(50 * MICRO, range.shortest());
    }

    /** The argument is the time of a round trip, in microseconds, when the period is more than half over. */
    @ParameterizedTest
    @ValueSource(longs = {49, 51})
    void aPathMeasuresWhenOthersDo(long micros) {
        add(100 * MICRO, MILLI);
        add(160 * MICRO, 60 * MILLI);
        measure(30 * MICRO);
        add(160 * MICRO, 30 * MILLI);
        assertFalse(range.isMeasuring());
        range.add(micros * MICRO, now, true, PERMITTED);
        assertEquals(micros < 50, range.isMeasuring());
    }

    @Test
    void aPathThatIsMostlyIdleOrHasNoQueueDoesNotMeasure() {
        add(100 * MICRO, MILLI);
        add(120 * MICRO, 500 * MILLI);
        assertFalse(range.isMeasuring());
        RoundTripRange idle = new RoundTripRange(false);
        for (int i = 0; i < 500; i++) {
            now += MILLI;
            idle.windowAcknowledged(160 * MICRO, false);
            idle.add(i == 0 ? 30 * MICRO : 160 * MICRO, now, true, PERMITTED);
            assertFalse(idle.isMeasuring());
        }
    }

    @Test
    void aPeriodHasManyRoundTrips() {
        add(MILLI, 2 * MILLI);
        add(2 * MILLI, 100 * MILLI);
        assertFalse(range.isMeasuring());
        add(2 * MILLI, 200 * MILLI);
        assertTrue(range.isMeasuring());
    }

    @Test
    void aPathWithinTheHostDoesNotMeasure() {
        RoundTripRange within = new RoundTripRange(true);
        for (long at = MILLI; at < 500 * MILLI; at += MILLI / 5) {
            assertTrue(within.add(at < 2 * MILLI ? 30 * MICRO : 160 * MICRO, at, true, PERMITTED));
            within.windowAcknowledged(160 * MICRO, false);
        }
    }

    /** The argument is the shortest time that the measurement finds, in microseconds, or 0 if it finds none. */
    @ParameterizedTest
    @ValueSource(longs = {0, 30})
    void aMeasurementWithoutRoundTripsEndsAndAPeriodBegins(long micros) {
        add(100 * MICRO, MILLI);
        add(160 * MICRO, 60 * MILLI);
        if (micros > 0) {
            now += 200 * MICRO;
            range.add(micros * MICRO, now, true, PERMITTED);
        }
        assertFalse(range.acknowledged(MOST / 2, MOST));
        assertTrue(range.acknowledged(MOST / 2, MOST));
        assertFalse(range.isMeasuring());
        now += 500 * MILLI;
        long shortest = micros == 0 ? 100 : micros;
        for (int periods = 0; periods < 2; periods++) {
            assertEquals(shortest * MICRO, range.shortest());
            add(160 * MICRO, 45 * MILLI);
            assertFalse(range.isMeasuring(), "the period has begun with the first round trip");
            add(160 * MICRO, 10 * MILLI);
            assertTrue(range.isMeasuring());
            assertEquals(shortest * MICRO, range.shortest(), "the time of a full queue is not the shortest one");
            range.acknowledged(MOST, MOST);
        }
    }

    @Test
    void aMeasurementDoesNotEndWhileRoundTripsEnd() {
        add(100 * MICRO, MILLI);
        add(10 * MILLI, 300 * MILLI);
        add(10 * MILLI, 2_000 * MILLI);
        assertTrue(range.isMeasuring());
        for (int i = 0; range.isMeasuring(); i++) {
            now += 30 * MICRO;
            assertFalse(range.acknowledged(MOST / 64, MOST));
            range.add(i < 100 ? 90 * MICRO : 30 * MICRO, now, true, PERMITTED);
        }
        assertEquals(30 * MICRO, range.shortest());
    }

    /** After a single long round trip, the window is small for about four usual round trips. */
    @Test
    void aDelayOfAHostDoesNotProlongTheMeasurement() {
        add(100 * MICRO, MILLI);
        add(160 * MICRO, 45 * MILLI);
        now += 10 * MILLI;
        range.add(10 * MILLI, now, true, PERMITTED);
        assertTrue(range.isMeasuring());
        long began = now;
        measure(100 * MICRO);
        assertTrue(now - began <= 700 * MICRO, () -> (now - began) + " ns");
    }
}
