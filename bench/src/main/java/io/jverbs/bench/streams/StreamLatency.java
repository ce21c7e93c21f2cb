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
 * Round trips between two processes over a stream, by channels in blocking mode, compared with the channels of the JDK
 * over TCP, all over the loopback interface. Streams have the default options: a thread that reads polls for a short
 * time before it blocks.
 */
@BenchmarkMode({Mode.SampleTime, Mode.AverageTime})
@Quick(value = "bytes=64", modes = Mode.SampleTime, without = {"streamNio", "streamLinux", "tcp"})
public class StreamLatency extends ProcessBenchmark {
    /** The length of a message in bytes. */
    @Param({"64", "4096", "65536"})
    @Allowed(max = Allowed.LARGEST_MESSAGE)
    public int bytes;

    /** For JMH. */
    public StreamLatency() {
        // opened by open
    }

    @Override
    protected int size() {
        return bytes;
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
    @Runs(of = StreamWorkload.class, value = "PING_PONG", udp = "nio")
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
    @Runs(of = StreamWorkload.class, value = "PING_PONG", udp = "linux")
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
    @Runs(of = StreamWorkload.class, value = "PING_PONG_TCP")
    public void tcp() throws IOException {
        once();
    }
}
