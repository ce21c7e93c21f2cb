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
 * Messages from one process to another over RoCEv2, compared with plain datagrams of the size of the packets and with
 * TCP, all over the loopback interface. The score is the time per message while others are in flight.
 */
@BenchmarkMode(Mode.AverageTime)
@Quick(value = "bytes=1048576", without = "checkedSegments", warmUp = 400, baselines = 200)
public class Bandwidth extends ProcessBenchmark {

    /** For JMH. */
    public Bandwidth() {
        // no state
    }

    /** The state of all benchmarks, with the message size. */
    public abstract static class Large extends WorkloadState {
        /** The length of a message in bytes. */
        @Param({"4096", "65536", "1048576"})
        @Allowed(max = Allowed.LARGEST_MESSAGE)
        public int bytes;

        Large(WireWorkload type, String udp) {
            super(type, udp);
        }

        @Override
        protected int size() {
            return bytes;
        }
    }

    /** WRITEs over the sockets of Java. */
    public static class NioWrite extends Large {
        /** For JMH. */
        public NioWrite() {
            super(WireWorkload.WRITE_STREAM, "nio");
        }
    }

    /** WRITEs over the sockets of the C library. */
    public static class LinuxWrite extends Large {
        /** For JMH. */
        public LinuxWrite() {
            super(WireWorkload.WRITE_STREAM, "linux");
        }
    }

    /** Plain datagrams. */
    public static class Datagrams extends Large {
        /** For JMH. */
        public Datagrams() {
            super(WireWorkload.DATAGRAM_STREAM, null);
        }
    }

    /** Plain datagrams, many with each system call. */
    public static class Segments extends Large {
        /** For JMH. */
        public Segments() {
            super(WireWorkload.SEGMENT_STREAM, null);
        }
    }

    /** Plain datagrams with CRCs, many with each system call. */
    public static class CheckedSegments extends Large {
        /** For JMH. */
        public CheckedSegments() {
            super(WireWorkload.CHECKED_SEGMENT_STREAM, null);
        }
    }

    /** A TCP connection. */
    public static class Tcp extends Large {
        /** For JMH. */
        public Tcp() {
            super(WireWorkload.TCP_STREAM, null);
        }
    }

    /**
     * RDMA WRITE over the sockets of Java.
     *
     * @param state this side
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
     * RDMA WRITE over the sockets of the C library.
     *
     * @param state this side
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
     * Datagrams of the size of the packets over a DatagramChannel: one system call for each datagram, on both sides.
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
     * The same datagrams, as many with each system call as Linux accepts (UDP_SEGMENT, UDP_GRO).
     *
     * @param state this side
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Baseline
    @Needs(Sockets.Linux.class)
    public void segments(Segments state) throws IOException {
        state.once();
    }

    /**
     * The same datagrams, each with a CRC that is computed by the sender and by the receiver, as RoCEv2 requires.
     *
     * @param state this side
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Baseline
    @Needs(Sockets.Linux.class)
    public void checkedSegments(CheckedSegments state) throws IOException {
        state.once();
    }

    /**
     * As many bytes over a SocketChannel.
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
