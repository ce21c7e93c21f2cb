package io.jverbs.soft.wire;

/**
 * Runs the register of CRC-32 backwards over zero bytes, with one multiplication for any number of bytes. A register is
 * a polynomial over GF(2), in which bit 31 is the coefficient of 1. A zero bit multiplies it by x modulo the polynomial
 * of the CRC. Going back over n words therefore multiplies it by x^(-32 n).
 */
final class ReverseCrc {
    private static final int POLYNOMIAL = 0xEDB8_8320;
    private static final int ONE = 1 << 31;

    /** The factor x^(-32 n) at index n. */
    private final int[] factors;

    /**
     * Computes the factors.
     *
     * @param maxWords the maximum number of words to go back
     */
    ReverseCrc(int maxWords) {
        factors = new int[maxWords + 1];
        int factor = ONE;
        for (int i = 0; i <= maxWords; i++) {
            factors[i] = factor;
            for (int bit = 0; bit < Integer.SIZE; bit++) {
                factor = divideByX(factor);
            }
        }
    }

    private static int divideByX(int register) {
        return register < 0 ? (register ^ POLYNOMIAL) << 1 | 1 : register << 1;
    }

    /** Returns the register as it was before it processed a number of words of zeros. */
    int back(int register, int words) {
        return multiply(register, factors[words]);
    }

    private static int multiply(int a, int b) {
        int product = 0;
        int multiple = b;
        for (int rest = a; rest != 0; rest <<= 1) {
            product ^= multiple & rest >> 31;
            multiple = multiple >>> 1 ^ POLYNOMIAL & -(multiple & 1);
        }
        return product;
    }
}
