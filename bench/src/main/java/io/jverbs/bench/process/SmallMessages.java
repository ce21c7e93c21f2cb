package io.jverbs.bench.process;

import io.jverbs.bench.suite.Allowed;
import org.openjdk.jmh.annotations.Param;

/** The base class of benchmarks of messages that one datagram can carry, of 64 bytes unless another length is given. */
public abstract class SmallMessages extends ProcessBenchmark {
    /** The length of a message in bytes. */
    @Param("64")
    @Allowed(max = Allowed.LARGEST_DATAGRAM)
    public int bytes;

    /** For subclasses. */
    protected SmallMessages() {
        // no other state
    }

    @Override
    protected int size() {
        return bytes;
    }
}
