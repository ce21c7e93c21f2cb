package io.jverbs.soft.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Mtu;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What one connection may have under way to an address that nobody else sends to. */
final class SharedWindowTest {
    private static final int MTU = Mtu.MTU_4096.bytes();
    private static final int MUCH = 1000;
    /** Of 208 KiB, which count as double. */
    private static final long ORDINARY_BUFFER = 2 * 212_992;

    private final SharedWindow.Share share = new SharedWindow.Share(null);

    private void join(Capacity capacity) {
        share.join(new SharedWindow(capacity), MTU);
    }

    /** Sends what may leave at once, and has it acknowledged; how many packets that was. */
    private int burst() {
        assertTrue(share.admits(MUCH));
        int packets = 1;
        for (; !share.isLast(); packets++) {
            share.sent();
        }
        share.sent();
        share.acknowledged(packets);
        share.settle(0);
        return packets;
    }

    private int burstAfterMany() {
        for (int i = 0; i < MUCH; i++) {
            burst();
        }
        return burst();
    }

    @ParameterizedTest
    @CsvSource({"SINGLY, 24", "IN_PIECES, 45", "IN_MANY_PIECES, 90"})
    void itBeginsWithAllThatAReceiverHolds(Capacity capacity, int packets) {
        join(capacity);
        assertEquals(packets, burst());
    }

    @ParameterizedTest
    @EnumSource
    void aLossHalvesItOnce(Capacity capacity) {
        join(capacity);
        int before = burst();
        share.lost();
        share.lost();
        assertEquals(before / 2, burst());
    }

    @ParameterizedTest
    @CsvSource({"SINGLY, 24", "IN_PIECES, 45", "IN_MANY_PIECES, 45"})
    void whereSomethingWasLostItGrowsNoFartherThanAnOrdinaryReceiverHolds(Capacity capacity, int packets) {
        join(capacity);
        burst();
        share.lost();
        assertEquals(packets, burstAfterMany());
    }

    @ParameterizedTest
    @EnumSource(names = {"SINGLY", "IN_PIECES"})
    void anOrdinarySocketBufferHoldsItPacketByPacket(Capacity capacity) {
        assertTrue(capacity.shared() < ORDINARY_BUFFER);
    }

    @Test
    void oneConnectionAloneUsesItWhole() {
        for (Capacity capacity : Capacity.values()) {
            assertEquals(capacity.shared() / SharedWindow.cost(MTU), capacity.packets(MTU), capacity::name);
        }
    }
}
