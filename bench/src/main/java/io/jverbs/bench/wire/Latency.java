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
 * Round trips between two processes that poll busily, over RoCEv2, compared with plain datagrams and with TCP, all over
 * the loopback interface.
 */
@BenchmarkMode({Mode.SampleTime, Mode.AverageTime})
@Quick(value = "bytes=64", modes = Mode.SampleTime, without = "sendAwaitedNio", warmUp = 400, baselines = 200)
public class Latency extends ProcessBenchmark {
    /** The length of a message in bytes. */
    @Param({"64", "4096"})
    @Allowed(max = Allowed.LARGEST_DATAGRAM)
    public int bytes;

    /** For JMH. */
    public Latency() {
        // opened by open
    }

    @Override
    protected int size() {
        return bytes;
    }

    /**
     * SEND and RECV over the sockets of Java; send completions are reaped without waiting for them, as in ib_send_lat.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Needs(Sockets.Nio.class)
    @Against("datagrams")
    @Against("tcp")
    @Runs(of = WireWorkload.class, value = "SEND", udp = "nio")
    public void sendNio() throws IOException {
        once();
    }

    /**
     * SEND and RECV over the sockets of Java; waits for the completions of both directions, as ibv_rc_pingpong does.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Needs(Sockets.Nio.class)
    @Against("datagrams")
    @Runs(of = WireWorkload.class, value = "SEND_AWAITED", udp = "nio")
    public void sendAwaitedNio() throws IOException {
        once();
    }

    /**
     * SEND and RECV over the sockets of the C library, with completions as in {@link #sendNio}.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Needs(Sockets.DeviceOnLinux.class)
    @Against("datagrams")
    @Against("sendNio")
    @Against("tcp")
    @Runs(of = WireWorkload.class, value = "SEND", udp = "linux")
    public void sendLinux() throws IOException {
        once();
    }

    /**
     * One message of an endpoint in each direction over the sockets of Java.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Needs(Sockets.Nio.class)
    @Against("sendNio")
    @Runs(of = WireWorkload.class, value = "ENDPOINT", udp = "nio")
    public void endpointNio() throws IOException {
        once();
    }

    /**
     * One message of an endpoint in each direction over the sockets of the C library.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Needs(Sockets.DeviceOnLinux.class)
    @Against("sendLinux")
    @Runs(of = WireWorkload.class, value = "ENDPOINT", udp = "linux")
    public void endpointLinux() throws IOException {
        once();
    }

    /**
     * One datagram in each direction over a DatagramChannel.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Baseline
    @Runs(of = WireWorkload.class, value = "DATAGRAM")
    public void datagrams() throws IOException {
        once();
    }

    /**
     * As many bytes in each direction over a SocketChannel.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Baseline
    @Runs(of = WireWorkload.class, value = "TCP")
    public void tcp() throws IOException {
        once();
    }
}
