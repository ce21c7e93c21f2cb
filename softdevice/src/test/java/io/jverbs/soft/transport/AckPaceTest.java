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
        pace.polled();
        assertFalse(pace.isWaiting());
    }

    /** Whether what is due waits when a poller looks. */
    private boolean waitsAt(long now) {
        return pace.isWaiting() && pace.waits(true, now);
    }

    /** The thread of the device looks, which sends what is due. */
    private void flush() {
        assertFalse(pace.isWaiting() && pace.waits(false, 0));
        pace.sent();
    }

    @Test
    void itWaitsInAConversationForOneOfTheNextMessages() {
        poll();
        converse(AckPace.LEAST_TRUST);
        for (int round = 0; round < 3; round++) {
            for (int i = 1; i < AckPace.MOST; i++) {
                assertFalse(converse());
                assertTrue(pace.isDue());
                assertTrue(waitsAt(0));
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
            assertFalse(waitsAt(0));
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
        assertFalse(waitsAt(0));
    }

    @Test
    void itWaitsSoLongAndThenItsTrustIsLostForTwiceAsLong() {
        poll();
        int trust = AckPace.LEAST_TRUST;
        for (int disappointment = 0; disappointment < 12; disappointment++) {
            converse(trust);
            assertFalse(converse());
            // the clock may begin anywhere
            long first = Long.MAX_VALUE - 1;
            assertTrue(waitsAt(first));
            assertTrue(waitsAt(first + AckPace.PATIENCE_NANOS - 1));
            assertFalse(waitsAt(first + AckPace.PATIENCE_NANOS));
            pace.sent();
            trust = Math.min(2 * trust, AckPace.MOST_TRUST);
        }
        assertEquals(AckPace.MOST_TRUST, trust);

        converse(trust);
        // the next message comes: this is a conversation after all
        assertFalse(converse());
        assertFalse(converse());
        flush();
        converse(2 * AckPace.LEAST_TRUST);
        assertFalse(converse());
    }

    @Test
    void aConversationRestoresTrustThatWasLost() {
        poll();
        converse(AckPace.LEAST_TRUST);
        assertFalse(converse());
        flush();
        converse(2 * AckPace.LEAST_TRUST);
        for (int i = 1; i < AckPace.MOST; i++) {
            assertFalse(converse());
        }
        assertTrue(converse());

        assertFalse(converse());
        flush();
        // once more twice the least, not four times
        converse(2 * AckPace.LEAST_TRUST);
        assertFalse(converse());
    }

    @Test
    void patienceBeginsAnewAfterEachMessage() {
        poll();
        converse(AckPace.LEAST_TRUST);
        assertFalse(converse());
        assertTrue(waitsAt(5));
        assertTrue(waitsAt(5 + AckPace.PATIENCE_NANOS - 1));
        assertFalse(converse());
        assertTrue(waitsAt(5 + AckPace.PATIENCE_NANOS));
        assertTrue(waitsAt(5 + 2 * AckPace.PATIENCE_NANOS - 1));
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

    @Test
    void itWaitsBehindTheFirstRequestOnly() {
        poll();
        converse(AckPace.LEAST_TRUST);
        assertFalse(converse());
        assertTrue(pace.goesAlong());
        assertFalse(waitsAt(0));
    }

    @Test
    void manyRequestsForOneMessageAreNoConversation() {
        poll();
        pace.came(true);
        for (int i = 0; i < 2 * AckPace.LEAST_TRUST; i++) {
            assertTrue(pace.goesAlong());
        }
        pace.sent();
        converse(AckPace.LEAST_TRUST - 1);
    }

    @Test
    void messagesThatComeTogetherDoNotRestoreTrust() {
        poll();
        converse(AckPace.LEAST_TRUST);
        assertFalse(converse());
        flush();
        pace.came(true);
        pace.came(true);
        assertTrue(pace.goesAlong());
        pace.sent();
        converse(2 * AckPace.LEAST_TRUST - 1);
    }

    @Test
    void aRepetitionWhileItWaitsDoesNotRestoreTrust() {
        poll();
        converse(AckPace.LEAST_TRUST);
        assertFalse(converse());
        flush();
        converse(2 * AckPace.LEAST_TRUST);
        assertFalse(converse());
        pace.came(false);
        assertTrue(pace.goesAlong());
        pace.sent();
        flush();
        assertFalse(converse());
        flush();
        converse(4 * AckPace.LEAST_TRUST);
    }
}
