package io.jverbs.soft.fuzz;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Memory of which packets may write some ranges. It detects changes to all other bytes. */
final class GuardedMemory {
    private static final byte UNTOUCHED = 0x5A;
    private static final int GUARD = 256;
    private static final int ALIGNMENT = 64;

    /** A closed range: bytes that packets must not change. */
    private record Span(long from, long to) {}

    private final MemorySegment memory;
    private final MemorySegment untouched;
    private final List<Span> closed = new ArrayList<>();
    private long used;
    private long closedFrom;

    GuardedMemory(long bytes) {
        memory = Arena.ofAuto().allocate(bytes, ALIGNMENT).fill(UNTOUCHED);
        untouched = Arena.ofAuto().allocate(bytes, ALIGNMENT).fill(UNTOUCHED);
    }

    /**
     * Allocates an area, which may not be written until {@link #open} permits it. Guard bytes precede it; the guard
     * bytes of the next area, or the remaining memory, follow it.
     */
    MemorySegment area(long bytes) {
        used = used + GUARD + ALIGNMENT - 1 & -ALIGNMENT;
        MemorySegment area = memory.asSlice(used, bytes);
        used += bytes;
        return area;
    }

    /** Permits writes to a range of an area. Must be called in ascending order of addresses. */
    void open(MemorySegment area, long offset, long bytes) {
        long from = area.address() - memory.address() + offset;
        closed.add(new Span(closedFrom, from));
        closedFrom = from + bytes;
    }

    /** Ends the permissions; {@link #open} must not be called afterwards. */
    void finish() {
        closed.add(new Span(closedFrom, memory.byteSize()));
    }

    /** Fails if a byte outside the open ranges has changed, and restores its range. */
    void check() {
        for (int i = 0; i < closed.size(); i++) {
            Span span = closed.get(i);
            long at = MemorySegment.mismatch(memory, span.from, span.to, untouched, span.from, span.to);
            if (at >= 0) {
                long where = span.from + at;
                byte found = memory.get(ValueLayout.JAVA_BYTE, where);
                memory.asSlice(span.from, span.to - span.from).fill(UNTOUCHED);
                throw new AssertionError("byte " + where + " is outside the open ranges and was set to " + found);
            }
        }
    }
}
