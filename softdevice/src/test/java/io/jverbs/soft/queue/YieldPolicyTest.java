package io.jverbs.soft.fabric.udp;

import static io.jverbs.soft.fabric.udp.YieldPolicy.BETWEEN_POLLS_NANOS;
import static io.jverbs.soft.fabric.udp.YieldPolicy.LONGEST_PAUSE_NANOS;
import static io.jverbs.soft.fabric.udp.YieldPolicy.LONGEST_SPIN_NANOS;
import static io.jverbs.soft.fabric.udp.YieldPolicy.LONG_YIELD_NANOS;
import static io.jverbs.soft.fabric.udp.YieldPolicy.SHORTEST_PAUSE_NANOS;
import static io.jverbs.soft.fabric.udp.YieldPolicy.SHORTEST_SPIN_NANOS;
import static io.jverbs.soft.fabric.udp.YieldPolicy.SHORTEST_SWITCH_NANOS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** When a thread that polls and receives nothing yields its processor. */
class YieldPolicyTest {
    /** The time between two polls. */
    private static final long POLL = 100;
    /** How long a yield takes if the peer runs meanwhile. */
    private static final long SWITCH = SHORTEST_SWITCH_NANOS + 1_000;
    /** How long a yield takes if a program that computes runs meanwhile. */
    private static final long COMPUTED = LONG_YIELD_NANOS + 1;

    private final YieldPolicy policy = new YieldPolicy();
    /** Passes the largest value during the tests, as that of nanoTime may. */
    private long now = Long.MAX_VALUE - LONGEST_SPIN_NANOS / 2;

    /** Polls without success until the policy yields; returns for how long. */
    private long untilYield(long longest) {
        long start = now;
        while (!policy.receivedNothing(now)) {
            now += POLL;
            if (now - start > longest) {
                return longest;
            }
        }
        return now - start;
    }

    private void yieldBrings(long nanos, boolean packet) {
        now += nanos;
        if (packet) {
            assertTrue(policy.isYielding());
            policy.received(now);
        } else {
            policy.receivedNothing(now);
        }
        now += POLL;
    }

    @Test
    void theFirstYieldFollowsTheLongestSpin() {
        assertEquals(LONGEST_SPIN_NANOS, untilYield(Long.MAX_VALUE));
    }

    @Test
    void aPacketBeginsTheSpinAgain() {
        for (int i = 0; i < 10; i++) {
            for (long end = now + LONGEST_SPIN_NANOS; now < end; now += POLL) {
                assertFalse(policy.receivedNothing(now));
            }
            assertFalse(policy.isYielding());
            policy.received(0);
        }
    }

    @Test
    void otherWorkBetweenPollsBeginsTheSpinAgain() {
        for (int i = 0; i < 100; i++) {
            assertFalse(policy.receivedNothing(now));
            now += BETWEEN_POLLS_NANOS + 1;
        }
        assertEquals(LONGEST_SPIN_NANOS, untilYield(Long.MAX_VALUE));
    }

    @Test
    void yieldsThatBringAPacketShortenTheSpin() {
        for (int i = 0; i < 5; i++) {
            untilYield(Long.MAX_VALUE);
            yieldBrings(SWITCH, true);
        }
        assertEquals(SHORTEST_SPIN_NANOS, untilYield(Long.MAX_VALUE));
    }

    @Test
    void yieldsWithoutAnotherThreadLengthenTheSpinAgain() {
        yieldsThatBringAPacketShortenTheSpin();
        yieldBrings(SHORTEST_SWITCH_NANOS - 1, true);
        assertEquals(2 * SHORTEST_SPIN_NANOS, untilYield(Long.MAX_VALUE));
        for (int i = 0; i < 6; i++) {
            yieldBrings(SHORTEST_SWITCH_NANOS - 1, false);
            untilYield(Long.MAX_VALUE);
        }
        yieldBrings(SWITCH, false);
        assertEquals(LONGEST_SPIN_NANOS, untilYield(Long.MAX_VALUE), POLL);
    }

    @Test
    void yieldsThatBringNothingChangeNothing() {
        for (int i = 0; i < 5; i++) {
            untilYield(Long.MAX_VALUE);
            yieldBrings(SWITCH, false);
        }
        assertEquals(LONGEST_SPIN_NANOS, untilYield(Long.MAX_VALUE), POLL);
    }

    @Test
    void aLongYieldIsFollowedByAPauseThatDoublesEachTimeEvenIfItBroughtAPacket() {
        for (long pause = SHORTEST_PAUSE_NANOS; pause < 4 * LONGEST_PAUSE_NANOS; pause *= 2) {
            untilYield(Long.MAX_VALUE);
            yieldBrings(COMPUTED, pause > LONGEST_PAUSE_NANOS);
            assertEquals(Math.min(pause, LONGEST_PAUSE_NANOS), untilYield(Long.MAX_VALUE), 2 * POLL);
            yieldBrings(SWITCH, false);
        }
    }

    @Test
    void aYieldThatBringsAPacketEndsThePauses() {
        untilYield(Long.MAX_VALUE);
        yieldBrings(COMPUTED, true);
        assertEquals(SHORTEST_PAUSE_NANOS, untilYield(Long.MAX_VALUE), 2 * POLL);
        yieldBrings(SWITCH, true);
        assertEquals(LONGEST_SPIN_NANOS / 4, untilYield(Long.MAX_VALUE), POLL);
        yieldBrings(COMPUTED, true);
        assertEquals(SHORTEST_PAUSE_NANOS, untilYield(Long.MAX_VALUE), 2 * POLL);
    }
}
