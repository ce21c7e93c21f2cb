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
import io.jverbs.rsocket.datagram.RdmaDatagramSocket;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;

/**
 * Round trips between two processes by the datagram sockets of RDMA, compared with channels of the JDK in blocking mode
 * over UDP, all over the loopback interface. Sockets have the default options: a thread that receives polls for a short
 * time before it blocks.
 */
@BenchmarkMode({Mode.SampleTime, Mode.AverageTime})
@Quick(modes = Mode.SampleTime, without = {"socketNio", "socketLinux", "channel"})
public class DatagramSocketLatency extends ProcessBenchmark {
    /** What a datagram can have over UDP to librdmacm, {@link RdmaDatagramSocket#maxPayload}. */
    private static final int LARGEST = 2032;

    /** The length of a message in bytes. */
    @Param("64")
    @Allowed(max = LARGEST)
    public int bytes;

    /** For JMH. */
    public DatagramSocketLatency() {
        // opened by open
    }

    @Override
    protected int size() {
        return bytes;
    }

    /**
     * Datagrams over RDMA with the sockets of Java.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Blocking
    @Needs(Sockets.Nio.class)
    @Against("channel")
    @Runs(of = DatagramWorkload.class, value = "RDMA", udp = "nio")
    public void socketNio() throws IOException {
        once();
    }

    /**
     * Datagrams over RDMA with the sockets of the C library.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Blocking
    @Needs(Sockets.DeviceOnLinux.class)
    @Against("channel")
    @Against("socketNio")
    @Runs(of = DatagramWorkload.class, value = "RDMA", udp = "linux")
    public void socketLinux() throws IOException {
        once();
    }

    /**
     * Datagrams over a DatagramChannel.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Baseline
    @Runs(of = DatagramWorkload.class, value = "CHANNEL")
    public void channel() throws IOException {
        once();
    }
}
