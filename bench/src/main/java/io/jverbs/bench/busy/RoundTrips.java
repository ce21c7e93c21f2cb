package io.jverbs.bench.busy;

import io.jverbs.bench.process.Runs;
import io.jverbs.bench.process.SmallMessages;
import io.jverbs.bench.process.Sockets;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.Blocking;
import io.jverbs.bench.suite.Needs;
import io.jverbs.bench.waiting.LatencyWorkload;
import io.jverbs.bench.wire.WireWorkload;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;

/**
 * Round trips between two processes that poll or wait for completion events, over RoCEv2, compared with plain datagrams
 * and with TCP in the same conditions, which subclasses define.
 */
@BenchmarkMode(Mode.SampleTime)
public abstract class RoundTrips extends SmallMessages {

    /** For subclasses. */
    protected RoundTrips() {
        // no other state
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
    @Against("tcpBlocking")
    @Runs(of = WireWorkload.class, value = "SEND", udp = "nio")
    public void sendNio() throws IOException {
        once();
    }

    /**
     * The same over the sockets of the C library.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Needs(Sockets.DeviceOnLinux.class)
    @Against("datagrams")
    @Against("tcp")
    @Against("tcpBlocking")
    @Runs(of = WireWorkload.class, value = "SEND", udp = "linux")
    public void sendLinux() throws IOException {
        once();
    }

    /**
     * SEND and RECV over the sockets of Java; both threads wait for completion events, as in ib_send_lat -e.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Blocking
    @Needs(Sockets.Nio.class)
    @Against("tcpBlocking")
    @Runs(of = LatencyWorkload.class, value = "SEND", udp = "nio")
    public void waitNio() throws IOException {
        once();
    }

    /**
     * The same over the sockets of the C library.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Blocking
    @Needs(Sockets.DeviceOnLinux.class)
    @Against("tcpBlocking")
    @Runs(of = LatencyWorkload.class, value = "SEND", udp = "linux")
    public void waitLinux() throws IOException {
        once();
    }

    /**
     * One message of an endpoint in each direction over the sockets of Java, with the default options: a thread polls
     * for a short time, and then blocks.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Blocking
    @Needs(Sockets.Nio.class)
    @Against("tcpBlocking")
    @Against("waitNio")
    @Runs(of = WireWorkload.class, value = "ENDPOINT_BLOCKING", udp = "nio")
    public void endpointNio() throws IOException {
        once();
    }

    /**
     * The same over the sockets of the C library.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Blocking
    @Needs(Sockets.DeviceOnLinux.class)
    @Against("tcpBlocking")
    @Against("waitLinux")
    @Runs(of = WireWorkload.class, value = "ENDPOINT_BLOCKING", udp = "linux")
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

    /**
     * The same in blocking mode: the processes wait instead of polling.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Baseline
    @Runs(of = LatencyWorkload.class, value = "TCP")
    public void tcpBlocking() throws IOException {
        once();
    }
}
