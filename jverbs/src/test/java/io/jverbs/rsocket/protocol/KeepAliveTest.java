package io.jverbs.rsocket.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.rsocket.protocol.KeepAlive.Action;
import org.junit.jupiter.api.Test;

/** When a peer is checked, and when it is given up. */
class KeepAliveTest {
    private final KeepAlive keepAlive = new KeepAlive(100, 30);

    @Test
    void aSilentPeerIsCheckedAfterTheIntervalAndGivenUpAfterTheTimeout() {
        keepAlive.start(0);
        assertEquals(Action.NOTHING, keepAlive.at(99));
        assertEquals(Action.NOTHING, keepAlive.at(100), "it was heard when it connected");
        assertEquals(200, keepAlive.deadline());
        assertEquals(Action.PROBE, keepAlive.at(200));
        assertEquals(230, keepAlive.deadline());
        assertEquals(Action.NOTHING, keepAlive.at(229));
        assertEquals(Action.GIVE_UP, keepAlive.at(230));
    }

    @Test
    void aPeerThatRespondsToACheckIsCheckedAgainAfterTheInterval() {
        keepAlive.start(0);
        keepAlive.at(100);
        assertEquals(Action.PROBE, keepAlive.at(200));
        keepAlive.heard();
        assertEquals(Action.NOTHING, keepAlive.at(230));
        assertEquals(330, keepAlive.deadline());
        assertEquals(Action.PROBE, keepAlive.at(330));
    }

    @Test
    void aPeerThatIsHeardIsNotChecked() {
        keepAlive.start(0);
        for (int now = 100; now < 1000; now += 100) {
            keepAlive.heard();
            assertEquals(Action.NOTHING, keepAlive.at(now));
        }
    }

    @Test
    void anIntervalOfZeroChecksNever() {
        assertFalse(new KeepAlive(0, 30).isUsed());
        assertTrue(keepAlive.isUsed());
    }
}
