package io.jverbs.bench.datapath;

import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Param;

/** Atomic operations on eight bytes: rarely signaled, in lists, and with requests that are rewritten for each post. */
@Quick(value = "operation=FETCH_ADD", without = {"fresh", "listOf16", "oneIn16Signaled", "handWritten"})
public class AtomicVariants extends OneSidedVariants {
    /** The operation. */
    @Param
    public Operation operation;

    /** The two atomic operations. */
    public enum Operation {
        /** Adds 1. */
        FETCH_ADD,
        /** Compares and swaps; the word has the expected value. */
        CAS
    }

    /** For JMH. */
    public AtomicVariants() {
        // initialized by open
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
