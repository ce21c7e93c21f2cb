package io.jverbs.samples.memory;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** The heap that live objects use. */
final class UsedHeap {
    /**
     * The serial collector leaves up to a twentieth of the heap uncollected, except in every fourth collection, see
     * {@code MarkSweepAlwaysCompactCount}.
     */
    private static final int COLLECTIONS = 4;

    private UsedHeap() {}

    /** Returns the bytes of live objects: the used heap after garbage collections. */
    static long bytes() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        for (int i = 0; i < COLLECTIONS; i++) {
            memory.gc();
        }
        return memory.getHeapMemoryUsage().getUsed();
    }
}
