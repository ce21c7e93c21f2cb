package io.jverbs.contract.end.local;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory that a test uses: a segment, and the arena to close with it (null if the segment belongs to another owner).
 */
record Memory(MemorySegment segment, Arena arena) implements AutoCloseable {

    /** Records are compared by value, but two memories are never equal. */
    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public void close() {
        if (arena != null && arena.scope().isAlive()) {
            arena.close();
        }
    }
}
