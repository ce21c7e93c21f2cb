package io.jverbs.contract.interop;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One request that a side makes, known to both sides.
 *
 * @param index  which of its queue pair; the immediate data, and the low half of {@code wr_id}
 * @param length bytes; 8 for atomics
 * @param offset where a WRITE begins in the shared memory of the peer, or a READ in its source
 * @param key    of the pattern that is sent; for atomics the number added or put
 * @param before for atomics the value that must come back
 */
record Message(int index, Kind kind, int length, int offset, long key, long before) {

    enum Kind {
        SEND(true), SEND_WITH_IMM(true), SEND_WITH_INV(true), WRITE(false), WRITE_WITH_IMM(true), READ(
                false), FETCH_AND_ADD(
                        false), COMPARE_AND_SWAP(false);

        private final boolean consumesReceive;

        Kind(boolean consumesReceive) {
            this.consumesReceive = consumesReceive;
        }

        boolean consumesReceive() {
            return consumesReceive;
        }

        boolean atomic() {
            return this == FETCH_AND_ADD || this == COMPARE_AND_SWAP;
        }
    }

    /** The bytes that it sends. */
    MemorySegment bytes() {
        return pattern(key, length);
    }

    /** So many bytes, other ones for each key. */
    static MemorySegment pattern(long key, int length) {
        long[] words = new long[length / Long.BYTES + 1];
        long word = key | 1;
        for (int i = 0; i < words.length; i++) {
            word ^= word << 13;
            word ^= word >>> 7;
            word ^= word << 17;
            words[i] = word;
        }
        return MemorySegment.ofArray(words).asSlice(0, length);
    }

    /** The first byte in which the memory differs from what was sent, -1 if there is none. */
    long mismatch(MemorySegment memory) {
        return bytes().mismatch(memory.asSlice(0, length));
    }

    /** Whether all these bytes have this value. */
    static boolean holdsOnly(MemorySegment memory, byte value) {
        for (long i = 0; i < memory.byteSize(); i++) {
            if (memory.get(ValueLayout.JAVA_BYTE, i) != value) {
                return false;
            }
        }
        return true;
    }
}
