package io.jverbs.contract.interop;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One request that a side posts. Both sides know it.
 *
 * @param index its index in its queue pair; also the immediate data and the low half of {@code wr_id}
 * @param length bytes; 8 for atomics
 * @param offset start of a WRITE in the shared memory of the peer, or of a READ in its source memory
 * @param key key of the pattern that is sent; for atomics, the number added or swapped in
 * @param before for atomics, the value that must be returned
 */
record Message(int index, Kind kind, int length, int offset, long key, long before) {

    enum Kind {
        SEND(true),
        SEND_WITH_IMM(true),
        SEND_WITH_INV(true),
        WRITE(false),
        WRITE_WITH_IMM(true),
        READ(
                false),
        FETCH_AND_ADD(
                false),
        COMPARE_AND_SWAP(false);

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

    /** Returns the bytes that the message sends. */
    MemorySegment bytes() {
        return pattern(key, length);
    }

    /** Returns a pattern of a length. The pattern is different for each key. */
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

    /** Returns the index of the first byte that differs from the sent bytes, or -1 if none does. */
    long mismatch(MemorySegment memory) {
        return bytes().mismatch(memory.asSlice(0, length));
    }

    /** Returns whether all bytes have this value. */
    static boolean holdsOnly(MemorySegment memory, byte value) {
        for (long i = 0; i < memory.byteSize(); i++) {
            if (memory.get(ValueLayout.JAVA_BYTE, i) != value) {
                return false;
            }
        }
        return true;
    }
}
