package io.jverbs.soft.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which memory regions can be registered, and which keys name them while they are changed and deregistered. */
final class KeyTableTest {
    private static final int MAX_REGIONS = 4;
    private static final int BYTES = 4096;

    private final SoftPd domain = new SoftPd(segment -> 0);
    private final KeyTable keyTable = new KeyTable(new KeyNumbers(new Random(1)), MAX_REGIONS, 2);
    private final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 8);

    private SoftMr register() {
        return keyTable.register(domain, memory, 1, 0);
    }

    private static void assertErrno(String expected, Runnable call) {
        if (expected.equals("OK")) {
            call.run();
        } else {
            assertEquals(Errno.valueOf(expected).code(), assertThrows(VerbsException.class, call::run).errno());
        }
    }

    /**
     * B7, B8, B9: bits of {@code enum ibv_access_flags}. 1 local write, 2 remote write, 4 remote read, 8 remote atomic,
     * 0x10 bind, 0x20 zero-based, 0x40 on demand, 0x80 huge pages, 0x100 and 0x200 flush, 0x3ff00000 optional.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            0x0,        OK
            0x1,        OK
            0x2,        EINVAL
            0x3,        OK
            0x4,        OK
            0x5,        OK
            0x8,        EINVAL
            0x9,        OK
            0xa,        EINVAL
            0xe,        EINVAL
            0xf,        OK
            0x10,       OK
            0x12,       EINVAL
            0x1f,       OK
            0xff,       OK
            0x100,      EINVAL
            0x200,      EINVAL
            0x400,      EINVAL
            0x80000,    EINVAL
            0x100000,   OK
            0x3ff00001, OK
            0x40000000, EINVAL
            0x80000001, EINVAL
            """)
    void remoteWritesNeedLocalWriteAndUnknownAccessIsRefused(String access, String errno) {
        int bits = Long.decode(access).intValue();
        assertErrno(errno, () -> keyTable.register(domain, memory, bits, 0));
        assertEquals(errno.equals("OK") ? 1 : 0, keyTable.size());
        SoftMr region = register();
        assertErrno(errno, () -> keyTable.reregister(region, domain, memory, bits, 0, false));
        assertEquals(errno.equals("OK") ? bits : 1, keyTable.find(region.rkey()).access());
    }

    /** B10, B26: a range that ends at 2^64 is the last one that does not wrap around. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            0x0,                4096, OK
            0x7fffffffffffffff, 4096, OK
            0xffffffffffffefff, 4096, OK
            0xfffffffffffff000, 4096, OK
            0xfffffffffffff001, 4096, EINVAL
            0xffffffffffffffff, 1,    OK
            0xffffffffffffffff, 2,    EINVAL
            0xffffffffffffffff, 0,    OK
            """)
    void aRegionWhoseAddressesWrapAroundIsRefused(String iova, int bytes, String errno) {
        long first = Long.parseUnsignedLong(iova.substring(2), 16);
        MemorySegment slice = memory.asSlice(0, bytes);
        assertErrno(errno, () -> keyTable.register(domain, slice, 0, first));
        SoftMr region = register();
        assertErrno(errno, () -> keyTable.reregister(region, domain, slice, 0, first, true));
    }

    /**
     * A7, B19, B22, B23. A scenario is a sequence of: r register, d deregister, m change the memory, a change the
     * access, p change the protection domain. The columns are the scenario, the errno of its last step, the regions at
     * its end, and whether the first region still has its first key.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            r,        OK,     1, true
            rr,       OK,     2, true
            rrrr,     OK,     4, true
            rrrrr,    ENOMEM, 4, true
            rrrrd,    OK,     3, false
            rrrrdr,   OK,     4, false
            rrrrdrr,  ENOMEM, 4, false
            rd,       OK,     0, false
            rdd,      OK,     0, false
            rddr,     OK,     1, false
            ra,       OK,     1, true
            rp,       OK,     1, true
            rap,      OK,     1, true
            rm,       OK,     1, false
            rmm,      OK,     1, false
            rma,      OK,     1, false
            rmd,      OK,     0, false
            rad,      OK,     0, false
            rda,      EINVAL, 0, false
            rdm,      EINVAL, 0, false
            rdp,      EINVAL, 0, false
            rrrrmmmm, OK,     4, false
            """)
    void aKeyNamesARegionUntilItIsDeregisteredOrItsMemoryChanges(String scenario, String errno, int regions,
            boolean keepsKey) {
        SoftMr first = register();
        int key = first.rkey();
        for (int i = 1; i < scenario.length(); i++) {
            char step = scenario.charAt(i);
            Runnable call = () -> {
                switch (step) {
                    case 'r' -> register();
                    case 'd' -> keyTable.deregister(first);
                    case 'm' -> keyTable.reregister(first, domain, memory, 1, 4096, true);
                    case 'a' -> keyTable.reregister(first, domain, memory, 5, 0, false);
                    default -> keyTable.reregister(first, new SoftPd(segment -> 0), memory, 1, 0, false);
                }
            };
            assertErrno(i == scenario.length() - 1 ? errno : "OK", call);
        }
        assertEquals(regions, keyTable.size());
        assertEquals(keepsKey, keyTable.find(key) != null);
        KeyEntry present = keyTable.find(first.rkey());
        assertSame(scenario.contains("d") ? null : first.entry, present);
        assertTrue(present == null || !present.isRevoked());
    }

    /** An entry never changes: a change of the region revokes it, and a user that still refers to it is refused. */
    @ParameterizedTest
    @CsvSource({"a", "p", "m", "d"})
    void anEntryThatWasFoundBeforeAChangeIsRevoked(char step) {
        SoftMr region = register();
        KeyEntry former = keyTable.find(region.rkey());
        switch (step) {
            case 'a' -> keyTable.reregister(region, domain, memory, 5, 0, false);
            case 'p' -> keyTable.reregister(region, new SoftPd(segment -> 0), memory, 1, 0, false);
            case 'm' -> keyTable.reregister(region, domain, memory, 1, 64, true);
            default -> keyTable.deregister(region);
        }
        assertTrue(former.isRevoked());
        assertEquals(MemorySegment.NULL, former.segment());
    }

    /** B12: a stale key differs from the present one in any bit: its number, or its tag. */
    @Test
    void aKeyWithAnotherTagOrNumberIsUnknown() {
        SoftMr region = register();
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            assertNull(keyTable.find(region.rkey() ^ 1 << bit), "bit " + bit);
            assertNull(keyTable.findLocal(region.lkey() ^ 1 << bit), "bit " + bit);
        }
        assertSame(region.entry, keyTable.find(region.rkey()));
        assertSame(region.entry, keyTable.findLocal(region.lkey()));
        assertNull(keyTable.find(region.lkey()));
        assertNull(keyTable.findLocal(region.rkey()));
    }

    /** B12 */
    @Test
    void theKeysOfLiveRegionsAndWindowsAreDistinctAndFreedOnesAreNotReusedSoon() {
        Set<Integer> freed = new HashSet<>();
        for (int round = 0; round < 16; round++) {
            List<Integer> live = new ArrayList<>();
            SoftMr first = register();
            SoftMr second = register();
            SoftMw window = keyTable.allocateWindow(domain, SoftMw.TYPE_2);
            live.addAll(List.of(first.rkey() >>> 8, second.rkey() >>> 8, window.rkey() >>> 8));
            assertEquals(3, new HashSet<>(live).size());
            live.forEach(number -> assertTrue(!freed.contains(number), "the number was freed just now"));
            assertNotEquals(0, first.rkey());
            keyTable.deregister(first);
            keyTable.deregister(second);
            keyTable.deallocateWindow(window);
            freed.addAll(live);
        }
    }
}
