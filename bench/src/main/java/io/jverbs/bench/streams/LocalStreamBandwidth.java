package io.jverbs.bench.streams;

import io.jverbs.bench.process.Runs;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.Blocking;
import io.jverbs.bench.suite.Quick;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * Bytes from one thread of a JVM to another over a stream, by channels in blocking mode, compared with the channels of
 * the JDK over TCP. The score is the time of a write while the other thread reads.
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

    /**
     * Streams of the software device within the JVM.
     *
     * @throws IOException if a stream fails
     */
    @Benchmark
    @Blocking
    @Against("tcp")
    @Runs(of = StreamWorkload.class, value = "ONE_WAY")
    public void stream() throws IOException {
        once();
    }

    /**
     * The channels of the JDK over loopback.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Baseline
    @Runs(of = StreamWorkload.class, value = "ONE_WAY_TCP")
    public void tcp() throws IOException {
        once();
    }
}
