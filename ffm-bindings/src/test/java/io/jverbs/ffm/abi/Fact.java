package io.jverbs.ffm.abi;

/**
 * A value of a C expression as the generated classes state it.
 *
 * @param expression a C expression of integer type
 * @param value its value; an {@code int} may be sign-extended or zero-extended to a {@code long}
 * @param bits width of the value in the generated class: 32 or 64
 */
record Fact(String expression, long value, int bits) {

    static Fact of(String expression, long value) {
        return new Fact(expression, value, Long.SIZE);
    }

    static Fact of(String expression, int value) {
        return new Fact(expression, value, Integer.SIZE);
    }

    /**
     * Returns whether C has the same value. An {@code int} may represent an unsigned value of 32 bits, but no larger
     * value.
     */
    boolean agrees(long inC) {
        return value == inC || bits == Integer.SIZE && Integer.toUnsignedLong((int) value) == inC;
    }
}
