package io.jverbs.bench.waiting;

import io.jverbs.bench.process.Runs;
import io.jverbs.bench.process.SmallMessages;
import io.jverbs.bench.process.Sockets;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.Blocking;
import io.jverbs.bench.suite.Needs;
import io.jverbs.bench.suite.Quick;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;

/**
 * Round trips between two processes, each with one platform thread that waits for completion events, over RoCEv2,
 * compared with blocking TCP, all over the loopback interface. An operation is a round trip: two messages.
 */
@BenchmarkMode({Mode.SampleTime, Mode.AverageTime})
@Quick(modes = Mode.SampleTime, warmUp = 400, baselines = 400)
public class WaitingLatency extends SmallMessages {

    /** For JMH. */
    public WaitingLatency() {
        // opened by open
    }

    /**
     * SEND and RECV over the sockets of Java; both threads wait for completion events, as in ib_send_lat -e.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Blocking
    @Needs(Sockets.Nio.class)
    @Against("tcp")
    @Runs(of = LatencyWorkload.class, value = "SEND", udp = "nio")
    public void sendNio() throws IOException {
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
    @Against("tcp")
    @Against("sendNio")
    @Runs(of = LatencyWorkload.class, value = "SEND", udp = "linux")
    public void sendLinux() throws IOException {
        once();
    }

    /**
     * As many bytes in each direction over a SocketChannel in blocking mode.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Baseline
    @Runs(of = LatencyWorkload.class, value = "TCP")
    public void tcp() throws IOException {
        once();
    }
}
