package io.jverbs.bench.wire;

import io.jverbs.bench.process.ProcessBenchmark;
import io.jverbs.bench.process.Sockets;
import io.jverbs.bench.process.WorkloadState;
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

    /** For JMH. */
    public Latency() {
        // no state
    }

    /** The state of all benchmarks, with the message size. */
    public abstract static class Small extends WorkloadState {
        /** The length of a message in bytes. */
        @Param({"64", "4096"})
        @Allowed(max = 65_000)
        public int bytes;

        Small(WireWorkload type, String udp) {
            super(type, udp);
        }

        @Override
        protected int size() {
            return bytes;
        }
    }

    /** SENDs over the sockets of Java. */
    public static class NioSend extends Small {
        /** For JMH. */
        public NioSend() {
            super(WireWorkload.SEND, "nio");
        }
    }

    /** SENDs over the sockets of Java, which wait for send completions too. */
    public static class NioSendAwaited extends Small {
        /** For JMH. */
        public NioSendAwaited() {
            super(WireWorkload.SEND_AWAITED, "nio");
        }
    }

    /** SENDs over the sockets of the C library. */
    public static class LinuxSend extends Small {
        /** For JMH. */
        public LinuxSend() {
            super(WireWorkload.SEND, "linux");
        }
    }

    /** Messages of endpoints over the sockets of Java. */
    public static class NioEndpoint extends Small {
        /** For JMH. */
        public NioEndpoint() {
            super(WireWorkload.ENDPOINT, "nio");
        }
    }

    /** Messages of endpoints over the sockets of the C library. */
    public static class LinuxEndpoint extends Small {
        /** For JMH. */
        public LinuxEndpoint() {
            super(WireWorkload.ENDPOINT, "linux");
        }
    }

    /** Plain datagrams. */
    public static class Datagrams extends Small {
        /** For JMH. */
        public Datagrams() {
            super(WireWorkload.DATAGRAM, null);
        }
    }

    /** A TCP connection. */
    public static class Tcp extends Small {
        /** For JMH. */
        public Tcp() {
            super(WireWorkload.TCP, null);
        }
    }

    /**
     * SEND and RECV over the sockets of Java; send completions are reaped without waiting for them, as in ib_send_lat.
     *
     * @param state this side
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Needs(Sockets.Nio.class)
    @Against("datagrams")
    @Against("tcp")
    public void sendNio(NioSend state) throws IOException {
        state.once();
    }

    /**
     * SEND and RECV over the sockets of Java; waits for the completions of both directions, as ibv_rc_pingpong does.
     *
     * @param state this side
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Needs(Sockets.Nio.class)
    @Against("datagrams")
    public void sendAwaitedNio(NioSendAwaited state) throws IOException {
        state.once();
    }

    /**
     * SEND and RECV over the sockets of the C library, with completions as in {@link #sendNio}.
     *
     * @param state this side
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Needs(Sockets.DeviceOnLinux.class)
    @Against("datagrams")
    @Against("sendNio")
    @Against("tcp")
    public void sendLinux(LinuxSend state) throws IOException {
        state.once();
    }

    /**
     * One message of an endpoint in each direction over the sockets of Java.
     *
     * @param state this side
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Needs(Sockets.Nio.class)
    @Against("sendNio")
    public void endpointNio(NioEndpoint state) throws IOException {
        state.once();
    }

    /**
     * One message of an endpoint in each direction over the sockets of the C library.
     *
     * @param state this side
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Needs(Sockets.DeviceOnLinux.class)
    @Against("sendLinux")
    public void endpointLinux(LinuxEndpoint state) throws IOException {
        state.once();
    }

    /**
     * One datagram in each direction over a DatagramChannel.
     *
     * @param state this side
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Baseline
    public void datagrams(Datagrams state) throws IOException {
        state.once();
    }

    /**
     * As many bytes in each direction over a SocketChannel.
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
