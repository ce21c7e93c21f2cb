package io.jverbs.soft.protocol;

/** Arithmetic of packet sequence numbers (PSNs), modulo 2^24. */
public final class Psns {
    public static final int MASK = 0xFFFFFF;

    private Psns() {}

    public static int add(int psn, int count) {
        return psn + count & MASK;
    }

    /** The distance from {@code b} to {@code a}, from -2^23 to 2^23 - 1; negative if {@code a} precedes {@code b}. */
    public static int difference(int a, int b) {
        return a - b << 8 >> 8;
    }
}
