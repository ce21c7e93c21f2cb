package io.jverbs.bench.waiting;

import io.jverbs.bench.process.ProcessBenchmark;
import io.jverbs.bench.process.Sockets;
import io.jverbs.bench.process.WorkloadState;
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
 * Round trips between two processes, each with one platform thread that waits for completion events, over RoCEv2,
 * compared with blocking TCP, all over the loopback interface. An operation is a round trip: two messages.
 */
@BenchmarkMode({Mode.SampleTime, Mode.AverageTime})
@Quick(modes = Mode.SampleTime, warmUp = 400, baselines = 400)
public class WaitingLatency extends ProcessBenchmark {

    /** For JMH. */
    public WaitingLatency() {
        // no state
    }

    /** The state of all benchmarks, with the message size. */
    public abstract static class RoundTrip extends WorkloadState {
        /** The length of a message in bytes. */
        @Param("64")
        @Allowed(max = 65_000)
        public int bytes;

        RoundTrip(LatencyWorkload type, String udp) {
            super(type, udp);
        }

        @Override
        protected int size() {
            return bytes;
        }
    }

    /** SENDs over the sockets of Java. */
    public static class NioSend extends RoundTrip {
        /** For JMH. */
        public NioSend() {
            super(LatencyWorkload.SEND, "nio");
        }
    }

    /** SENDs over the sockets of the C library. */
    public static class LinuxSend extends RoundTrip {
        /** For JMH. */
        public LinuxSend() {
            super(LatencyWorkload.SEND, "linux");
        }
    }

    /** A TCP connection. */
    public static class Tcp extends RoundTrip {
        /** For JMH. */
        public Tcp() {
            super(LatencyWorkload.TCP, null);
        }
    }

    /**
     * SEND and RECV over the sockets of Java; both threads wait for completion events, as in ib_send_lat -e.
     *
     * @param state this side
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Blocking
    @Needs(Sockets.Nio.class)
    @Against("tcp")
    public void sendNio(NioSend state) throws IOException {
        state.once();
    }

    /**
     * The same over the sockets of the C library.
     *
     * @param state this side
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Blocking
    @Needs(Sockets.DeviceOnLinux.class)
    @Against("tcp")
    @Against("sendNio")
    public void sendLinux(LinuxSend state) throws IOException {
        state.once();
    }

    /**
     * As many bytes in each direction over a SocketChannel in blocking mode.
     *
     * @param state this side
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Baseline
    public void tcp(Tcp state) throws IOException {
        state.once();
    }
}
