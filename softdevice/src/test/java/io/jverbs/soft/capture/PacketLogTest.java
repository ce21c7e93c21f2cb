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

/** The ring of blocks beside a queue of the same blocks. */
final class PacketLogTest {
    private static final int CAPACITY = 256;

    /** A block of so many words, told from others by its type. */
    private static boolean add(PacketLog log, int type, int words) {
        ByteBuffer room = log.room(4 * words);
        if (room == null) {
            return false;
        }
        int start = room.position();
        room.putInt(type).putInt(4 * words).position(start + 4 * words);
        log.added(4 * words);
        return true;
    }

    private static List<Integer> drain(PacketLog log) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        log.drain(Channels.newChannel(out), log.tail());
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
    void whatIsAddedComesOutInOrderAsFarAsThereIsRoom(
            @ForAll @Size(max = 200) List<@IntRange(min = -1, max = 32) Integer> steps) throws IOException {
        PacketLog log = new PacketLog(CAPACITY, 0);
        List<Integer> expected = new ArrayList<>();
        int type = 0;
        for (int words : steps) {
            type++;
            if (words <= 2) {
                assertEquals(expected, drain(log));
                expected.clear();
            } else if (add(log, type, words)) {
                expected.add(type);
            }
        }
        assertEquals(expected, drain(log));
    }

    @Property(tries = 500)
    void theNewestStayWhereTheOldestGiveWay(
            @ForAll @Size(max = 200) List<@IntRange(min = -1, max = 32) Integer> steps,
            @ForAll @IntRange(min = 1, max = 12) int most) throws IOException {
        PacketLog log = new PacketLog(CAPACITY, most);
        Deque<int[]> kept = new ArrayDeque<>();
        int type = 0;
        for (int words : steps) {
            type++;
            if (words <= 2) {
                checkNewest(kept, drain(log), most);
                kept.clear();
            } else {
                assertEquals(true, add(log, type, words));
                kept.add(new int[] {type, words});
            }
        }
        checkNewest(kept, drain(log), most);
    }

    /** As many of the newest as there may be, or as few as leave no room for one more and a gap at the end of the memory. */
    private static void checkNewest(Deque<int[]> added, List<Integer> found, int most) {
        assertEquals(true, found.size() <= most, "more than there may be");
        List<Integer> all = added.stream().map(block -> block[0]).toList();
        assertEquals(all.subList(all.size() - found.size(), all.size()), found);
        if (found.size() < Math.min(most, all.size())) {
            int bytes = added.stream().skip(all.size() - found.size() - 1).mapToInt(block -> 4 * block[1]).sum();
            assertEquals(true, bytes > CAPACITY - 4 * 32, "one more would have fitted");
        }
    }

    @Test
    void aBlockOfMoreThanHalfTheMemoryHasNoRoom() {
        assertNull(new PacketLog(CAPACITY, 0).room(CAPACITY / 2 + 4));
        assertNull(new PacketLog(CAPACITY, 5).room(CAPACITY / 2 + 4));
    }
}
