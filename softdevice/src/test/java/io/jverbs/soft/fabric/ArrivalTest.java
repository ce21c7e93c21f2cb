package io.jverbs.soft.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** What came in one piece is cut into packets, whatever size the system says that they have. */
final class ArrivalTest {
    private static final int MOST = 1 << 16;

    private final Arrival arrival = new Arrival();

    private List<List<Integer>> cut(int bytes, int each) {
        List<List<Integer>> pieces = new ArrayList<>();
        arrival.room();
        arrival.came(bytes, each);
        do {
            arrival.next();
            assertEquals(pieces.size(), arrival.index());
            pieces.add(List.of(arrival.buffer().start(), arrival.length()));
        } while (arrival.hasNext());
        return pieces;
    }

    @Test
    void packetsOfOneSizeFollowEachOther() {
        assertEquals(List.of(List.of(0, 100), List.of(100, 100), List.of(200, 100)), cut(300, 100));
    }

    @Test
    void theLastMayBeShorter() {
        assertEquals(List.of(List.of(0, 100), List.of(100, 1)), cut(101, 100));
    }

    @Test
    void aSizeThatPacketsCannotHaveMeansOne() {
        for (int each : new int[] {0, -1, Integer.MIN_VALUE, 300, 301, Integer.MAX_VALUE}) {
            assertEquals(List.of(List.of(0, 300)), cut(300, each), "size " + each);
        }
    }

    @Test
    void nothingIsOnePacketToo() {
        for (int each : new int[] {0, -1, 1, Integer.MAX_VALUE}) {
            assertEquals(List.of(List.of(0, 0)), cut(0, each), "size " + each);
        }
    }

    @Property
    void everyByteIsInOnePacket(@ForAll @IntRange(max = MOST) int bytes, @ForAll int each) {
        arrival.room();
        arrival.came(bytes, each);
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
