package io.jverbs.soft.memory;

import java.util.BitSet;
import java.util.random.RandomGenerator;

/**
 * Draws random keys. A key consists of a number (the upper 24 bits) and a tag (the lower 8 bits). The number of a freed
 * key is not drawn again soon. Guarded by the monitor of {@link KeyTable}.
 */
public final class KeyNumbers {
    /** How many freed numbers are excluded from being drawn. */
    private static final int REMEMBERED = 64;
    private static final int MAX_NUMBER = 1 << 24;
    /** The number of tags, and so of keys that have the same number. */
    private static final int TAGS = 1 << Byte.SIZE;

    private final RandomGenerator random;
    private final int[] freed = new int[REMEMBERED];
    private int nextFreed;

    /**
     * Makes a source of keys.
     *
     * @param random a cryptographically secure generator, or a seeded one if runs are to be reproducible
     */
    public KeyNumbers(RandomGenerator random) {
        this.random = random;
    }

    /** {@return a random 24-bit number, never 0} */
    int next() {
        while (true) {
            int number = random.nextInt(1, MAX_NUMBER);
            if (!wasFreedJustNow(number)) {
                return number;
            }
        }
    }

    private boolean wasFreedJustNow(int number) {
        for (int recent : freed) {
            if (recent == number) {
                return true;
            }
        }
        return false;
    }

    /** Makes a key from a number and a random tag. */
    int key(int number) {
        return number << Byte.SIZE | random.nextInt(TAGS);
    }

    /**
     * Draws another key of the same number. Its tag is one that is not in {@code used}; once all tags have been used,
     * {@code used} is cleared and any tag but the former one is drawn.
     */
    int nextKey(int former, BitSet used) {
        int last = former & TAGS - 1;
        used.set(last);
        if (used.cardinality() == TAGS) {
            used.clear();
            used.set(last);
        }
        int skip = random.nextInt(TAGS - used.cardinality());
        int tag = used.nextClearBit(0);
        while (skip-- > 0) {
            tag = used.nextClearBit(tag + 1);
        }
        return former & -TAGS | tag;
    }

    /** Excludes a freed number from being drawn until {@link #REMEMBERED} others have been freed. */
    void freed(int number) {
        freed[nextFreed] = number;
        nextFreed = (nextFreed + 1) % REMEMBERED;
    }
}
