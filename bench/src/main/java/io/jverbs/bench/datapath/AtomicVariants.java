package io.jverbs.bench.datapath;

import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Param;

/** Atomic operations on eight bytes, signaled rarely, in lists, and written anew. */
@Quick(value = "operation=FETCH_ADD", without = {"fresh", "listOf16", "oneIn16Signaled", "handWritten"})
public class AtomicVariants extends OneSidedVariants {
    /** Which. */
    @Param
    public Operation operation;

    /** Those there are. */
    public enum Operation {
        /** Adds 1. */
        FETCH_ADD,
        /** Finds what it expects. */
        CAS
    }

    /** For JMH. */
    public AtomicVariants() {
        // open makes it all
    }

    @Override
    protected int bytes() {
        return Long.BYTES;
    }

    @Override
    protected SendWorkRequest write(SendWorkRequest into) {
        long address = loop.target().address();
        int rkey = loop.target().rkey();
        into.flags(SendFlags.SIGNALED).sge(loop.source(), 0, Long.BYTES);
        return operation == Operation.FETCH_ADD
                ? into.fetchAndAdd(address, rkey, 1)
                : into.compareAndSwap(address, rkey, 0, 0);
    }
}
