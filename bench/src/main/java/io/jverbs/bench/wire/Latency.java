package io.jverbs.bench.wire;

import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.Needs;
import io.jverbs.bench.suite.Quick;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Round trips between two processes that spin, over RoCEv2, beside bare datagrams and TCP on the same loopback. */
@BenchmarkMode({Mode.SampleTime, Mode.AverageTime})
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 12, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
// two processes that spin leave the compiler no processor: who waits for it measures compiled code sooner
@Fork(value = 5, jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-XX:-BackgroundCompilation"})
@Quick(value = "bytes=64", modes = Mode.SampleTime, without = "sendAwaitedNio", warmUp = 400, baselines = 200)
public class Latency {

    /** For JMH. */
    public Latency() {
        // the states have it all
    }

    /** What all have. */
    @State(Scope.Benchmark)
    public abstract static class Small extends OverWire {
        /** Bytes of each message. */
        @Param({"64", "4096"})
        public int bytes;

        Small(Kind kind, String udp) {
            super(kind, udp);
        }

        @Override
        int bytes() {
            return bytes;
        }
    }

    /** SENDs through Java's sockets. */
    public static class NioSend extends Small {
        /** For JMH. */
        public NioSend() {
            super(Kind.SEND, "nio");
        }
    }

    /** The same, awaiting more. */
    public static class NioSendAwaited extends Small {
        /** For JMH. */
        public NioSendAwaited() {
            super(Kind.SEND_AWAITED, "nio");
        }
    }

    /** SENDs through the C library's sockets. */
    public static class LinuxSend extends Small {
        /** For JMH. */
        public LinuxSend() {
            super(Kind.SEND, "linux");
        }
    }

    /** Bare datagrams. */
    public static class Datagrams extends Small {
        /** For JMH. */
        public Datagrams() {
            super(Kind.DATAGRAM, null);
        }
    }

    /** A TCP connection. */
    public static class Tcp extends Small {
        /** For JMH. */
        public Tcp() {
            super(Kind.TCP, null);
        }
    }

    /**
     * SEND and RECV; completions of SENDs are reaped when they are there, as ib_send_lat does.
     *
     * @param state both sides
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
     * The same; completions of both directions are awaited, as ibv_rc_pingpong does.
     *
     * @param state both sides
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Needs(Sockets.Nio.class)
    @Against("datagrams")
    public void sendAwaitedNio(NioSendAwaited state) throws IOException {
        state.once();
    }

    /**
     * SEND and RECV as {@link #sendNio}.
     *
     * @param state both sides
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
     * A datagram each way, of a DatagramChannel.
     *
     * @param state both sides
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Baseline
    public void datagrams(Datagrams state) throws IOException {
        state.once();
    }

    /**
     * As many bytes each way over TCP, of a SocketChannel.
     *
     * @param state both sides
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Baseline
    public void tcp(Tcp state) throws IOException {
        state.once();
    }
}
