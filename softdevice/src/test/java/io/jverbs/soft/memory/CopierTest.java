package io.jverbs.soft.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.soft.queue.HeldLock;
import io.jverbs.soft.queue.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every byte arrives at its place and no other byte changes, however the elements are split. */
final class CopierTest {
    private static final int BYTES = 128;
    private static final int GUARD = 16;

    private final SoftPd domain = new SoftPd(segment -> 0);
    private final KeyTable keyTable = new KeyTable(new KeyNumbers(new Random(1)), 8, 8);
    private final KeyCheck check = new KeyCheck(keyTable, domain, 1);
    private final MemorySegment source = Arena.ofAuto().allocate(2 * BYTES, 8);
    private final MemorySegment target = Arena.ofAuto().allocate(2 * BYTES, 8);
    private final SoftMr from = keyTable.register(domain, source, 0, 0);
    private final SoftMr to = keyTable.register(domain, target, Access.LOCAL_WRITE, 0);

    CopierTest() {
        check.user().guardedBy(new HeldLock(() -> {}));
        for (int i = 0; i < 2 * BYTES; i++) {
            source.set(JAVA_BYTE, i, (byte) (i + 1));
        }
    }

    /** A list of elements of the given lengths; between two elements are three bytes, which do not belong to it. */
    private SgeList list(SoftMr region, String lengths) {
        String[] parts = lengths.split(" ");
        long[] elements = new long[2 * parts.length];
        int at = GUARD;
        int total = 0;
        for (int i = 0; i < parts.length; i++) {
            int length = Integer.parseInt(parts[i]);
            elements[2 * i] = at;
            elements[2 * i + 1] = Words.of(length, region.lkey());
            at += length + 3;
            total += length;
        }
        SgeList list = new SgeList(parts.length);
        list.resolve(check, 0, elements, 0, parts.length, total);
        return list;
    }

    /** The bytes of a list, one by one. */
    private static byte[] bytes(SgeList list) {
        byte[] bytes = new byte[(int) list.total()];
        int at = 0;
        for (int piece = 0; piece < list.count(); piece++) {
            for (int i = 0; i < list.length(piece); i++) {
                bytes[at++] = list.segment(piece).get(JAVA_BYTE, list.offset(piece) + i);
            }
        }
        return bytes;
    }

    private static byte[] slice(byte[] bytes, int at, int length) {
        return Arrays.copyOfRange(bytes, at, at + length);
    }

    private long countChanged() {
        byte[] all = target.toArray(JAVA_BYTE);
        long changed = 0;
        for (byte value : all) {
            changed += value == 0 ? 0 : 1;
        }
        return changed;
    }

    private static final String SPLITS = """
            40,        40
            40,        13 27
            40,        8 8 8 8 8
            13 27,     40
            1 39,      39 1
            7 9 24,    8 16 16
            8 32,      1 1 1 1 36
            1 1 1 37,  37 1 1 1
            5 3 8 24,  3 5 24 8
            """;

    /** E17 */
    @ParameterizedTest
    @CsvSource(textBlock = SPLITS)
    void aPartOfAListIsCopiedToAPartOfAnother(String sources, String targets) {
        SgeList gathered = list(from, sources);
        SgeList scattered = list(to, targets);
        byte[] expected = bytes(gathered);
        for (int length = 0; length <= 24; length++) {
            for (int skip = 0; skip <= 16; skip++) {
                int toSkip = 16 - skip;
                target.fill((byte) 0);
                Copier.copy(gathered, skip, scattered, toSkip, length);
                assertArrayEquals(slice(expected, skip, length), slice(bytes(scattered), toSkip, length));
                assertEquals(length, countChanged(), "bytes changed");
            }
        }
    }

