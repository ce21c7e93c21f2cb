package io.jverbs.strict;

import io.jverbs.Access;
import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/** Registered memory, and which of it the device may write: whatever changes there is nobody's fault. */
final class Region {
    /** With such rights somebody else may write to it, now or through a window. */
    private static final int WRITABLE_BY_OTHERS = Access.REMOTE_WRITE | Access.REMOTE_ATOMIC | Access.MW_BIND;
    /** What one look at the memory takes: buffers are no longer than an int tells. */
    private static final long PIECE = 1 << 30;

    private final MemorySegment segment;
    private final long address;
    private final boolean shared;
    private final Ranges sinks = new Ranges();

    Region(MemorySegment segment, long address, int access) {
        this.segment = segment;
        this.address = address;
        this.shared = (access & WRITABLE_BY_OTHERS) != 0;
    }

    /** Notes that the device may write to a range. */
    synchronized void sink(long from, long length) {
        sinks.add(from, length);
    }

    /** Whether only the program changes a range, which lies within. */
    synchronized boolean isPrograms(long from, long length) {
        boolean within = Long.compareUnsigned(from, address) >= 0 && length <= segment.byteSize()
                && from - address <= segment.byteSize() - length;
        return !shared && within && !sinks.meets(from, length);
    }

    /** Sums a range that lies within; adds nothing if the memory is gone. */
    void sum(long from, long length, CRC32C into) {
        try {
            long end = from - address + length;
            for (long at = from - address; at < end; at += PIECE) {
                into.update(segment.asSlice(at, Math.min(PIECE, end - at)).asByteBuffer());
            }
        } catch (IllegalStateException | InternalError gone) {
            // the arena is closed, or the file behind the memory is shorter now
            into.update(0);
        }
    }
}
