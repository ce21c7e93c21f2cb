package io.jverbs.soft.fabric.udp;

import static io.jverbs.soft.fabric.udp.EagerResponses.FEWEST_POLLS;
import static io.jverbs.soft.fabric.udp.EagerResponses.MOST_POLLS;
import static io.jverbs.soft.fabric.udp.EagerResponses.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

/** Which polls send all responses, and do not leave them to the next poll. */
class EagerResponsesTest {
    private final EagerResponses responses = new EagerResponses();

    /** Returns how many polls send all responses until one does not. */
    private int eagerPolls() {
        int count = 0;
        while (responses.mustSend()) {
            count++;
        }
        return count;
    }

    @Test
    void pollsLeaveResponsesUntilTheThreadHasSentSome() {
        assertFalse(responses.mustSend());
        responses.sentByThread();
        assertEquals(FEWEST_POLLS, eagerPolls());
        assertFalse(responses.mustSend());
    }

    @Test
    void theNumberDoublesWhileTheThreadSendsSoonAgain() {
        for (int expected = FEWEST_POLLS; expected < 4 * MOST_POLLS; expected *= 2) {
            responses.sentByThread();
            assertEquals(Math.min(expected, MOST_POLLS), eagerPolls());
        }
    }

    @Test
    void theNumberIsTheSmallestAgainIfManyPollsHaveLeftResponsesSince() {
        for (int i = 0; i < 4; i++) {
            responses.sentByThread();
        }
        eagerPolls();
        for (int i = 1; i < SOON; i++) {
            assertFalse(responses.mustSend());
        }
        responses.sentByThread();
        assertEquals(FEWEST_POLLS, eagerPolls());
    }
}
