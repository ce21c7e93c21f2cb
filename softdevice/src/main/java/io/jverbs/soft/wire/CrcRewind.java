package io.jverbs.soft.wire;

/**
 * The register of CRC-32 run backwards over zero bytes, in the time of one multiplication however many they are. A
 * register is a polynomial over GF(2), bit 31 the coefficient of 1; a zero bit multiplies it by x modulo the CRC's
 * polynomial, so back over n words it is multiplied by x^(-32 n).
 */
final class CrcRewind {
    private static final int POLYNOMIAL = 0xEDB8_8320;
    private static final int ONE = 1 << 31;

    /** At index n, x^(-32 n). */
    private final int[] factors;

    /**
     * Prepares.
     *
     * @param maxWords how far back it will go
     */
    CrcRewind(int maxWords) {
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

    /** The register as it was before it took in so many words of zeros. */
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
