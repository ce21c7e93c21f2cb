package io.jverbs.soft.device;

import java.util.random.RandomGenerator;

/**
 * Assigns queue pair numbers in ascending order from a random start, with wrap-around. A number is reused only after
 * all others have been assigned. Guarded by this.
 */
public final class QpNumbers {
    /** Numbers 0 and 1 are reserved for the special queue pairs. */
    private static final int FIRST = 17;
    /** Number 0xFFFFFF denotes a multicast group. */
    private static final int LAST = 0xFFFFFE;

    private int next;

    /**
     * @param random the generator of the first number
     */
    QpNumbers(RandomGenerator random) {
        next = random.nextInt(FIRST, LAST);
    }

    synchronized int next() {
        int number = next;
        next = number == LAST ? FIRST : number + 1;
        return number;
    }
}
