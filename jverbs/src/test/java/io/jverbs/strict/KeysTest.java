package io.jverbs.strict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

/** What a context knows of its keys. */
final class KeysTest {
    private final Keys keys = new Keys();
    private final Region region = new Region(Arena.ofAuto().allocate(8), 0, 0);

    @Test
    void aKeyThatOtherMemoryHasAgainIsGood() {
        keys.registered(1, 1, region);
        assertSame(region, keys.region(1));
        keys.deregistered(1, 1, region, "deregistered");
        assertNull(keys.region(1));
        assertEquals("deregistered", keys.end(1));
        keys.opened(1);
        assertNull(keys.end(1));
    }

    @Test
    void aKeyThatWasNeverOneIsNotJudged() {
        keys.registered(1, 1, region);
        assertNull(keys.end(1));
        assertNull(keys.end(2));
    }

    @Test
    void memoryThatHasAKeyAgainBeforeItsFormerOwnerIsNotedAsGoneKeepsIt() {
        Region next = new Region(Arena.ofAuto().allocate(8), 0, 0);
        keys.registered(1, 1, region);
        keys.registered(1, 1, next);
        keys.deregistered(1, 1, region, "deregistered");
        assertSame(next, keys.region(1));
        assertNull(keys.end(1));
    }

    @Test
    void onlyTheLastKeysOfNothingAreKnown() {
        for (int key = 0; key < 20_000; key++) {
            keys.registered(key, key, region);
            keys.deregistered(key, key, region, "gone");
        }
        assertNull(keys.end(9_999));
        assertEquals("gone", keys.end(10_000));
    }
}
