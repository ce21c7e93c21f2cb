package io.jverbs.samples.pingpong;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The contents of messages. A key determines the bytes of a message; each message of a run has its own key.
 *
 * <p>
 * The C programs start with memory that is 0 or 0x7b throughout, and check that each page of the last message that
 * their server received begins with 0. Therefore the first byte of a page is 0 or 1 to 0x7a, depending on the key, and
 * the second one is 1 to 0x7a, so that no message equals the initial memory.
 */
final class MessagePattern {
    /** The page size of the C programs' check. */
    static final int PAGE = 4096;

    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long GOLDEN_RATIO = 0x9E37_79B9_7F4A_7C15L;
    private static final int CHOICES = 0x7a;
    private static final int NUMBER_BITS = 32;

    private MessagePattern() {}

    /**
     * {@return the key of a message}
     *
     * @param psn the initial PSN of the queue pair that sends it first, which both sides know
     * @param number the number of the message on that queue pair, from 0
     * @param zeros whether pages begin with 0
     */
    static long key(int psn, int number, boolean zeros) {
        long mixed = mix(((long) psn << NUMBER_BITS | number) * GOLDEN_RATIO);
        return zeros ? mixed | 1 : mixed & ~1L;
    }

    private static long mix(long value) {
        long mixed = (value ^ value >>> 32) * 0xD6E8_FEB8_6659_FD93L;
        return mixed ^ mixed >>> 32;
    }

    /** Writes a message. */
    static void fill(MemorySegment memory, long key) {
        long length = memory.byteSize();
        long whole = length & -Long.BYTES;
        for (long i = 0; i < whole; i += Long.BYTES) {
            memory.set(WORD, i, word(key, i));
        }
        for (long i = whole; i < length; i++) {
            memory.set(JAVA_BYTE, i, byteAt(key, i));
        }
    }

    /** {@return the index of the first byte at which memory differs from a message, -1 if there is none} */
    static long mismatch(MemorySegment memory, long key) {
        long length = memory.byteSize();
        long whole = length & -Long.BYTES;
        for (long i = 0; i < whole; i += Long.BYTES) {
            long difference = memory.get(WORD, i) ^ word(key, i);
            if (difference != 0) {
                return i + Long.numberOfTrailingZeros(difference) / Byte.SIZE;
            }
        }
        for (long i = whole; i < length; i++) {
            if (memory.get(JAVA_BYTE, i) != byteAt(key, i)) {
                return i;
            }
        }
        return -1;
    }

    /** {@return one byte of a message} */
    static byte byteAt(long key, long index) {
        return (byte) (word(key, index & -Long.BYTES) >>> index % Long.BYTES * Byte.SIZE);
    }

    /** {@return eight bytes of a message, in little-endian order} */
    static long word(long key, long index) {
        long mixed = (key + index) * GOLDEN_RATIO;
        mixed ^= mixed >>> 32;
        return index % PAGE == 0 ? mixed & ~0xffffL | pageStart(mixed, (key & 1) != 0) : mixed;
    }

    private static long pageStart(long word, boolean zero) {
        long first = zero ? 0 : 1 + (word & 0xff) % CHOICES;
        long second = 1 + (word >>> Byte.SIZE & 0xff) % CHOICES;
        return second << Byte.SIZE | first;
    }
}
