package io.jverbs.soft.fabric.udp.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** A coalesced message is split into packets, whatever packet size the system reports. */
final class ReceivedPacketsTest {
    private static final int MAX_BYTES = 1 << 16;

    private final ReceivedPackets arrival = new ReceivedPackets();

    private List<List<Integer>> split(int bytes, int each) {
        List<List<Integer>> packets = new ArrayList<>();
        arrival.ownBuffer();
        arrival.received(bytes, each);
        do {
            arrival.next();
            assertEquals(packets.size(), arrival.index());
            packets.add(List.of(arrival.buffer().start(), arrival.length()));
        } while (arrival.hasNext());
        return packets;
    }

    @Test
    void packetsOfOneSizeAreConsecutive() {
        assertEquals(List.of(List.of(0, 100), List.of(100, 100), List.of(200, 100)), split(300, 100));
    }

    @Test
    void theLastPacketMayBeShorter() {
        assertEquals(List.of(List.of(0, 100), List.of(100, 1)), split(101, 100));
    }

    @Test
    void anImpossiblePacketSizeMeansOnePacket() {
        for (int each : new int[] {0, -1, Integer.MIN_VALUE, 300, 301, Integer.MAX_VALUE}) {
            assertEquals(List.of(List.of(0, 300)), split(300, each), "size " + each);
        }
    }

    @Test
    void anEmptyMessageIsOnePacket() {
        for (int each : new int[] {0, -1, 1, Integer.MAX_VALUE}) {
            assertEquals(List.of(List.of(0, 0)), split(0, each), "size " + each);
        }
    }

    @Property
    void everyByteIsInExactlyOnePacket(@ForAll @IntRange(max = MAX_BYTES) int bytes, @ForAll int each) {
        arrival.ownBuffer();
        arrival.received(bytes, each);
        int end = 0;
        do {
            arrival.next();
            assertEquals(end, arrival.buffer().start());
            assertTrue(arrival.length() > 0 || bytes == 0);
            end += arrival.length();
        } while (arrival.hasNext());
        assertEquals(bytes, end);
    }
}
