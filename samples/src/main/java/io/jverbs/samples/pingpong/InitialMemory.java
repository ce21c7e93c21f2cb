package io.jverbs.samples.pingpong;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/**
 * The initial memory of the C programs, which they send before they have received a message: a filler byte throughout,
 * or, with {@code -c}, 0 at the start of each page.
 */
final class InitialMemory {
    private InitialMemory() {}

    /** {@return the index of the first byte that differs from initial memory, -1 if there is none} */
    static long mismatch(MemorySegment memory, byte filler) {
        for (long i = 0; i < memory.byteSize(); i++) {
            if (!isAt(i, memory.get(JAVA_BYTE, i), filler)) {
                return i;
            }
        }
        return -1;
    }

    /** {@return whether initial memory may have this byte at an index} */
    static boolean isAt(long index, byte value, byte filler) {
        return value == filler || value == 0 && index % MessagePattern.PAGE == 0;
    }
}