    /** E17, F3: the last word is stored last; here every byte must be right, whatever the alignment. */
    @ParameterizedTest
    @ValueSource(strings = {"40", "13 27", "8 8 8 8 8", "1 39", "1 1 1 37", "5 3 8 24", "2 2 2 2 32", "7 9 24"})
    void aListIsGatheredAtAnyAlignmentOfTheDestination(String sources) {
        SgeList gathered = list(from, sources);
        byte[] expected = bytes(gathered);
        for (int length = 1; length <= 32; length++) {
            for (int skip = 0; skip <= 8; skip++) {
                for (int at = GUARD; at < GUARD + 8; at++) {
                    String what = length + " bytes from " + skip + " to " + at;
                    byte[] part = slice(expected, skip, length);
                    target.fill((byte) 0);
                    Copier.gatherReleasing(gathered, skip, to.entry, at, length);
                    assertArrayEquals(part, target.asSlice(at, length).toArray(JAVA_BYTE), what);
                    assertEquals(length, countChanged(), what);
                    target.fill((byte) 0);
                    Copier.gather(gathered, skip, target, at, length);
                    assertArrayEquals(part, target.asSlice(at, length).toArray(JAVA_BYTE), what);
                    assertEquals(length, countChanged(), what);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7, 8, 9, 15, 16, 24, 31, 32, 64})
    void contiguousMemoryIsCopiedAtAnyAlignment(int length) {
        SgeList scratch = new SgeList(1);
        for (int skip = 0; skip < 8; skip++) {
            for (int at = GUARD; at < GUARD + 8; at++) {
                byte[] expected = source.asSlice(skip, length).toArray(JAVA_BYTE);
                target.fill((byte) 0);
                Copier.copyReleasing(source, skip, target, at, length, scratch);
                assertArrayEquals(expected, target.asSlice(at, length).toArray(JAVA_BYTE));
                assertEquals(length, countChanged());
                target.fill((byte) 0);
                Copier.copy(source, skip, target, at, length);
                assertArrayEquals(expected, target.asSlice(at, length).toArray(JAVA_BYTE));
                assertEquals(length, countChanged());
            }
        }
    }

    /** F18: the original value of an atomic is stored in native byte order, also if several elements hold it. */
    @ParameterizedTest
    @ValueSource(strings = {"8", "4 4", "1 7", "7 1", "1 1 1 1 1 1 1 1", "3 2 3", "9"})
    void theOriginalValueOfAnAtomicIsScattered(String targets) {
        SgeList scattered = list(to, targets);
        Copier.storeLong(scattered, 0x0102030405060708L);
        byte[] stored = bytes(scattered);
        assertEquals(0x0102030405060708L, MemorySegment.ofArray(stored).get(JAVA_LONG_UNALIGNED, 0));
        assertEquals(8, countChanged());
    }

    /** F15: the columns are the value in memory, the value to compare, the value to swap in, and the value after. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            5,  5,  9, 9
            5,  6,  9, 5
            0,  0,  0, 0
            -1, -1, 1, 1
            -1, 1,  1, -1
            9223372036854775807, 9223372036854775807, -9223372036854775808, -9223372036854775808
            4294967297, 1, 7, 4294967297
            """)
    void compareAndSwapStoresTheValueIfTheWordHasTheExpectedOne(long before, long compare, long swap, long after) {
        target.set(JAVA_LONG, GUARD, before);
        assertEquals(before, Copier.compareAndSwap(to.entry, GUARD, compare, swap));
        assertEquals(after, target.get(JAVA_LONG, GUARD));
    }

    /** F16: the columns are the value in memory, the value to add, and the value after. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            0,  1,  1
            5,  0,  5
            5,  -6, -1
            -1, 1,  0
            4294967295, 1, 4294967296
            9223372036854775807, 1, -9223372036854775808
            """)
    void fetchAndAddWrapsAroundAndReturnsTheOriginalValue(long before, long add, long after) {
        target.set(JAVA_LONG, GUARD, before);
        assertEquals(before, Copier.fetchAndAdd(to.entry, GUARD, add));
        assertEquals(after, target.get(JAVA_LONG, GUARD));
    }
}
