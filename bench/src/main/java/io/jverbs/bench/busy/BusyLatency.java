package io.jverbs.bench.busy;

import io.jverbs.bench.process.ProcessBenchmark;
import io.jverbs.bench.process.Sockets;
import io.jverbs.bench.process.WorkloadState;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.Needs;
import io.jverbs.bench.suite.Quick;
import io.jverbs.bench.wire.WireWorkload;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Round trips between two processes that poll busily, over RoCEv2, while other processes compute on their processors,
 * compared with plain datagrams and with TCP under the same load.
 */
@BenchmarkMode(Mode.SampleTime)
@Needs(Processors.Assignable.class)
@Quick(value = {"bytes=64", "loops=1"}, without = {"sendLinux", "tcp"}, warmUp = 400, baselines = 200)
public class BusyLatency extends ProcessBenchmark {

    /** For JMH. */
    public BusyLatency() {
        // no state
    }

    /** The state of all benchmarks, with the message size and the load. */
    public abstract static class Loaded extends WorkloadState {
        /** The length of a message in bytes. */
        @Param("64")
        @Allowed(max = 65_000)
        public int bytes;
        /** The number of busy loops, each on one processor, in turn. */
        @Param({"0", "1", "2", "4"})
        @Allowed(min = 0, max = 64)
        public int loops;
        private BusyLoops running;

        Loaded(WireWorkload type, String udp) {
            super(type, udp);
        }

        @Override
        protected int size() {
            return bytes;
        }

        /**
         * Starts the busy loops, after the warm-up.
         *
         * @throws IOException if that fails
         */
        @Setup
        public void startLoops() throws IOException {
            running = new BusyLoops(loops);
        }

        /** Ends the busy loops. */
        @TearDown
        public void endLoops() {
            running.close();
        }
    }

    /** SENDs over the sockets of Java. */
    public static class NioSend extends Loaded {
        /** For JMH. */
        public NioSend() {
            super(WireWorkload.SEND, "nio");
        }
    }

    /** SENDs over the sockets of the C library. */
    public static class LinuxSend extends Loaded {
        /** For JMH. */
        public LinuxSend() {
            super(WireWorkload.SEND, "linux");
        }
    }

    /** Plain datagrams. */
    public static class Datagrams extends Loaded {
        /** For JMH. */
        public Datagrams() {
            super(WireWorkload.DATAGRAM, null);
        }
    }

    /** A TCP connection. */
    public static class Tcp extends Loaded {
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
     * The same over the sockets of the C library.
     *
     * @param state this side
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Needs(Sockets.DeviceOnLinux.class)
    @Against("datagrams")
    @Against("tcp")
    public void sendLinux(LinuxSend state) throws IOException {
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
