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

/**
 * Messages from one process to another over RoCEv2, beside bare datagrams of the packets' size and TCP on the same loopback:
 * the time that each message takes while others are under way.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 12, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
// two processes that spin leave the compiler no processor: who waits for it measures compiled code sooner
@Fork(value = 5, jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-XX:-BackgroundCompilation"})
@Quick(value = "bytes=1048576", without = "checkedSegments", warmUp = 400, baselines = 200)
public class Bandwidth {

    /** For JMH. */
    public Bandwidth() {
        // the states have it all
    }

    /** What all have. */
    @State(Scope.Benchmark)
    public abstract static class Large extends OverWire {
        /** Bytes of each message. */
        @Param({"4096", "65536", "1048576"})
        public int bytes;

        Large(Kind kind, String udp) {
            super(kind, udp);
        }

        @Override
        int bytes() {
            return bytes;
        }
    }

    /** WRITEs through Java's sockets. */
    public static class NioWrite extends Large {
        /** For JMH. */
        public NioWrite() {
            super(Kind.WRITE_STREAM, "nio");
        }
    }

    /** WRITEs through the C library's sockets. */
    public static class LinuxWrite extends Large {
        /** For JMH. */
        public LinuxWrite() {
            super(Kind.WRITE_STREAM, "linux");
        }
    }

    /** Bare datagrams. */
    public static class Datagrams extends Large {
        /** For JMH. */
        public Datagrams() {
            super(Kind.DATAGRAM_STREAM, null);
        }
    }

    /** Bare datagrams, many with a call. */
    public static class Segments extends Large {
        /** For JMH. */
        public Segments() {
            super(Kind.SEGMENT_STREAM, null);
        }
    }

    /** Bare datagrams with CRCs, many with a call. */
    public static class CheckedSegments extends Large {
        /** For JMH. */
        public CheckedSegments() {
            super(Kind.CHECKED_SEGMENT_STREAM, null);
        }
    }

    /** A TCP connection. */
    public static class Tcp extends Large {
        /** For JMH. */
        public Tcp() {
            super(Kind.TCP_STREAM, null);
        }
    }

    /**
     * RDMA WRITE.
     *
     * @param state both sides
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Needs(Sockets.Nio.class)
    @Against("datagrams")
    @Against("tcp")
    public void writeNio(NioWrite state) throws IOException {
        state.once();
    }

    /**
     * RDMA WRITE.
     *
     * @param state both sides
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Needs(Sockets.DeviceOnLinux.class)
    @Against("writeNio")
    @Against("tcp")
    @Against("segments")
    @Against("checkedSegments")
    public void writeLinux(LinuxWrite state) throws IOException {
        state.once();
    }

    /**
     * Datagrams of the packets' size, of a DatagramChannel: one system call each, each way.
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
     * The same datagrams, as many with a system call as Linux takes (UDP_SEGMENT, UDP_GRO).
     *
     * @param state both sides
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Baseline
    @Needs(Sockets.Linux.class)
    public void segments(Segments state) throws IOException {
        state.once();
    }

    /**
     * The same datagrams, each with a CRC that is computed before it leaves and when it comes, as RoCEv2 prescribes.
     *
     * @param state both sides
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Baseline
    @Needs(Sockets.Linux.class)
    public void checkedSegments(CheckedSegments state) throws IOException {
        state.once();
    }

    /**
     * As many bytes over TCP, of a SocketChannel.
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
