package io.jverbs.soft.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Checks the generator of the keys of memory regions and windows. */
final class KeyNumbersTest {
    private static final int TAGS = 256;

    private final KeyNumbers numbers = new KeyNumbers(new Random(1));

    @Test
    void allBitsOfAKeyAreRandom() {
        int everSet = 0;
        int everClear = 0;
        for (int i = 0; i < 1000; i++) {
            int key = numbers.key(numbers.next());
            everSet |= key;
            everClear |= ~key;
        }
        assertEquals(-1, everSet);
        assertEquals(-1, everClear);
    }

    @Test
    void aTypeOneWindowReusesAKeyOnlyAfterAll256KeysOfItsIndex() {
        BitSet used = new BitSet();
        int first = numbers.key(numbers.next());
        Set<Integer> seen = new HashSet<>(Set.of(first));
        int key = first;
        for (int i = 1; i < TAGS; i++) {
            key = numbers.nextKey(key, used);
            assertTrue(seen.add(key), "the key of bind " + i + " was used before");
            assertEquals(first >>> Byte.SIZE, key >>> Byte.SIZE);
        }
        int last = key;
        for (int i = 0; i < 2 * TAGS; i++) {
            int next = numbers.nextKey(key, used);
            assertNotEquals(key, next);
            key = next;
        }
        assertEquals(last >>> Byte.SIZE, key >>> Byte.SIZE);
    }

    @Test
    void theNextKeyOfATypeOneWindowIsNotSequential() {
        int sequential = 0;
        for (int i = 0; i < 1000; i++) {
            int key = numbers.key(numbers.next());
            sequential += numbers.nextKey(key, new BitSet()) == (key & -TAGS | key + 1 & TAGS - 1) ? 1 : 0;
        }
        assertTrue(sequential < 50, sequential + " of 1000 keys equal the previous key plus one");
    }

    @Test
    void aFreedIndexIsNotReusedSoon() {
        int freed = numbers.next();
        numbers.freed(freed);
        for (int i = 0; i < 1000; i++) {
            assertFalse(numbers.next() == freed, "the freed index was reused immediately");
        }
    }
}
