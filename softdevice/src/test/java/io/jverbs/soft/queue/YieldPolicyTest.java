package io.jverbs.soft.queue;

import static io.jverbs.soft.queue.YieldPolicy.BETWEEN_POLLS_NANOS;
import static io.jverbs.soft.queue.YieldPolicy.LONGEST_PAUSE_NANOS;
import static io.jverbs.soft.queue.YieldPolicy.LONGEST_SPIN_NANOS;
import static io.jverbs.soft.queue.YieldPolicy.LONG_SPIN_NANOS;
import static io.jverbs.soft.queue.YieldPolicy.LONG_YIELD_NANOS;
import static io.jverbs.soft.queue.YieldPolicy.SHARED_AFTER;
import static io.jverbs.soft.queue.YieldPolicy.SHARED_NANOS;
import static io.jverbs.soft.queue.YieldPolicy.SHORTEST_PAUSE_NANOS;
import static io.jverbs.soft.queue.YieldPolicy.SHORTEST_SPIN_NANOS;
import static io.jverbs.soft.queue.YieldPolicy.SHORTEST_SWITCH_NANOS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** When a thread that polls an empty completion queue yields its processor. */
class YieldPolicyTest {
    /** The time between two polls. */
    private static final long POLL = 100;
    /** How long a yield takes if the peer runs meanwhile. */
    private static final long SWITCH = SHORTEST_SWITCH_NANOS + 1_000;
    /** How long a yield takes if a program that computes runs meanwhile. */
    private static final long COMPUTED = LONG_YIELD_NANOS + 1;

    private final YieldPolicy policy = new YieldPolicy();
    private long polled;
    /** Passes the largest value during the tests, as that of nanoTime may. */
    private long now = Long.MAX_VALUE - LONGEST_SPIN_NANOS / 2;

    /** Polls an empty queue until the policy yields; returns for how long. */
    private long spin() {
        long start = now;
        while (!policy.mustYield(polled, now)) {
            now += POLL;
        }
        return now - start;
    }

    private void assertSpinsWithoutYield(long nanos) {
        for (long end = now + nanos; now - end < 0; now += POLL) {
            assertFalse(policy.mustYield(polled, now));
        }
    }

    private void yielded(long nanos, boolean found) {
        now += nanos;
        policy.yielded(nanos, now, found);
        polled += found ? 1 : 0;
    }

    @Test
    void theFirstYieldFollowsTheLongestSpin() {
        assertEquals(LONGEST_SPIN_NANOS, spin());
    }

    @Test
    void aCompletionBeginsTheSpinAgain() {
        for (int i = 0; i < 10; i++) {
            assertSpinsWithoutYield(LONGEST_SPIN_NANOS);
            polled++;
        }
    }

    @Test
    void aPacketWithoutACompletionBeginsTheSpinAgain() {
        for (int i = 0; i < 10; i++) {
            assertSpinsWithoutYield(LONGEST_SPIN_NANOS);
            policy.progressed();
        }
    }

    @Test
    void otherWorkBetweenPollsBeginsTheSpinAgain() {
        for (int i = 0; i < 100; i++) {
            assertFalse(policy.mustYield(polled, now));
            now += BETWEEN_POLLS_NANOS + 1;
        }
        assertEquals(LONGEST_SPIN_NANOS, spin());
    }

    @Test
    void yieldsThatBringACompletionShortenTheSpin() {
        for (int i = 0; i < 5; i++) {
            spin();
            yielded(SWITCH, true);
        }
        assertEquals(SHORTEST_SPIN_NANOS, spin());
    }

    @Test
    void yieldsToNoOtherThreadLengthenTheSpinAgain() {
        yieldsThatBringACompletionShortenTheSpin();
        yielded(SHORTEST_SWITCH_NANOS - 1, true);
        assertEquals(2 * SHORTEST_SPIN_NANOS, spin());
        for (int i = 0; i < 6; i++) {
            yielded(SHORTEST_SWITCH_NANOS - 1, false);
            spin();
        }
        yielded(SHORTEST_SWITCH_NANOS - 1, true);
        assertEquals(LONGEST_SPIN_NANOS, spin());
    }

    @Test
    void yieldsThatBringNothingLengthenTheSpinAgain() {
        yieldsThatBringACompletionShortenTheSpin();
        yielded(SWITCH, false);
        assertEquals(2 * SHORTEST_SPIN_NANOS, spin());
    }

