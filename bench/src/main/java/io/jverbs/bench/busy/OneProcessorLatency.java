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

/**
 * Round trips between two processes that poll busily on one processor, over RoCEv2. Both yield when they find nothing,
 * as plain datagrams do here, which they are compared with.
 */
@BenchmarkMode(Mode.SampleTime)
@Needs(Processors.Assignable.class)
@Quick(value = "bytes=64", without = "sendLinux", warmUp = 400, baselines = 200)
public class OneProcessorLatency extends ProcessBenchmark {

    /** For JMH. */
    public OneProcessorLatency() {
        // no state
    }

    /** The state of all benchmarks, with the message size. */
    public abstract static class Shared extends WorkloadState {
        /** The length of a message in bytes. */
        @Param("64")
        @Allowed(max = 65_000)
        public int bytes;

        Shared(WireWorkload type, String udp) {
            super(type, udp);
        }

        @Override
        protected int size() {
            return bytes;
        }

        @Override
        protected void prepare() throws IOException {
            Processors.assignThisProcess(Processors.allowed().getFirst());
        }
    }

    /** SENDs over the sockets of Java. */
    public static class NioSend extends Shared {
        /** For JMH. */
        public NioSend() {
            super(WireWorkload.SEND_YIELDING, "nio");
        }
    }

    /** SENDs over the sockets of the C library. */
    public static class LinuxSend extends Shared {
        /** For JMH. */
        public LinuxSend() {
            super(WireWorkload.SEND_YIELDING, "linux");
        }
    }

    /** Plain datagrams. */
    public static class Datagrams extends Shared {
        /** For JMH. */
        public Datagrams() {
            super(WireWorkload.DATAGRAM_YIELDING, null);
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
}
