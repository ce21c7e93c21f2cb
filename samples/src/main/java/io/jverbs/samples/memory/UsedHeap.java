package io.jverbs.samples.memory;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** The heap that live objects use. */
final class UsedHeap {
    private UsedHeap() {}

    /** Returns the bytes of live objects: the used heap after a garbage collection. */
    static long bytes() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }
}
