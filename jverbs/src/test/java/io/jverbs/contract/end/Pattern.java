package io.jverbs.contract.end;

/** Reproducible contents: byte i of seed s. The period is not a power of two, so that a shifted copy is detected. */
public final class Pattern {

    private Pattern() {}

    public static byte at(int seed, long index) {
        long x = (index + 1) * 0x9E3779B97F4A7C15L + seed * 0xC2B2AE3D27D4EB4FL;
        x ^= x >>> 29;
        x *= 0xBF58476D1CE4E5B9L;
        return (byte) (x >>> 56);
    }

    public static byte[] bytes(int seed, int length) {
        return bytes(seed, 0, length);
    }

    /** Returns bytes start .. start+length-1 of the pattern. */
    public static byte[] bytes(int seed, long start, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = at(seed, start + i);
        }
        return bytes;
    }
}
