package io.jverbs.ffm.abi;

/**
 * What the generated classes say about C.
 *
 * @param expression a C expression of integer type
 * @param value its value, an {@code int} extended to a {@code long} in one way or the other
 * @param bits how many bits of the value the generated class has: 32 or 64
 */
record Fact(String expression, long value, int bits) {

    static Fact of(String expression, long value) {
        return new Fact(expression, value, Long.SIZE);
    }

    static Fact of(String expression, int value) {
        return new Fact(expression, value, Integer.SIZE);
    }

    /** Whether C says the same: an {@code int} may stand for an unsigned value of 32 bits, but not for a larger one. */
    boolean agrees(long inC) {
        return value == inC || bits == Integer.SIZE && Integer.toUnsignedLong((int) value) == inC;
    }
}
