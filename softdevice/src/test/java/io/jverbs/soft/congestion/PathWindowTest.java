package io.jverbs.soft.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Mtu;
import io.jverbs.soft.transport.rc.ReadResponseLimit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How much one connection may have in flight to an address that no other connection sends to. */
final class PathWindowTest {
    private static final int MTU = Mtu.MTU_4096.bytes();
    private static final int MANY = 1000;
    /** The size of a default socket buffer of 208 KiB, which the system counts as twice that size. */
    private static final long DEFAULT_BUFFER = 2 * 212_992;
    /** The size of a large socket buffer, of which the system grants at least 2 MiB and counts them twice. */
    private static final long LARGE_BUFFER = 4 << 20;
    private static final int HEADERS = 64;

    private final PathWindow.Share share = new PathWindow.Share(null);

    private void join(PathCapacity capacity) {
        share.join(new PathWindow(capacity, CongestionControlType.WINDOW), MTU);
    }

    /** Sends all packets that may be sent at once and acknowledges them; returns their number. */
    private int burst() {
        assertTrue(share.admits(MANY));
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
        for (int i = 0; i < MANY; i++) {
            burst();
        }
        return burst();
    }

    @ParameterizedTest
    @CsvSource({"UNCOALESCED, 24", "COALESCED, 45", "COALESCED_LARGE_BUFFER, 90", "OWN_LARGE_BUFFER, 256"})
    void theInitialWindowIsWhatAReceiverHolds(PathCapacity capacity, int packets) {
        join(capacity);
        assertEquals(packets, burst());
    }

    @ParameterizedTest
    @EnumSource
    void aLossHalvesTheWindowOnce(PathCapacity capacity) {
        join(capacity);
        int before = burst();
        share.lost();
        share.lost();
        assertEquals(before / 2, burst());
    }

    @ParameterizedTest
    @CsvSource({"UNCOALESCED, 24", "COALESCED, 45", "COALESCED_LARGE_BUFFER, 45", "OWN_LARGE_BUFFER, 90"})
    void afterALossTheWindowGrowsOnlyToWhatADefaultReceiverHolds(PathCapacity capacity, int packets) {
        join(capacity);
        burst();
        share.lost();
        assertEquals(packets, burstAfterMany());
    }

    /** A READ of 16 packets is one request packet, which counts once although 16 response packets arrive. */
    @Test
    void theResponsePacketsOfReadsAreNoPacketsOfTheWindow() {
        join(PathCapacity.UNCOALESCED);
        burst();
        share.lost();
        for (int reads = 0; reads < 11; reads++) {
            assertTrue(share.admits(1));
            share.sent();
            for (int left = 15; left >= 0; left--) {
                share.acknowledged(1);
                share.settle(left);
            }
        }
        assertEquals(12, burst());
        assertEquals(13, burst());
    }

    @ParameterizedTest
    @EnumSource(names = {"UNCOALESCED", "COALESCED"})
    void aDefaultSocketBufferHoldsTheWindow(PathCapacity capacity) {
        assertTrue(capacity.shared() < DEFAULT_BUFFER);
    }

    /** As the system counts packets that arrive one by one, with as much room for packets that were not requested. */
    @Test
    void aLargeSocketBufferHoldsTheWindowTwice() {
        assertTrue(2 * PathCapacity.OWN_LARGE_BUFFER.shared() < LARGE_BUFFER * 5 / 4);
    }

    /** The response data that READs request at a time is sent immediately. */
    @Test
    void aResponderSendsAWindowOfResponsesWithoutAnotherRequest() {
        for (Mtu mtu : Mtu.values()) {
            if (mtu != Mtu.UNKNOWN) {
                PathWindow window = new PathWindow(PathCapacity.OWN_LARGE_BUFFER, CongestionControlType.WINDOW);
                long packets = window.packets(mtu.bytes());
                assertTrue(packets * (mtu.bytes() + HEADERS) <= ReadResponseLimit.MIN_LIMIT, mtu::name);
                assertTrue(packets * PathWindow.cost(mtu.bytes()) <= PathCapacity.OWN_LARGE_BUFFER.shared(), mtu::name);
            }
        }
    }

    @Test
    void requestedPacketsAreGrantedAllOrNone() {
        join(PathCapacity.COALESCED_LARGE_BUFFER);
        assertTrue(share.admitsAll(60));
        share.settle(60);
        assertTrue(share.admitsAll(30));
        share.acknowledged(50);
        share.settle(40);
        assertTrue(share.admitsAll(50));
        share.settle(0);
        assertTrue(share.admitsAll(MANY), "more than the window is granted if nothing else is in flight");
    }

    @Test
    void aSingleConnectionMayUseTheWholeWindow() {
        for (PathCapacity capacity : PathCapacity.values()) {
            assertEquals(capacity.shared() / PathWindow.cost(MTU), capacity.packets(MTU), capacity::name);
        }
    }
}
