package io.jverbs.soft.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.wire.Icrc;
import org.junit.jupiter.api.Test;

/** Which IPv4 IDs are accepted from which senders: L4 to L6, M27. */
final class IpIdPolicyTest {
    private static final int IDS = 1 << 16;

    private final SenderTable senders = new SenderTable();

    private RemoteSender sender(int port) {
        return senders.of(0, 0xFFFF_C000_0201L, port);
    }

    /** Returns how many packets of a sender that counts through all 16 bits are refused. */
    private int refused(RemoteSender sender, int first, int packets) {
        int refused = 0;
        for (int i = 0; i < packets; i++) {
            refused += sender.accepts((first + i) % IDS) ? 0 : 1;
        }
        return refused;
    }

    @Test
    void aSenderThatCountsLosesNothingWhenItsIdsWrapAround() {
        assertEquals(0, refused(sender(49_152), 60_000, 3 * IDS));
    }

    @Test
    void aQueuePairThatStartsAtSmallIdsLosesNothingIfItsAddressCounts() {
        assertTrue(sender(49_152).accepts(65_535));
        RemoteSender other = sender(50_000);
        assertEquals(0, refused(other, 3, 1000));
    }

    @Test
    void aSenderThatStartsToCountAtSmallIdsLosesOnePacket() {
        assertEquals(1, refused(sender(49_152), 100, IDS));
    }

    @Test
    void theSecondLargeIdInARowIsAccepted() {
        assertTrue(sender(49_152).accepts(127));
        assertFalse(sender(49_152).accepts(128));
        assertTrue(sender(49_152).accepts(129));
    }

    @Test
    void largeIdsAmongZerosAreAlwaysRefused() {
        for (int i = 0; i < 1000; i++) {
            assertTrue(sender(4791).accepts(0));
            assertFalse(sender(4791).accepts(30_000 + i));
        }
    }

    @Test
    void anIcrcThatNoIdExplainsIsRefusedAndChangesNothing() {
        assertTrue(sender(4791).accepts(0));
        assertFalse(sender(4791).accepts(40_000));
        assertFalse(sender(4791).accepts(Icrc.MISMATCH));
        assertTrue(sender(4791).accepts(40_001));
        assertFalse(sender(4791).accepts(Icrc.MISMATCH));
    }

    @Test
    void largeIdsAreRefusedAfterManySmallOnes() {
        assertTrue(sender(4791).accepts(40_000));
        for (int i = 0; i < 2 * IpIdPolicy.MAX_SEGMENTS; i++) {
            assertTrue(sender(4791).accepts(0));
        }
        assertFalse(sender(4791).accepts(40_000));
    }

    @Test
    void eachAddressHasItsOwnState() {
        assertTrue(sender(4791).accepts(40_000));
        RemoteSender other = senders.of(0, 0xFFFF_C000_0202L, 4791);
        assertTrue(other.accepts(0));
        assertFalse(other.accepts(40_000));
    }
}
