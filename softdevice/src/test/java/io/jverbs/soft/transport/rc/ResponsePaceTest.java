package io.jverbs.soft.transport.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How many bytes of responses are sent until a request arrives or the rate permits more. */
final class ResponsePaceTest {
    private static final int PAYLOAD = 4096 - 64;
    private static final int LEAST = ResponsePace.MIN_LIMIT / 4096;
    private static final int MOST = ResponsePace.MAX_LIMIT / 4096;

    private final ResponsePace pace = new ResponsePace();

    /** Sends as much as is permitted; returns the number of packets of 4 KiB. */
    private int send() {
        int packets = 0;
        for (; pace.admits(); packets++) {
            pace.sent(PAYLOAD);
        }
        return packets;
    }

    @Test
    void nothingIsSentBeyondTheLimit() {
        assertEquals(LEAST, send());
        assertFalse(pace.admits());
    }

    @Test
    void onePortionIsSentWhenTheRatePermits() {
        send();
        pace.granted();
        assertEquals(ResponsePace.PORTION / 4096, send());
    }

    @Test
    void newRequestDoublesLimitIfPacketsHadToWait() {
        for (int expected = LEAST; expected < MOST; expected *= 2) {
            assertEquals(expected, send());
            pace.requestArrived();
        }
        for (int i = 0; i < 3; i++) {
            assertEquals(MOST, send());
            pace.requestArrived();
        }
    }

    @Test
    void newRequestKeepsLimitIfNoPacketHadToWait() {
        for (int i = 0; i < 3; i++) {
            for (int sent = 0; sent < LEAST; sent++) {
                assertTrue(pace.admits());
                pace.sent(PAYLOAD);
            }
            pace.requestArrived();
        }
        assertEquals(LEAST, send());
    }

    @Test
    void repeatedReadHalvesLimit() {
        send();
        pace.requestArrived();
        send();
        pace.requestArrived();
        pace.readRepeated();
        assertEquals(2 * LEAST, send());
        pace.readRepeated();
        assertEquals(LEAST, send());
        pace.readRepeated();
        assertEquals(LEAST, send());
    }

    @Test
    void clearResetsLimit() {
        send();
        pace.requestArrived();
        pace.clear();
        assertEquals(LEAST, send());
    }
}
