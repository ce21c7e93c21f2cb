package io.jverbs.bench.process;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;

/**
 * Measures the processor time of both processes of a workload, all threads included, from one call to another. Linux's
 * JVM reads it from times(2), in units of 10 ms: single iterations are inexact, their mean is not. Not thread-safe.
 */
final class ProcessorTime {
    private static final OperatingSystemMXBean SYSTEM = (OperatingSystemMXBean) ManagementFactory
            .getOperatingSystemMXBean();

    private final Peer peer;
    private long own;
    private long other;

    ProcessorTime(Peer peer) {
        this.peer = peer;
    }

    /** {@return the processor time of this process in nanoseconds} */
    static long ofThisProcess() {
        return SYSTEM.getProcessCpuTime();
    }

    /** Called when an iteration starts. */
    void begin() throws IOException {
        other = peer.processorTime();
        own = ofThisProcess();
    }

    /** Called when the iteration ends. Passes the times to the {@link ProcessorTimeProfiler}. */
    void end() throws IOException {
        long ownAtEnd = ofThisProcess();
        ProcessorTimeProfiler.measured(ownAtEnd - own, peer.processorTime() - other);
    }
}
