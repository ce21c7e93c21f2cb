package io.jverbs.rsocket.polling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a thread that waits does before it blocks, with a clock that only polls and yields advance. */
class PollingWaitTest {
    private static final long POLL_NANOS = 100;
    private static final long SPIN_NANOS = 100_000;
    private static final long NO_LIMIT = Long.MAX_VALUE;
    /** How long the thread of the peer runs on the processor until it yields. */
    private static final long PEER_NANOS = 5_000;
    /** How long a yield lasts if no other thread needs the processor. */
    private static final long NO_SWITCH_NANOS = 300;

    private long now;
    private int polls;
    private int yields;
    /** The number of polls before the latest yield. */
    private int afterPolls;
    private boolean reached;
    private Runnable yielding = () -> now += NO_SWITCH_NANOS;
    private final PollingWait wait = new PollingWait(this::poll, () -> now, () -> {
        yields++;
        afterPolls = polls;
        yielding.run();
    });

    private boolean poll() {
        polls++;
        now += POLL_NANOS;
        return reached;
    }

    private boolean await() {
        return await(NO_LIMIT);
    }

    private boolean await(long nanos) {
        polls = 0;
        yields = 0;
        reached = false;
        return wait.await(nanos, SPIN_NANOS);
    }

    private void peerSendsIn(long nanos) {
        yielding = () -> {
            now += nanos;
            reached = true;
        };
    }

    @Test
    void aPeerThatNeedsTheProcessorOfTheThreadSendsDuringAYield() {
        peerSendsIn(PEER_NANOS);

        assertTrue(await());
        assertEquals(1, yields);
    }

    @Test
    void aThreadWhoseYieldsBringMessagesYieldsAfterAFewPolls() {
        peerSendsIn(PEER_NANOS);
        for (int i = 0; i < 5; i++) {
            assertTrue(await());
        }

        assertTrue(afterPolls * POLL_NANOS <= 2 * YieldPolicy.SHORTEST_SPIN_NANOS, "polls: " + afterPolls);
    }

    /** The first was no switch to the peer, and in the second a program computed. */
    @ParameterizedTest
    @ValueSource(longs = {YieldPolicy.SHORTEST_SWITCH_NANOS - 1, YieldPolicy.LONG_YIELD_NANOS + 1})
    void aMessageInAYieldThatIsShorterOrLongerThanASwitchDoesNotMakeTheNextYieldEarlier(long nanos) {
        peerSendsIn(nanos);
        for (int i = 0; i < 10; i++) {
            await();
        }
        yields = 0;
        while (yields == 0) {
            await();
        }

        assertTrue(afterPolls * POLL_NANOS >= YieldPolicy.LONGEST_SPIN_NANOS, "polls: " + afterPolls);
    }

    @Test
    void aThreadWhoseYieldsBringNothingYieldsRarely() {
        peerSendsIn(PEER_NANOS);
        for (int i = 0; i < 5; i++) {
            await();
        }
        yielding = () -> now += NO_SWITCH_NANOS;
        for (int i = 0; i < 3; i++) {
            await();
        }

        assertTrue(yields > 0 && yields <= SPIN_NANOS / YieldPolicy.LONGEST_SPIN_NANOS, "yields: " + yields);
    }

    @Test
    void aThreadPollsForTheWholeTimeIfNothingElseNeedsItsProcessor() {
        assertFalse(await());
        assertTrue(now >= SPIN_NANOS && now < SPIN_NANOS + YieldPolicy.LONGEST_SPIN_NANOS, "nanoseconds: " + now);
    }

    @Test
    void afterALongYieldTheThreadBlocksAndItsNextWaitDoesSoAtOnce() {
        yielding = () -> now += YieldPolicy.LONG_YIELD_NANOS + 1;

        assertFalse(await());
        assertEquals(1, yields);
        assertFalse(await());
        assertEquals(0, polls);
        await();
        assertTrue(polls > 0);
    }

    @Test
    void aMessageThatArrivesInALongYieldIsFoundAndTheNextWaitBlocksAtOnce() {
        peerSendsIn(YieldPolicy.LONG_YIELD_NANOS + 1);

        assertTrue(await());
        assertFalse(await());
        assertEquals(0, polls);
    }

    @Test
    void aWaitThatIsShorterThanThePollsSaysNothingAboutTheNextOne() {
        assertFalse(await(SPIN_NANOS / 2));
        await();
        assertTrue(polls > 0);
        assertFalse(await());
        assertEquals(0, polls);
    }

    @Test
    void aThreadThatMustNotPollDoesNot() {
        assertFalse(wait.await(NO_LIMIT, 0));
        assertEquals(0, polls);
    }
}
