package io.jverbs.contract.end.local;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory a test uses: a segment, and the arena to close with it (null when somebody else owns it). */
record Memory(MemorySegment segment, Arena arena) implements AutoCloseable {

    /** Records compare by value; two memories must never be taken for one. */
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
