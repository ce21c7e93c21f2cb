package io.jverbs.bench.datapath;

import io.jverbs.bench.suite.Baseline;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;

/** One thread that transfers bytes, compared with a copy of as many bytes, which dominates large transfers. */
public abstract class CopyComparison extends OneThread {

    /** For subclasses. */
    protected CopyComparison() {
        // initialized by open
    }

    /** Only the copy. */
    @Benchmark
    @Baseline
    public void copy() {
        MemorySegment.copy(loop.source().segment(), 0, loop.target().segment(), 0, bytes());
    }
}
