package io.jverbs.soft.transport.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.protocol.Psns;
import org.junit.jupiter.api.Test;

/** Which response of a responder is sent next, and from which packet. */
final class ResponderResourcesTest {
    private static final int PACKETS = 3;
    private static final int BYTES = 3000;
    private static final int PSN_STEP = 10;
    /** The number of responses that are kept at least. */
    private static final int KEPT = 64;

    private final ResponderResources resources = new ResponderResources();

    private void read(int number) {
        resources.addRead(number * PSN_STEP & Psns.MASK, PACKETS, 1000 + number, number, BYTES, number);
    }

    private void sendOne() {
        for (int i = 0; i < PACKETS; i++) {
            resources.packetSent();
        }
    }

    private int slotOf(int number) {
        return resources.find(number * PSN_STEP & Psns.MASK);
    }

    private void assertNext(int number, int packet) {
        assertFalse(resources.isEmpty());
        assertEquals(number * PSN_STEP & Psns.MASK, resources.psn(resources.current()));
        assertEquals(packet, resources.next(resources.current()));
    }

    @Test
    void responsesAreDueInOrderOfRequests() {
        assertTrue(resources.isEmpty());
        read(1);
        resources.addAtomic(2 * PSN_STEP, 77, 2);
        assertEquals(2, resources.unsent());
        assertNext(1, 0);
        sendOne();
        assertNext(2, 0);
        assertTrue(resources.isAtomic(resources.current()));
        assertEquals(77, resources.value(resources.current()));
        assertEquals(1, resources.unsent());
        resources.packetSent();
        assertTrue(resources.isEmpty());
        assertEquals(0, resources.unsent());
    }

    @Test
    void repeatedResponseIsSentBeforeLaterOnesWhichThenContinue() {
        read(1);
        read(2);
        read(3);
        sendOne();
        sendOne();
        resources.packetSent();
        assertNext(3, 1);
        resources.addAgain(slotOf(2), 1, PACKETS, BYTES);
        resources.addAgain(slotOf(1), 2, PACKETS, BYTES);
        assertEquals(1, resources.unsent());
        assertNext(1, 2);
        assertTrue(resources.isRepeat(resources.current()));
        resources.packetSent();
        assertNext(2, 1);
        resources.packetSent();
        resources.packetSent();
        assertNext(3, 1);
        assertFalse(resources.isRepeat(resources.current()));
        resources.packetSent();
        resources.packetSent();
        assertTrue(resources.isEmpty());
        assertEquals(0, resources.unsent());
    }

    @Test
    void repeatedTransmissionCoversRequestedPackets() {
        read(1);
        assertTrue(resources.begins(resources.current()));
        assertFalse(resources.ends(resources.current()));
        assertEquals(BYTES, resources.endBytes(resources.current()));
        resources.packetSent();
        assertFalse(resources.begins(resources.current()));
        resources.addAgain(slotOf(1), 1, 2, 1500);
        assertTrue(resources.begins(resources.current()));
        assertTrue(resources.ends(resources.current()));
        assertEquals(1500, resources.endBytes(resources.current()));
        resources.packetSent();
        assertTrue(resources.isEmpty());
    }

    @Test
    void findReturnsResponseContainingPsn() {
        read(1);
        read(2);
        assertEquals(slotOf(1), resources.find(PSN_STEP + PACKETS - 1));
        assertEquals(-1, resources.find(PSN_STEP + PACKETS));
        assertEquals(-1, resources.find(PSN_STEP - 1));
        assertEquals(slotOf(2), resources.find(2 * PSN_STEP + 1));
    }

    @Test
    void findHandlesPsnWraparound() {
        resources.addRead(Psns.MASK, PACKETS, 0, 0, BYTES, 0);
        assertEquals(resources.current(), resources.find(1));
        assertEquals(-1, resources.find(2));
    }

    @Test
    void latestResponsesAreKept() {
        for (int i = 1; i <= 2 * KEPT; i++) {
            read(i);
            sendOne();
        }
        assertEquals(-1, slotOf(KEPT));
        assertTrue(slotOf(KEPT + 1) >= 0);
    }

    @Test
    void repeatedResponseIsDroppedWhenItsSlotIsReused() {
        for (int i = 1; i <= KEPT; i++) {
            read(i);
            sendOne();
        }
        resources.addAgain(slotOf(1), 0, PACKETS, BYTES);
        resources.addAgain(slotOf(3), 0, PACKETS, BYTES);
        read(KEPT + 1);
        assertEquals(1, resources.unsent());
        assertNext(3, 0);
        sendOne();
        assertNext(KEPT + 1, 0);
    }

    @Test
    void skippedResponseIsNotFound() {
        read(1);
        read(2);
        resources.skip();
        assertNext(2, 0);
        assertEquals(-1, slotOf(1));
        assertEquals(1, resources.unsent());
    }

    @Test
    void reserveKeepsResponses() {
        for (int i = 1; i <= KEPT; i++) {
            read(i);
        }
        sendOne();
        resources.packetSent();
        resources.reserve(4 * KEPT);
        assertNext(2, 1);
        assertEquals(KEPT - 1, resources.unsent());
        for (int i = KEPT + 1; i <= 4 * KEPT; i++) {
            read(i);
        }
        assertTrue(slotOf(1) >= 0);
        assertNext(2, 1);
    }

    @Test
    void clearDiscardsAllResponses() {
        read(1);
        read(2);
        resources.packetSent();
        resources.clear();
        assertTrue(resources.isEmpty());
        assertEquals(0, resources.unsent());
        assertEquals(-1, slotOf(1));
        read(3);
        assertNext(3, 0);
    }
}
