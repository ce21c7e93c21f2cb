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
 * Round trips between two threads of one JVM over a stream, by channels in blocking mode, compared with the channels of
 * the JDK over TCP.
 */
@Quick(value = "bytes=64", warmUp = 400, baselines = 200)
public class LocalStreamLatency extends LocalStreams {
    /** The length of a message in bytes. */
    @Param({"64", "4096", "65536"})
    @Allowed(max = Allowed.LARGEST_MESSAGE)
    public int bytes;

    /** For JMH. */
    public LocalStreamLatency() {
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
    @Runs(of = StreamWorkload.class, value = "PING_PONG")
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
    @Runs(of = StreamWorkload.class, value = "PING_PONG_TCP")
    public void tcp() throws IOException {
        once();
    }
}
