package io.jverbs.bench.streams;

import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Param;

/**
 * Bytes from one thread of a JVM to another over a stream, by channels in blocking mode. The score is the time of a
 * write while the other thread reads.
 */
@Quick(value = "bytes=1048576", without = {"stream", "tcp"})
public class LocalStreamBandwidth extends LocalStreams {
    /** The number of bytes of a write. */
    @Param({"4096", "65536", "1048576"})
    @Allowed(max = Allowed.LARGEST_MESSAGE)
    public int bytes;

    /** For JMH. */
    public LocalStreamBandwidth() {
        // opened by open
    }

    @Override
    protected int size() {
        return bytes;
    }

    @Override
    StreamWorkload workload() {
        return StreamWorkload.ONE_WAY;
    }
}
