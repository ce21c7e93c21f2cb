package io.jverbs.bench.streams;

import io.jverbs.bench.process.ProcessBenchmark;
import io.jverbs.bench.process.Runs;
import io.jverbs.bench.process.Sockets;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.Blocking;
import io.jverbs.bench.suite.Needs;
import io.jverbs.bench.suite.Quick;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;

/**
 * Messages of 64 bytes between two processes over many streams that are selected by one selector on each side, compared
 * with the channels and selectors of the JDK over TCP, all over the loopback interface. An operation is a round trip on
 * each connection; the messages of all are in flight at the same time.
 */
@BenchmarkMode(Mode.AverageTime)
@Quick(without = {"streamNio", "streamLinux", "tcp"})
public class StreamSelector extends ProcessBenchmark {
    /** The number of connections. */
    @Param("100")
    @Allowed(max = 1000)
    public int connections;

    /** For JMH. */
    public StreamSelector() {
        // opened by open
    }

    @Override
    protected int size() {
        return connections;
    }

    /**
     * Streams over the sockets of Java.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Blocking
    @Needs(Sockets.Nio.class)
    @Against("tcp")
    @Runs(of = StreamWorkload.class, value = "SELECTED", udp = "nio")
    public void streamNio() throws IOException {
        once();
    }

    /**
     * Streams over the sockets of the C library.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Blocking
    @Needs(Sockets.DeviceOnLinux.class)
    @Against("tcp")
    @Against("streamNio")
    @Runs(of = StreamWorkload.class, value = "SELECTED", udp = "linux")
    public void streamLinux() throws IOException {
        once();
    }

    /**
     * The channels of the JDK.
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
