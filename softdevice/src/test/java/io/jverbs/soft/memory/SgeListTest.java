package io.jverbs.soft.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.soft.queue.HeldLock;
import io.jverbs.soft.queue.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which scatter/gather elements may be used, and which memory a list of them consists of. */
final class SgeListTest {
    private static final int BASE = 0x1000;
    private static final int BYTES = 256;
    /** The index of the first element in the array, as in a ring of requests. */
    private static final int FROM = 3;

    private final SoftPd domain = new SoftPd(segment -> 0);
    private final KeyTable keyTable = new KeyTable(new KeyNumbers(new Random(1)), 8, 8);
    private final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 8);
    private final SoftMr writable = keyTable.register(domain, memory, Access.LOCAL_WRITE, BASE);
    private final SoftMr readable = keyTable.register(domain, memory, 0, BASE);
    private final SoftMr foreign = keyTable.register(new SoftPd(segment -> 0), memory, Access.LOCAL_WRITE, BASE);
    private final KeyCheck check = new KeyCheck(keyTable, domain, 1);
    private final SgeList list = new SgeList(4);

    SgeListTest() {
        check.user().guardedBy(new HeldLock(() -> {}));
    }

    private int lkey(char region) {
        return switch (region) {
            case 'w' -> writable.lkey();
            case 'r' -> readable.lkey();
            case 'f' -> foreign.lkey();
            case 'R' -> writable.rkey();
            default -> 0;
        };
    }

    /** Elements such as {@code w10+20}: the region, the first byte in it, and the length. */
    private long[] elements(String text) {
        String[] parts = text.isEmpty() ? new String[0] : text.split(" ");
        long[] elements = new long[FROM + 2 * parts.length];
        for (int i = 0; i < parts.length; i++) {
            String[] range = parts[i].substring(1).split("\\+");
            elements[FROM + 2 * i] = BASE + Long.parseLong(range[0]);
            elements[FROM + 2 * i + 1] = Words.of(Integer.parseUnsignedInt(range[1]), lkey(parts[i].charAt(0)));
        }
        return elements;
    }

    private boolean resolve(String text, int needed, long limit) {
        long[] elements = elements(text);
        return list.resolve(check, needed, elements, FROM, (elements.length - FROM) / 2, limit);
    }

    private String pieces() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < list.count(); i++) {
            text.append(i == 0 ? "" : " ").append(list.offset(i)).append('+').append(list.length(i));
        }
        return text.toString();
    }

    /**
     * B3, B25, B28, B31, F39. The columns are the elements (w a region with local write, r one without, f of another
     * protection domain, R an rkey, x no region), the number of bytes that are accessed, and the pieces of memory for
     * reading and for writing.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            '',                0,   '',               ''
            w0+256,            256, 0+256,            0+256
            w0+257,            257, refused,          refused
            w1+256,            256, refused,          refused
            w-1+1,             1,   refused,          refused
            w255+1,            1,   255+1,            255+1
            w256+1,            1,   refused,          refused
            r10+20,            20,  10+20,            refused
            f10+20,            20,  refused,          refused
            R10+20,            20,  refused,          refused
            x10+20,            20,  refused,          refused
            x10+0,             0,   '',               ''
            w10+20,            5,   10+5,             10+5
            w10+20,            0,   '',               ''
            w250+20,           6,   250+6,            250+6
            w250+20,           7,   refused,          refused
            w0+4294967295,     256, 0+256,            0+256
            w0+10 w20+30,      40,  0+10 20+30,       0+10 20+30
            w0+10 r20+30,      40,  0+10 20+30,       refused
            w0+10 r20+30,      10,  0+10,             0+10
            w0+10 x20+30,      40,  refused,          refused
            w0+10 x20+30,      10,  0+10,             0+10
            w0+10 w20+30,      25,  0+10 20+15,       0+10 20+15
            x0+0 w20+30,       30,  20+30,            20+30
            w0+10 x20+0 w20+5, 15,  0+10 20+5,        0+10 20+5
            w5+1 w5+1 w5+1,    3,   5+1 5+1 5+1,      5+1 5+1 5+1
            x0+0 x0+0,         0,   '',               ''
            """)
    void elementsAreCheckedAsFarAsTheyAreAccessed(String elements, long bytes, String read, String written) {
        assertEquals(!read.equals("refused"), resolve(elements, 0, bytes));
        if (!read.equals("refused")) {
            assertEquals(read, pieces());
            assertEquals(bytes, list.total());
        }
        assertEquals(!written.equals("refused"), resolve(elements, Access.LOCAL_WRITE, bytes));
        if (!written.equals("refused")) {
            assertEquals(written, pieces());
        }
    }

    /** E4: the length of an element is unsigned. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            '',                          0
            w0+0,                        0
            w0+4294967295,               4294967295
            w0+2147483648,               2147483648
            w0+1 w0+2 w0+3,              6
            w0+4294967295 w0+4294967295, 8589934590
            """)
    void theLengthOfAListIsTheSumOfTheLengthsOfItsElements(String text, long length) {
        long[] elements = elements(text);
        assertEquals(length, SgeList.length(elements, FROM, (elements.length - FROM) / 2));
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            0,  10
            1,  9
            9,  1
            10, 30
            25, 15
            39, 1
            40, 5
            44, 1
            """)
    void aPieceEndsWithItsElement(long skip, long left) {
        assertTrue(resolve("w0+10 w20+30 w60+5", 0, 45));
        assertEquals(left, list.contiguous(skip));
    }

    @Test
    void aListIsEmptyAfterItIsClearedAndOnePieceAfterItIsSet() {
        assertTrue(resolve("w0+10 w20+30", 0, 40));
        list.clear();
        assertEquals(0, list.count());
        assertEquals(0, list.total());
        list.set(memory, 7, 9);
        assertEquals("7+9", pieces());
        list.set(writable.entry, BASE + 11, 3);
        assertEquals("11+3", pieces());
        assertEquals(3, list.total());
    }

    @Test
    void theMemoryOfAListExistsUntilAnArenaIsClosed() {
        try (Arena arena = Arena.ofConfined()) {
            SoftMr closing = keyTable.register(domain, arena.allocate(8), 0, BASE);
            list.set(closing.entry, BASE, 8);
            assertTrue(list.exists());
        }
        assertFalse(list.exists());
        assertTrue(resolve("w0+10", 0, 10));
        assertTrue(list.exists());
    }
}
