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
 * Messages of 64 bytes between two threads of one JVM over many streams that are selected by one selector on each side,
 * compared with the channels and selectors of the JDK over TCP. An operation is a round trip on each connection; the
 * messages of all are in flight at the same time.
 */
@Quick(without = {"stream", "tcp"})
public class LocalStreamSelector extends LocalStreams {
    /** The number of connections. */
    @Param("100")
    @Allowed(max = 1000)
    public int connections;

    /** For JMH. */
    public LocalStreamSelector() {
        // opened by open
    }

    @Override
    protected int size() {
        return connections;
    }

    /**
     * Streams of the software device within the JVM.
     *
     * @throws IOException if a stream fails
     */
    @Benchmark
    @Blocking
    @Against("tcp")
    @Runs(of = StreamWorkload.class, value = "SELECTED")
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
    @Runs(of = StreamWorkload.class, value = "SELECTED_TCP")
    public void tcp() throws IOException {
        once();
    }
}
