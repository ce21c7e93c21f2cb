package io.jverbs.strict.tracking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

/** Tests the registry of the keys of a context. */
final class MemoryKeysTest {
    private final MemoryKeys keys = new MemoryKeys();
    private final Region region = new Region(Arena.ofAuto().allocate(8), 0, 0);

    @Test
    void aReusedKeyIsNotStale() {
        keys.registered(1, 1, region);
        assertSame(region, keys.region(1));
        keys.deregistered(1, 1, region, "deregistered");
        assertNull(keys.region(1));
        assertEquals("deregistered", keys.staleReason(1));
        keys.addRkey(1);
        assertNull(keys.staleReason(1));
    }

    @Test
    void anUnknownKeyIsNotStale() {
        keys.registered(1, 1, region);
        assertNull(keys.staleReason(1));
        assertNull(keys.staleReason(2));
    }

    @Test
    void aKeyReusedBeforeItsDeregistrationIsRecordedStaysValid() {
        Region next = new Region(Arena.ofAuto().allocate(8), 0, 0);
        keys.registered(1, 1, region);
        keys.registered(1, 1, next);
        keys.deregistered(1, 1, region, "deregistered");
        assertSame(next, keys.region(1));
        assertNull(keys.staleReason(1));
    }

    @Test
    void onlyTheMostRecentStaleKeysAreRemembered() {
        for (int key = 0; key < 20_000; key++) {
            keys.registered(key, key, region);
            keys.deregistered(key, key, region, "gone");
        }
        assertNull(keys.staleReason(9_999));
        assertEquals("gone", keys.staleReason(10_000));
    }
}
