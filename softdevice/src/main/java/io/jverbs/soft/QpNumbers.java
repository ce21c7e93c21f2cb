package io.jverbs.soft;

import java.util.random.RandomGenerator;

/** Hands out queue pair numbers in turn from a random start, so that a number comes back only after all others. */
final class QpNumbers {
    /** 0 and 1 are special queue pairs. */
    private static final int FIRST = 17;
    /** 0xFFFFFF means a multicast group. */
    private static final int LAST = 0xFFFFFE;

    private int next;

    /**
     * @param random draws the start
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
