package io.jverbs.samples.tour.operation;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Payloads that are determined by a seed. Another seed gives other bytes, so that stale data is detected. */
final class Pattern {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long GOLDEN_RATIO = 0x9E37_79B9_7F4A_7C15L;

    private Pattern() {}

    /** Fills memory with the pattern. */
    static void fill(MemorySegment memory, long seed) {
        long length = memory.byteSize();
        long whole = length & -Long.BYTES;
        for (long i = 0; i < whole; i += Long.BYTES) {
            memory.set(WORD, i, word(seed, i));
        }
        for (long i = whole; i < length; i++) {
            memory.set(JAVA_BYTE, i, byteAt(seed, i));
        }
    }

    /** {@return the index of the first byte at which memory differs from the pattern, -1 if there is none} */
    static long mismatch(MemorySegment memory, long seed) {
        long length = memory.byteSize();
        long whole = length & -Long.BYTES;
        for (long i = 0; i < whole; i += Long.BYTES) {
            long difference = memory.get(WORD, i) ^ word(seed, i);
            if (difference != 0) {
                return i + Long.numberOfTrailingZeros(difference) / Byte.SIZE;
            }
        }
        for (long i = whole; i < length; i++) {
            if (memory.get(JAVA_BYTE, i) != byteAt(seed, i)) {
                return i;
            }
        }
        return -1;
    }

    /** {@return one byte of the pattern} */
    static byte byteAt(long seed, long index) {
        return (byte) (word(seed, index) >>> index % Long.BYTES * Byte.SIZE);
    }

    /** {@return the word that contains the byte at an index} */
    private static long word(long seed, long index) {
        long mixed = (seed + index / Long.BYTES) * GOLDEN_RATIO;
        return mixed ^ mixed >>> 32;
    }
}
