package io.jverbs.bench.wire;

import io.jverbs.bench.process.ProcessBenchmark;
import io.jverbs.bench.process.Runs;
import io.jverbs.bench.process.Sockets;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.Needs;
import io.jverbs.bench.suite.Quick;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;

/**
 * Messages from one process to another over RoCEv2, compared with plain datagrams of the size of the packets and with
 * TCP, all over the loopback interface. The score is the time per message while others are in flight.
 */
@BenchmarkMode(Mode.AverageTime)
@Quick(value = "bytes=1048576", without = "checkedSegments", warmUp = 400, baselines = 200)
public class Bandwidth extends ProcessBenchmark {
    /** The length of a message in bytes. */
    @Param({"4096", "65536", "1048576"})
    @Allowed(max = Allowed.LARGEST_MESSAGE)
    public int bytes;

    /** For JMH. */
    public Bandwidth() {
        // opened by open
    }

    @Override
    protected int size() {
        return bytes;
    }

    /**
     * RDMA WRITE over the sockets of Java.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Needs(Sockets.Nio.class)
    @Against("datagrams")
    @Against("tcp")
    @Runs(of = WireWorkload.class, value = "WRITE_STREAM", udp = "nio")
    public void writeNio() throws IOException {
        once();
    }

    /**
     * RDMA WRITE over the sockets of the C library.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Needs(Sockets.DeviceOnLinux.class)
    @Against("writeNio")
    @Against("tcp")
    @Against("segments")
    @Against("checkedSegments")
    @Runs(of = WireWorkload.class, value = "WRITE_STREAM", udp = "linux")
    public void writeLinux() throws IOException {
        once();
    }

    /**
     * Datagrams of the size of the packets over a DatagramChannel: one system call for each datagram, on both sides.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Baseline
    @Runs(of = WireWorkload.class, value = "DATAGRAM_STREAM")
    public void datagrams() throws IOException {
        once();
    }

    /**
     * The same datagrams, as many with each system call as Linux accepts (UDP_SEGMENT, UDP_GRO).
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Baseline
    @Needs(Sockets.Linux.class)
    @Runs(of = WireWorkload.class, value = "SEGMENT_STREAM")
    public void segments() throws IOException {
        once();
    }

    /**
     * The same datagrams, each with a CRC that is computed by the sender and by the receiver, as RoCEv2 requires.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Baseline
    @Needs(Sockets.Linux.class)
    @Runs(of = WireWorkload.class, value = "CHECKED_SEGMENT_STREAM")
    public void checkedSegments() throws IOException {
        once();
    }

    /**
     * As many bytes over a SocketChannel.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Baseline
    @Runs(of = WireWorkload.class, value = "TCP_STREAM")
    public void tcp() throws IOException {
        once();
    }
}
