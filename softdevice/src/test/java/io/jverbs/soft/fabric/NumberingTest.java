package io.jverbs.soft.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.wire.Icrc;
import org.junit.jupiter.api.Test;

/** Whose IP IDs are believed: L4 to L6, M27. */
final class NumberingTest {
    private static final int IDS = 1 << 16;

    private final Senders senders = new Senders();

    private Sender sender(int port) {
        return senders.of(0, 0xFFFF_C000_0201L, port);
    }

    /** How many packets of one that counts are refused. */
    private int refused(Sender sender, int first, int packets) {
        int refused = 0;
        for (int i = 0; i < packets; i++) {
            refused += sender.accepts((first + i) % IDS) ? 0 : 1;
        }
        return refused;
    }

    @Test
    void whoCountsLosesNothingWhenItBeginsAgainAtZero() {
        assertEquals(0, refused(sender(49_152), 60_000, 3 * IDS));
    }

    @Test
    void aQueuePairWhoseFirstPacketsHaveSmallNumbersLosesNothingWhereOthersHaveCounted() {
        assertTrue(sender(49_152).accepts(65_535));
        Sender other = sender(50_000);
        assertEquals(0, refused(other, 3, 1000));
    }

    @Test
    void whoBeginsToCountAtSmallNumbersLosesOnePacket() {
        assertEquals(1, refused(sender(49_152), 100, IDS));
    }

    @Test
    void anAnswerAtATimeIsHeardAtTheSecondTry() {
        assertTrue(sender(49_152).accepts(127));
        assertFalse(sender(49_152).accepts(128));
        assertTrue(sender(49_152).accepts(129));
    }

    @Test
    void aLargeNumberAmongZerosIsRefusedHoweverOften() {
        for (int i = 0; i < 1000; i++) {
            assertTrue(sender(4791).accepts(0));
            assertFalse(sender(4791).accepts(30_000 + i));
        }
    }

    @Test
    void whatNoNumberExplainsIsRefusedAndChangesNothing() {
        assertTrue(sender(4791).accepts(0));
        assertFalse(sender(4791).accepts(40_000));
        assertFalse(sender(4791).accepts(Icrc.MISMATCH));
        assertTrue(sender(4791).accepts(40_001));
        assertFalse(sender(4791).accepts(Icrc.MISMATCH));
    }

    @Test
    void whoCountsNoMoreIsHeldToThatAfterAWhile() {
        assertTrue(sender(4791).accepts(40_000));
        for (int i = 0; i < 2 * Numbering.MOST_SEGMENTS; i++) {
            assertTrue(sender(4791).accepts(0));
        }
        assertFalse(sender(4791).accepts(40_000));
    }

    @Test
    void anotherAddressHasItsOwn() {
        assertTrue(sender(4791).accepts(40_000));
        Sender other = senders.of(0, 0xFFFF_C000_0202L, 4791);
        assertTrue(other.accepts(0));
        assertFalse(other.accepts(40_000));
    }
}
