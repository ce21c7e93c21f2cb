package io.jverbs;

import java.security.SecureRandom;

/**
 * Arithmetic of packet sequence numbers (PSNs), which have 24 bits and wrap around; see the InfiniBand Architecture
 * Specification, volume 1, section 9.7. Methods use only the low 24 bits of their arguments. Thread-safe.
 */
public final class Psn {
    /** The mask of the 24 bits of a packet sequence number. */
    public static final int MASK = 0xff_ffff;

    private static final int UNUSED_BITS = 8;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Psn() {}

    /**
     * Returns the first packet sequence number for a new connection. It is random and unpredictable, so packets of an
     * earlier connection and forged packets are unlikely to match.
     *
     * @return a random number, 0 to {@link #MASK}
     */
    public static int random() {
        return RANDOM.nextInt() & MASK;
    }

    /**
     * Adds a number of packets to a packet sequence number.
     *
     * @param psn a packet sequence number
     * @param n the number of packets; can be negative
     * @return the sum modulo 2^24, 0 to {@link #MASK}
     */
    public static int add(int psn, int n) {
        return psn + n & MASK;
    }

    /**
     * Compares two packet sequence numbers in circular order.
     *
     * @param a a packet sequence number
     * @param b another packet sequence number
     * @return the signed distance from {@code b} to {@code a}, -2^23 to 2^23 - 1; negative if {@code a} precedes
     *         {@code b}
     */
    public static int compare(int a, int b) {
        // shifting the difference to the top of the int makes its bit 23 the sign
        return a - b << UNUSED_BITS >> UNUSED_BITS;
    }
}
