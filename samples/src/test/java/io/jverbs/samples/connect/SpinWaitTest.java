package io.jverbs.samples.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loops that poll yield by time, whatever a poll takes. */
class SpinWaitTest {
    private static final long BETWEEN_YIELDS = 20_000;

    private long now = 1_000_000;
    private int yields;
    private final SpinWait wait = wait(SpinWait.SHORT_POLLS);

    private SpinWait wait(int pollsBetweenClockReads) {
        SpinWait made = new SpinWait(pollsBetweenClockReads, () -> now, () -> yields++);
        made.begin();
        return made;
    }

    /** Polls for a time; returns the number of yields in it. */
    private int poll(SpinWait polling, long nanosOfPoll, long nanos) {
        int before = yields;
        for (long end = now + nanos; now < end;) {
            now += nanosOfPoll;
            int sofar = yields;
            assertEquals(polling.idle(), yields > sofar);
        }
        return yields - before;
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 10, 100})
    void pollsForLessThanTheTimeDoNotYieldHoweverMany(long nanosOfPoll) {
        assertEquals(0, poll(wait, nanosOfPoll, BETWEEN_YIELDS));
    }

    @ParameterizedTest
    @ValueSource(longs = {2, 10, 100})
    void pollsForAMillisecondYieldAboutOnceInTheTimeHoweverFewTheyAre(long nanosOfPoll) {
        long apart = BETWEEN_YIELDS + SpinWait.SHORT_POLLS * nanosOfPoll;
        int count = poll(wait, nanosOfPoll, 1_000_000);

        assertTrue(count <= 1_000_000 / BETWEEN_YIELDS && count >= 1_000_000 / apart - 2, "yields: " + count);
    }

    @Test
    void systemCallsYieldSoonAfterTheTime() {
        SpinWait sockets = wait(SpinWait.SYSTEM_CALLS);

        assertEquals(0, poll(sockets, 700, BETWEEN_YIELDS));
        assertEquals(1, poll(sockets, 700, 2 * 700 * SpinWait.SYSTEM_CALLS));
    }

    @Test
    void aMessageBeginsTheTimeAgain() {
        for (int i = 0; i < 10; i++) {
            assertEquals(0, poll(wait, 10, BETWEEN_YIELDS));
            wait.begin();
        }
        assertEquals(1, poll(wait, 10, BETWEEN_YIELDS + 2 * 10 * SpinWait.SHORT_POLLS));
    }

    @Test
    void theTimeOfAYieldIsNotThatOfPolls() {
        SpinWait slow = new SpinWait(1, () -> now, () -> now += 1_000_000);
        slow.begin();
        now += 10;
        assertFalse(slow.idle());
        now += BETWEEN_YIELDS + 1;
        assertTrue(slow.idle());
        now += 10;

        assertFalse(slow.idle());
    }
}
