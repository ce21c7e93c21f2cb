package io.jverbs.bench.datapath;

import io.jverbs.bench.suite.Baseline;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;

/** One thread that moves bytes beside a copy of as many, which large messages come near to. */
public abstract class BesideCopy extends OneThread {

    /** For subclasses. */
    protected BesideCopy() {
        // open makes it all
    }

    /** The copy alone. */
    @Benchmark
    @Baseline
    public void copy() {
        MemorySegment.copy(loop.source().segment(), 0, loop.target().segment(), 0, bytes());
    }
}
