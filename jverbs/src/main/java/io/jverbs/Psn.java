package io.jverbs;

import java.security.SecureRandom;

/**
 * Arithmetic of packet sequence numbers: 24 bits, counted round (InfiniBand Architecture Specification, volume 1,
 * section 9.7). Arguments may be wider; only their low 24 bits count. Safe for use by many threads.
 */
public final class Psn {
    /** The bits of a packet sequence number. */
    public static final int MASK = 0xff_ffff;

    private static final int UNUSED_BITS = 8;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Psn() {}

    /**
     * Chooses where a new connection begins to count.
     *
     * @return a number that cannot be guessed, so that neither packets of an earlier connection nor forged ones fit
     */
    public static int random() {
        return RANDOM.nextInt() & MASK;
    }

    /**
     * Counts on.
     *
     * @param psn where to start
     * @param n how many packets to go on, or back where negative
     * @return the number reached, 0 to {@link #MASK}
     */
    public static int add(int psn, int n) {
        return psn + n & MASK;
    }

    /**
     * Tells which of two numbers comes first, taking the shorter way round.
     *
     * @param a a packet sequence number
     * @param b another one
     * @return how far {@code a} is ahead of {@code b}, -2^23 to 2^23 - 1; negative where it is behind
     */
    public static int compare(int a, int b) {
        // The difference is moved to the top of the int, so that its 24th bit becomes the sign.
        return a - b << UNUSED_BITS >> UNUSED_BITS;
    }
}
