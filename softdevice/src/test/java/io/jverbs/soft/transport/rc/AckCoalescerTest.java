package io.jverbs.soft.transport.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** When an ACK is sent immediately and when it is held: catalogue entry L35. */
final class AckCoalescerTest {
    private final AckCoalescer coalescer = new AckCoalescer();

    /** A message arrives and a request is sent; returns whether the ACK is sent with the request. */
    private boolean alternate() {
        coalescer.messageArrived(true);
        boolean ackWithRequest = coalescer.ackWithRequest();
        if (ackWithRequest) {
            coalescer.ackSent();
        }
        return ackWithRequest;
    }

    private void alternate(int messages) {
        for (int i = 0; i < messages; i++) {
            assertTrue(alternate(), "message " + i);
        }
    }

    /** A thread polls while no ACK is due. */
    private void poll() {
        coalescer.polled();
        assertFalse(coalescer.isHeld());
    }

    /** Whether a due ACK stays held when a thread polls. */
    private boolean isHeldAt(long now) {
        return coalescer.isHeld() && coalescer.holdLonger(true, now);
    }

    /** The device's thread checks the ACK, which is sent then. */
    private void flush() {
        assertFalse(coalescer.isHeld() && coalescer.holdLonger(false, 0));
        coalescer.ackSent();
    }

    @Test
    void ackIsHeldForUpToFourMessagesAfterEnoughAlternations() {
        poll();
        alternate(AckCoalescer.MIN_ALTERNATIONS);
        for (int round = 0; round < 3; round++) {
            for (int i = 1; i < AckCoalescer.MAX_COALESCED; i++) {
                assertFalse(alternate());
                assertTrue(coalescer.isDue());
                assertTrue(isHeldAt(0));
            }
            assertTrue(alternate());
            assertFalse(coalescer.isDue());
        }
    }

    @Test
    void ackOfMessageWithoutRequestIsSentAtNextCheck() {
        poll();
        for (int i = 0; i < 100; i++) {
            coalescer.messageArrived(true);
            assertFalse(isHeldAt(0));
            assertTrue(coalescer.isDue());
            coalescer.ackSent();
        }
    }

    @Test
    void ackIsNotHeldIfNoThreadPolls() {
        alternate(1000);
    }

    @Test
    void ackOfMultiPacketOrDuplicateMessageIsNotHeld() {
        poll();
        alternate(AckCoalescer.MIN_ALTERNATIONS);
        coalescer.messageArrived(false);
        assertTrue(coalescer.ackWithRequest());

        coalescer.ackSent();
        assertFalse(alternate());
        coalescer.messageArrived(false);
        assertFalse(isHeldAt(0));
    }

    @Test
    void expiredHoldDoublesRequiredAlternations() {
        poll();
        int required = AckCoalescer.MIN_ALTERNATIONS;
        for (int expired = 0; expired < 12; expired++) {
            alternate(required);
            assertFalse(alternate());
            // the time may overflow
            long first = Long.MAX_VALUE - 1;
            assertTrue(isHeldAt(first));
            assertTrue(isHeldAt(first + AckCoalescer.MAX_HOLD_NANOS - 1));
            assertFalse(isHeldAt(first + AckCoalescer.MAX_HOLD_NANOS));
            coalescer.ackSent();
            required = Math.min(2 * required, AckCoalescer.MAX_ALTERNATIONS);
        }
        assertEquals(AckCoalescer.MAX_ALTERNATIONS, required);

        alternate(required);
        // the next message arrives while the ACK is held, which resets the requirement
        assertFalse(alternate());
        assertFalse(alternate());
        flush();
        alternate(2 * AckCoalescer.MIN_ALTERNATIONS);
        assertFalse(alternate());
    }

    @Test
    void successfulHoldResetsRequiredAlternations() {
        poll();
        alternate(AckCoalescer.MIN_ALTERNATIONS);
        assertFalse(alternate());
        flush();
        alternate(2 * AckCoalescer.MIN_ALTERNATIONS);
        for (int i = 1; i < AckCoalescer.MAX_COALESCED; i++) {
            assertFalse(alternate());
        }
        assertTrue(alternate());

        assertFalse(alternate());
        flush();
        // twice the minimum again, not four times
        alternate(2 * AckCoalescer.MIN_ALTERNATIONS);
        assertFalse(alternate());
    }

    @Test
    void holdTimeRestartsWithEachMessage() {
        poll();
        alternate(AckCoalescer.MIN_ALTERNATIONS);
        assertFalse(alternate());
        assertTrue(isHeldAt(5));
        assertTrue(isHeldAt(5 + AckCoalescer.MAX_HOLD_NANOS - 1));
        assertFalse(alternate());
        assertTrue(isHeldAt(5 + AckCoalescer.MAX_HOLD_NANOS));
        assertTrue(isHeldAt(5 + 2 * AckCoalescer.MAX_HOLD_NANOS - 1));
    }

    @Test
    void clearForgetsAlternations() {
        poll();
        alternate(AckCoalescer.MIN_ALTERNATIONS);
        assertFalse(alternate());
        coalescer.clear();
        assertFalse(coalescer.isDue());
        alternate(1000);
    }

    @Test
    void secondRequestReleasesHeldAck() {
        poll();
        alternate(AckCoalescer.MIN_ALTERNATIONS);
        assertFalse(alternate());
        assertTrue(coalescer.ackWithRequest());
        assertFalse(isHeldAt(0));
    }

    @Test
    void requestsWithoutMessagesBetweenCountAsOneAlternation() {
        poll();
        coalescer.messageArrived(true);
        for (int i = 0; i < 2 * AckCoalescer.MIN_ALTERNATIONS; i++) {
            assertTrue(coalescer.ackWithRequest());
        }
        coalescer.ackSent();
        alternate(AckCoalescer.MIN_ALTERNATIONS - 1);
    }

    @Test
    void consecutiveMessagesDoNotResetRequiredAlternations() {
        poll();
        alternate(AckCoalescer.MIN_ALTERNATIONS);
        assertFalse(alternate());
        flush();
        coalescer.messageArrived(true);
        coalescer.messageArrived(true);
        assertTrue(coalescer.ackWithRequest());
        coalescer.ackSent();
        alternate(2 * AckCoalescer.MIN_ALTERNATIONS - 1);
    }

    @Test
    void duplicateDuringHoldDoesNotResetRequiredAlternations() {
        poll();
        alternate(AckCoalescer.MIN_ALTERNATIONS);
        assertFalse(alternate());
        flush();
        alternate(2 * AckCoalescer.MIN_ALTERNATIONS);
        assertFalse(alternate());
        coalescer.messageArrived(false);
        assertTrue(coalescer.ackWithRequest());
        coalescer.ackSent();
        flush();
        assertFalse(alternate());
        flush();
        alternate(4 * AckCoalescer.MIN_ALTERNATIONS);
    }
}
