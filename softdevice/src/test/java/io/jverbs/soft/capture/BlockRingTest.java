package io.jverbs.soft.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Compares a {@link BlockRing} with a plain queue of the same blocks. */
final class BlockRingTest {
    private static final int CAPACITY = 256;

    /** Adds a block of a length in 32-bit words, identified by its type; returns false if there is no room. */
    private static boolean add(BlockRing ring, int type, int words) {
        ByteBuffer room = ring.room(4 * words);
        if (room == null) {
            return false;
        }
        int start = room.position();
        room.putInt(type).putInt(4 * words).position(start + 4 * words);
        ring.added(4 * words);
        return true;
    }

    private static List<Integer> drain(BlockRing ring) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ring.drain(Channels.newChannel(out), ring.tail());
        ByteBuffer bytes = ByteBuffer.wrap(out.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
        List<Integer> types = new ArrayList<>();
        while (bytes.hasRemaining()) {
            int start = bytes.position();
            types.add(bytes.getInt());
            bytes.position(start + bytes.getInt());
        }
        return types;
    }

    @Property(tries = 500)
    void blocksAreDrainedInOrderIfThereWasRoomForThem(
            @ForAll @Size(max = 200) List<@IntRange(min = -1, max = 32) Integer> steps) throws IOException {
        BlockRing ring = new BlockRing(CAPACITY, 0);
        List<Integer> expected = new ArrayList<>();
        int type = 0;
        for (int words : steps) {
            type++;
            if (words <= 2) {
                assertEquals(expected, drain(ring));
                expected.clear();
            } else if (add(ring, type, words)) {
                expected.add(type);
            }
        }
        assertEquals(expected, drain(ring));
    }

    @Property(tries = 500)
    void aRingThatEvictsTheOldestBlocksKeepsTheNewest(
            @ForAll @Size(max = 200) List<@IntRange(min = -1, max = 32) Integer> steps,
            @ForAll @IntRange(min = 1, max = 12) int maxBlocks) throws IOException {
        BlockRing ring = new BlockRing(CAPACITY, maxBlocks);
        Deque<int[]> kept = new ArrayDeque<>();
        int type = 0;
        for (int words : steps) {
            type++;
            if (words <= 2) {
                checkNewest(kept, drain(ring), maxBlocks);
                kept.clear();
            } else {
                assertEquals(true, add(ring, type, words));
                kept.add(new int[] {type, words});
            }
        }
        checkNewest(kept, drain(ring), maxBlocks);
    }

    /**
     * Checks that the newest blocks were found: either the maximum number of them, or so many that the memory has no
     * room for one more and a gap at its end.
     */
    private static void checkNewest(Deque<int[]> added, List<Integer> found, int maxBlocks) {
        assertEquals(true, found.size() <= maxBlocks, "more blocks than the maximum");
        List<Integer> all = added.stream().map(block -> block[0]).toList();
        assertEquals(all.subList(all.size() - found.size(), all.size()), found);
        if (found.size() < Math.min(maxBlocks, all.size())) {
            int bytes = added.stream().skip(all.size() - found.size() - 1).mapToInt(block -> 4 * block[1]).sum();
            assertEquals(true, bytes > CAPACITY - 4 * 32, "there was room for one more");
        }
    }

    @Test
    void aBlockLongerThanHalfTheMemoryIsRejected() {
        assertNull(new BlockRing(CAPACITY, 0).room(CAPACITY / 2 + 4));
        assertNull(new BlockRing(CAPACITY, 5).room(CAPACITY / 2 + 4));
    }
}
