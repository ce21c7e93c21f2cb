package io.jverbs.soft.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import io.jverbs.Access;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a key permits: to whom, which access, and which range. */
final class KeyEntryTest {
    private static final int KEY = 0x12345678;
    private static final int QP = 5;

    private final SoftPd own = new SoftPd(segment -> 0);
    private final SoftPd foreign = new SoftPd(segment -> 0);
    private final MemorySegment memory = Arena.ofAuto().allocate(4096, 8);

    private static int access(String letters) {
        int access = 0;
        for (char letter : letters.toCharArray()) {
            access |= switch (letter) {
                case 'l' -> Access.LOCAL_WRITE;
                case 'w' -> Access.REMOTE_WRITE;
                case 'r' -> Access.REMOTE_READ;
                case 'a' -> Access.REMOTE_ATOMIC;
                case 'b' -> Access.MW_BIND;
                case 'z' -> Access.ZERO_BASED;
                default -> 0;
            };
        }
        return access;
    }

    /** What the letters of the tables stand for: the entry of a key. */
    private KeyEntry entry(String kind, String letters) {
        KeyEntry region = KeyEntry.region(KEY, own, access(kind.equals("region") ? letters : "lb"), 0, memory);
        return switch (kind) {
            case "region" -> region;
            case "type1" -> KeyEntry.window(KEY, region, access(letters), 0, 4096, KeyEntry.ANY_QP);
            case "type2" -> KeyEntry.window(KEY, region, access(letters), 0, 4096, QP);
            default -> KeyEntry.unbound(KEY);
        };
    }

    /**
     * B3, B4, B29, B30, B41, B43. The columns are the kind of key, its access (l local write, w remote write, r remote
     * read, a remote atomic), the access that is needed, the protection domain and the QPN of the user, and whether the
     * key may be used as an rkey and as an lkey.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            region,  -,    -,  own,     5, true,  true
            region,  -,    -,  foreign, 5, false, false
            region,  -,    r,  own,     5, false, false
            region,  r,    r,  own,     5, true,  true
            region,  r,    r,  own,     6, true,  true
            region,  r,    w,  own,     5, false, false
            region,  r,    r,  foreign, 5, false, false
            region,  lwr,  w,  own,     5, true,  true
            region,  lwr,  rw, own,     5, true,  true
            region,  lwr,  a,  own,     5, false, false
            region,  la,   a,  own,     5, true,  true
            region,  la,   r,  own,     5, false, false
            region,  la,   w,  own,     5, false, false
            region,  la,   ra, own,     5, false, false
            region,  l,    l,  own,     5, true,  true
            region,  r,    l,  own,     5, false, false
            type1,   r,    r,  own,     5, true,  false
            type1,   r,    r,  own,     6, true,  false
            type1,   r,    w,  own,     5, false, false
            type1,   r,    r,  foreign, 5, false, false
            type2,   r,    r,  own,     5, true,  false
            type2,   r,    r,  own,     6, false, false
            type2,   r,    -,  own,     6, false, false
            type2,   w,    r,  own,     5, false, false
            type2,   r,    r,  foreign, 5, false, false
            unbound, -,    -,  own,     5, false, false
            unbound, -,    r,  own,     5, false, false
            """)
    void aKeyMayBeUsedInItsDomainWithItsAccessByItsQueuePair(String kind, String granted, String needed, String domain,
            int qpNumber, boolean remote, boolean local) {
        KeyEntry entry = entry(kind, granted);
        SoftPd user = domain.equals("own") ? own : foreign;
        assertEquals(remote, entry.grants(user, access(needed), qpNumber));
        assertEquals(local, entry.grantsLocal(user, access(needed)));
    }

    /**
     * B25, B26, B27: a range ends with the region and never wraps around. The columns are the first address of the
     * region of 4096 bytes, the first address of the range, its length, and whether the region contains it.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            0x1000,             0x1000,              4096, true
            0x1000,             0x1000,              4097, false
            0x1000,             0x1000,              0,    true
            0x1000,             0x0fff,              1,    false
            0x1000,             0x0fff,              2,    false
            0x1000,             0x1fff,              1,    true
            0x1000,             0x1fff,              2,    false
            0x1000,             0x2000,              0,    true
            0x1000,             0x2000,              1,    false
            0x1000,             0x2001,              0,    false
            0x1000,             0x0,                 1,    false
            0x1000,             0x1800,              2048, true
            0x1000,             0x1800,              2049, false
            0x1000,             0x1800,              9223372036854775807, false
            0x1000,             0x8000000000001000,  1,    false
            0x1000,             0xffffffffffffffff,  1,    false
            0x1000,             0xffffffffffffffff,  2,    false
            0x7ffffffffffff800, 0x7ffffffffffff800,  4096, true
            0x7ffffffffffff800, 0x8000000000000000,  2048, true
            0x7ffffffffffff800, 0x8000000000000000,  2049, false
            0xfffffffffffff000, 0xfffffffffffff000,  4096, true
            0xfffffffffffff000, 0xffffffffffffffff,  1,    true
            0xfffffffffffff000, 0xffffffffffffffff,  2,    false
            0xfffffffffffff000, 0x0,                 1,    false
            0,                  0x0,                 4096, true
            0,                  0xffffffffffffffff,  1,    false
            """)
    void aKeyContainsRangesWithinItsMemory(String base, String address, long bytes, boolean contained) {
        KeyEntry entry = KeyEntry.region(KEY, own, 0, parse(base), memory);
        assertEquals(contained, entry.contains(parse(address), bytes));
    }

    /** The garbage collector keeps an entry and a segment that only the entry refers to together. */
    @Test
    void theSegmentOfAnEntryIsAnObjectOfItsOwnWithTheMemoryOfTheKey() {
        KeyEntry region = KeyEntry.region(KEY, own, 0, 0x1000, memory);
        KeyEntry window = KeyEntry.window(KEY + 256, region, 0, 0x1100, 100, QP);
        assertNotSame(memory, region.segment());
        assertEquals(memory, region.segment());
        assertEquals(memory.asSlice(0x100, 100), window.segment());
    }

    private static long parse(String address) {
        return address.startsWith("0x") ? Long.parseUnsignedLong(address.substring(2), 16) : Long.parseLong(address);
    }

    /**
     * B48. A window of 100 bytes at the address 0x1100 of a region at 0x1000. The columns are the access of the window,
     * the first address of the range, its length, and the offset in the region, -1 if the window does not contain it.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            r,  0x1100, 100, 256
            r,  0x1100, 101, -1
            r,  0x10ff, 1,   -1
            r,  0x1163, 1,   355
            r,  0x1164, 1,   -1
            r,  0x0,    1,   -1
            rz, 0x0,    100, 256
            rz, 0x0,    101, -1
            rz, 0x63,   1,   355
            rz, 0x64,   1,   -1
            rz, 0x1100, 1,   -1
            """)
    void aWindowIsNamedByTheAddressesOfItsRegionOrFromZero(String letters, String address, long bytes, long offset) {
        KeyEntry region = KeyEntry.region(KEY, own, access("lb"), 0x1000, memory);
        KeyEntry window = KeyEntry.window(KEY + 256, region, access(letters), 0x1100, 100, QP);
        assertEquals(offset >= 0, window.contains(parse(address), bytes));
        if (offset >= 0) {
            long at = window.segment().address() + window.offsetOf(parse(address));
            assertEquals(offset, at - memory.address());
        }
    }
}
