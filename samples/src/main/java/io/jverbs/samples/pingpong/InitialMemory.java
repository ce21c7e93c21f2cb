package io.jverbs.samples.pingpong;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/** What the C programs send before they have received anything: one byte all over, with {@code -c} 0 where a page begins. */
final class InitialMemory {
    private InitialMemory() {}

    /** {@return the first byte at which a message is not such memory, -1 if it is} */
    static long mismatch(MemorySegment memory, byte filler) {
        for (long i = 0; i < memory.byteSize(); i++) {
            if (!isAt(i, memory.get(JAVA_BYTE, i), filler)) {
                return i;
            }
        }
        return -1;
    }

    /** {@return whether a byte may stand at this place} */
    static boolean isAt(long index, byte value, byte filler) {
        return value == filler || value == 0 && index % MessagePattern.PAGE == 0;
    }
}
