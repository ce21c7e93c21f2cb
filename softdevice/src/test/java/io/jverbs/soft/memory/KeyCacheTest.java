package io.jverbs.soft.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.jverbs.Access;
import io.jverbs.soft.queue.HeldLock;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cache of key lookups finds what the table finds at that moment, whatever was found before. */
final class KeyCacheTest {
    private static final int QP = 5;
    private static final int SIZE = 64;

    private final SoftPd domain = new SoftPd(segment -> 0);
    private final SoftPd foreign = new SoftPd(segment -> 0);
    private final KeyTable keyTable = new KeyTable(new KeyNumbers(new Random(1)), 8, 8);
    private int awaited;
    private final MemorySegment memory = Arena.ofAuto().allocate(SIZE, 8);
    private final SoftMr region = keyTable.register(domain, memory, Access.LOCAL_WRITE | Access.REMOTE_READ, 0);
    private final SoftMr other = keyTable.register(domain, memory, Access.LOCAL_WRITE | Access.REMOTE_READ, 0);

    private KeyCheck check(SoftPd of) {
        KeyCheck check = new KeyCheck(keyTable, of, QP);
        check.user().guardedBy(new HeldLock(() -> awaited++));
        return check;
    }

    private KeyCache remote(SoftPd of, int needed) {
        return KeyCache.remote(check(of), needed);
    }

    /** Finds the key for no bytes at an address that the region contains before and after it is moved. */
    private static KeyEntry find(KeyCache cache, int key) {
        return cache.find(key, SIZE, 0);
    }

    private static KeyEntry findLocal(KeyCache cache, int lkey) {
        return cache.findLocal(lkey, SIZE, 0);
    }

    /**
     * B17, B23: the key is looked up some times before, and after the change. 1 and 2 look up the first and the second
     * region; the change is to the first one.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            '',   nothing,    true
            1,    nothing,    true
            11,   nothing,    true
            1121, nothing,    true
            '',   deregister, false
            1,    deregister, false
            11,   deregister, false
            111,  deregister, false
            1121, deregister, false
            1,    move,       false
            11,   move,       false
            11,   no_read,    false
            111,  no_read,    false
            1122, no_read,    false
            11,   other_pd,   false
            11,   same,       true
            """)
    void aCachedKeyIsFoundUntilItsRegionIsChanged(String lookups, String change, boolean found) {
        KeyCache cache = remote(domain, Access.REMOTE_READ);
        int key = region.rkey();
        for (char which : lookups.toCharArray()) {
            SoftMr wanted = which == '1' ? region : other;
            assertSame(wanted.entry, find(cache, wanted.rkey()));
        }
        KeyEntry cached = cache.cached();
        boolean cachesRegion = cached == region.entry;
        assertEquals(cachesRegion, cached.serves(key, 0, SIZE));
        assertEquals(cachesRegion, cached.servesLocal(region.lkey(), 0, SIZE));
        assertFalse(cached.serves(key, 0, SIZE + 1));
        int access = Access.LOCAL_WRITE | Access.REMOTE_READ;
        switch (change) {
            case "deregister" -> keyTable.deregister(region);
            case "move" -> keyTable.reregister(region, domain, memory, access, SIZE, true);
            case "no_read" -> keyTable.reregister(region, domain, memory, Access.LOCAL_WRITE, 0, false);
            case "other_pd" -> keyTable.reregister(region, foreign, memory, access, 0, false);
            case "same" -> keyTable.reregister(region, domain, memory, access, 0, false);
            default -> {
                // the region stays as it is
            }
        }
        for (int i = 0; i < 3; i++) {
            assertEquals(cachesRegion && change.equals("nothing"), cached.serves(key, 0, SIZE));
            assertSame(found ? region.entry : null, find(cache, key));
            assertSame(other.entry, find(cache, other.rkey()));
            assertSame(other.entry, find(cache, other.rkey()));
        }
    }

    /** B3, B4, B29: the columns are the protection domain and the access that the half needs. */
    @ParameterizedTest
    @CsvSource({"own, 0, true", "own, 4, true", "own, 5, true", "own, 2, false", "own, 8, false", "foreign, 0, false"})
    void aKeyIsFoundIfItGrantsTheAccessInTheDomain(String of, int needed, boolean found) {
        SoftPd wanted = of.equals("own") ? domain : foreign;
        for (int i = 0; i < 3; i++) {
            assertEquals(found, find(remote(wanted, needed), region.rkey()) != null);
            assertEquals(found, findLocal(KeyCache.local(check(wanted), needed), region.lkey()) != null);
        }
    }

    /** B41: a type 2 window serves its queue pair and has no lkey. */
    @ParameterizedTest
    @CsvSource({"5, true", "6, false"})
    void aWindowIsFoundByItsQueuePairAsAnRkeyOnly(int boundBy, boolean found) {
        SoftMr bindable = keyTable.register(domain, memory, Access.LOCAL_WRITE | Access.MW_BIND, 0);
        SoftMw window = keyTable.allocateWindow(domain, SoftMw.TYPE_2);
        keyTable.bind(window, window.rkey(), bindable, 0, SIZE, Access.REMOTE_READ, domain, boundBy);
        KeyCache cache = remote(domain, Access.REMOTE_READ);
        KeyCache lkeys = KeyCache.local(check(domain), 0);
        for (int i = 0; i < 3; i++) {
            assertEquals(found, find(cache, window.rkey()) != null);
            assertNull(find(lkeys, window.rkey()));
        }
    }

    /** B17: each end of a registration waits for a half that has found the key, cached or not. */
    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "2, 1", "3, 1"})
    void aHalfThatHasFoundAKeyIsAUserOfIt(int lookups, int waits) {
        KeyCache cache = remote(domain, Access.REMOTE_READ);
        for (int i = 0; i < lookups; i++) {
            assertNotNull(find(cache, region.rkey()));
        }
        keyTable.deregister(region);
        assertEquals(waits, awaited);
    }
}
