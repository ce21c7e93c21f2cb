package io.jverbs.soft.memory;

import java.util.random.RandomGenerator;

/** Draws keys that cannot be guessed and do not come back soon after they are freed. Guarded by {@link Regions}. */
public final class KeyNumbers {
    private static final int REMEMBERED = 64;
    private static final int MAX_NUMBER = 1 << 24;

    private final RandomGenerator random;
    private final int[] freed = new int[REMEMBERED];
    private int nextFreed;

    /**
     * @param random a secure generator, or a seeded one where runs are to repeat
     */
    public KeyNumbers(RandomGenerator random) {
        this.random = random;
    }

    /** {@return a number of 24 bits, never 0} */
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

    /** A key of a number, its low 8 bits random. */
    int key(int number) {
        return number << Byte.SIZE | random.nextInt(1 << Byte.SIZE);
    }

    void freed(int number) {
        freed[nextFreed] = number;
        nextFreed = (nextFreed + 1) % REMEMBERED;
    }
}
