package io.jverbs.soft.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** When acknowledgements leave: L35. */
final class AckPaceTest {
    private final AckPace pace = new AckPace();

    /** A message comes and is answered; whether it is acknowledged with the answer. */
    private boolean converse() {
        pace.came(true);
        boolean along = pace.goesAlong();
        if (along) {
            pace.sent();
        }
        return along;
    }

    private void converse(int messages) {
        for (int i = 0; i < messages; i++) {
            assertTrue(converse(), "message " + i);
        }
    }

    /** A poller looks, and there is nothing to acknowledge. */
    private void poll() {
        assertFalse(pace.waits(true));
    }

    @Test
    void itWaitsInAConversationForOneOfTheNextMessages() {
        poll();
        converse(AckPace.LEAST_TRUST);
        for (int round = 0; round < 3; round++) {
            for (int i = 1; i < AckPace.MOST; i++) {
                assertFalse(converse());
                assertTrue(pace.isDue());
                assertTrue(pace.waits(true));
            }
            assertTrue(converse());
            assertFalse(pace.isDue());
        }
    }

    @Test
    void aMessageThatIsNotAnsweredIsAcknowledgedAtTheNextLook() {
        poll();
        for (int i = 0; i < 100; i++) {
            pace.came(true);
            assertFalse(pace.waits(true));
            assertTrue(pace.isDue());
            pace.sent();
        }
    }

    @Test
    void whereNobodyPollsNothingWaits() {
        converse(1000);
    }

    @Test
    void whatIsLongOrComesAgainDoesNotWait() {
        poll();
        converse(AckPace.LEAST_TRUST);
        pace.came(false);
        assertTrue(pace.goesAlong());

        pace.sent();
        assertFalse(converse());
        pace.came(false);
        assertFalse(pace.waits(true));
    }

    @Test
    void itWaitsSoManyLooksAndThenItsTrustIsLostForTwiceAsLong() {
        poll();
        int trust = AckPace.LEAST_TRUST;
        for (int disappointment = 0; disappointment < 12; disappointment++) {
            converse(trust);
            assertFalse(converse());
            for (int look = 1; look < AckPace.PATIENCE; look++) {
                assertTrue(pace.waits(true), "look " + look);
            }
            assertFalse(pace.waits(true));
            pace.sent();
            trust = Math.min(2 * trust, AckPace.MOST_TRUST);
        }
        assertEquals(AckPace.MOST_TRUST, trust);

        converse(trust);
        // the next message comes: this is a conversation after all
        assertFalse(converse());
        assertFalse(converse());
        assertFalse(pace.waits(false));
        pace.sent();
        converse(trust);
        assertFalse(converse());
    }

    @Test
    void aConversationRestoresTrustThatWasLost() {
        poll();
        converse(AckPace.LEAST_TRUST);
        assertFalse(converse());
        assertFalse(pace.waits(false));
        pace.sent();
        converse(2 * AckPace.LEAST_TRUST);
        for (int i = 1; i < AckPace.MOST; i++) {
            assertFalse(converse());
        }
        assertTrue(converse());

        assertFalse(converse());
        assertFalse(pace.waits(false));
        pace.sent();
        // once more twice the least, not four times
        converse(2 * AckPace.LEAST_TRUST);
        assertFalse(converse());
    }

    @Test
    void aLookHasPatienceAnewAfterEachMessage() {
        poll();
        converse(AckPace.LEAST_TRUST);
        assertFalse(converse());
        for (int look = 1; look < AckPace.PATIENCE; look++) {
            assertTrue(pace.waits(true));
        }
        assertFalse(converse());
        assertTrue(pace.waits(true));
    }

    @Test
    void anotherConnectionKnowsNothingOfTheOneBefore() {
        poll();
        converse(AckPace.LEAST_TRUST);
        assertFalse(converse());
        pace.clear();
        assertFalse(pace.isDue());
        converse(1000);
    }
}
