package io.jverbs.soft.transport;

/** Arithmetic of packet sequence numbers, modulo 2^24. */
final class Psns {
    static final int MASK = 0xFFFFFF;

    private Psns() {}

    static int add(int psn, int count) {
        return psn + count & MASK;
    }

    /** How far a is after b, negative if before, in a window of 2^23. */
    static int difference(int a, int b) {
        return a - b << 8 >> 8;
    }
}
