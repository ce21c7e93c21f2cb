package io.jverbs.soft.fuzz;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Memory of which some areas are open to packets, and all else is watched. */
final class Field {
    private static final byte UNTOUCHED = 0x5A;
    private static final int GUARD = 256;
    private static final int ALIGNMENT = 64;

    private record Span(long from, long to) {}

    private final MemorySegment memory;
    private final MemorySegment untouched;
    private final List<Span> closed = new ArrayList<>();
    private long used;
    private long closedFrom;

    Field(long bytes) {
        memory = Arena.ofAuto().allocate(bytes, ALIGNMENT).fill(UNTOUCHED);
        untouched = Arena.ofAuto().allocate(bytes, ALIGNMENT).fill(UNTOUCHED);
    }

    /** A part that nobody may write yet, with a guard before it; the guard behind it is the next one's, or the rest. */
    MemorySegment area(long bytes) {
        used = used + GUARD + ALIGNMENT - 1 & -ALIGNMENT;
        MemorySegment area = memory.asSlice(used, bytes);
        used += bytes;
        return area;
    }

    /** Lets bytes of an area be written; to be called in the order of addresses. */
    void open(MemorySegment area, long offset, long bytes) {
        long from = area.address() - memory.address() + offset;
        closed.add(new Span(closedFrom, from));
        closedFrom = from + bytes;
    }

    /** No more is opened. */
    void finish() {
        closed.add(new Span(closedFrom, memory.byteSize()));
    }

    /** Fails if a byte was written that is not open. */
    void check() {
        for (int i = 0; i < closed.size(); i++) {
            Span span = closed.get(i);
            long at = MemorySegment.mismatch(memory, span.from, span.to, untouched, span.from, span.to);
            if (at >= 0) {
                long where = span.from + at;
                byte found = memory.get(ValueLayout.JAVA_BYTE, where);
                memory.asSlice(span.from, span.to - span.from).fill(UNTOUCHED);
                throw new AssertionError("byte " + where + ", which is not open, was set to " + found);
            }
        }
    }
}