    @Test
    void aLongYieldIsFollowedByAPauseThatDoublesEachTimeEvenIfItBroughtACompletion() {
        for (long pause = SHORTEST_PAUSE_NANOS; pause < 4 * LONGEST_PAUSE_NANOS; pause *= 2) {
            spin();
            yielded(COMPUTED, pause > LONGEST_PAUSE_NANOS);
            assertEquals(Math.min(pause, LONGEST_PAUSE_NANOS), spin(), POLL);
            yielded(SWITCH, false);
        }
    }

    @Test
    void aYieldThatBringsACompletionEndsThePauses() {
        spin();
        yielded(COMPUTED, true);
        assertEquals(SHORTEST_PAUSE_NANOS, spin());
        yielded(SWITCH, true);
        assertEquals(LONGEST_SPIN_NANOS / 4, spin(), POLL);
        yielded(COMPUTED, true);
        assertEquals(SHORTEST_PAUSE_NANOS, spin());
    }

    /** Polls an empty queue during a long spin, and then loses the processor. */
    private void loseProcessor() {
        assertSpinsWithoutYield(LONG_SPIN_NANOS + 2 * POLL);
        now += BETWEEN_POLLS_NANOS + 1;
    }

    private void found() {
        policy.found(now);
        polled++;
    }

    private void pauseForLongest() {
        for (long pause = SHORTEST_PAUSE_NANOS; pause <= 2 * LONGEST_PAUSE_NANOS; pause *= 2) {
            spin();
            yielded(COMPUTED, false);
        }
    }

    @Test
    void aThreadThatFindsCompletionsOnlyAfterItHasLostItsProcessorYieldsAgain() {
        pauseForLongest();
        for (int i = 0; i < SHARED_AFTER; i++) {
            loseProcessor();
            found();
            // that of the message before
            found();
        }
        assertEquals(LONGEST_SPIN_NANOS, spin());
        yielded(COMPUTED, false);
        assertEquals(LONGEST_SPIN_NANOS, spin(), "the peer may not yield yet");
        now += SHARED_NANOS;
        spin();
        yielded(COMPUTED, false);
        assertEquals(SHORTEST_PAUSE_NANOS, spin());
    }

    @Test
    void aThreadThatFindsACompletionWhileItSpinsHasAnotherProcessorThanItsPeer() {
        pauseForLongest();
        for (int i = 0; i < 3 * SHARED_AFTER; i++) {
            if (i % SHARED_AFTER == 0) {
                assertSpinsWithoutYield(LONG_SPIN_NANOS + 2 * POLL);
            } else {
                loseProcessor();
            }
            found();
        }
        assertSpinsWithoutYield(LONGEST_PAUSE_NANOS / 2);
    }

    @Test
    void aThreadThatDoesOtherWorkAfterLongSpinsHasNotLostItsProcessor() {
        pauseForLongest();
        for (int i = 0; i < 10; i++) {
            assertSpinsWithoutYield(LONG_SPIN_NANOS + 2 * POLL);
            found();
            now += 2 * LONG_SPIN_NANOS;
        }
        assertSpinsWithoutYield(LONGEST_PAUSE_NANOS / 2);
    }

    /** One of two threads that alternate messages, and have one processor together. */
    private static final class Peer {
        final YieldPolicy policy = new YieldPolicy();
        long polled;
        boolean hasMessage;
        long yieldBegan;
        boolean yields;
    }

    @Test
    void twoThreadsOfOneProcessorLearnToYieldAfterLongYields() {
        Peer running = new Peer();
        Peer other = new Peer();
        for (Peer peer : List.of(running, other)) {
            for (long pause = SHORTEST_PAUSE_NANOS; pause <= 2 * LONGEST_PAUSE_NANOS; pause *= 2) {
                peer.policy.yielded(COMPUTED, now, false);
            }
        }
        running.hasMessage = true;
        long slice = 4_000_000;
        long sliceBegan = now;
        int messages = 0;
        for (long end = now + 20 * slice; now - end < 0; now += POLL) {
            boolean yields = false;
            if (running.hasMessage) {
                running.policy.found(now);
                running.hasMessage = false;
                running.polled++;
                other.hasMessage = true;
                now += SWITCH;
                messages++;
            } else {
                yields = running.policy.mustYield(running.polled, now);
            }
            if (yields || now - sliceBegan > slice) {
                running.yields = yields;
                running.yieldBegan = now;
                Peer next = other;
                other = running;
                running = next;
                now += SWITCH;
                sliceBegan = now;
                if (running.yields) {
                    running.policy.yielded(now - running.yieldBegan, now, running.hasMessage);
                }
            }
        }
        assertTrue(messages > 1000, "messages: " + messages);
    }
}
