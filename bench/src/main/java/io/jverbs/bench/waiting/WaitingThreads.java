package io.jverbs.bench.waiting;

import io.jverbs.bench.process.ProcessBenchmark;
import io.jverbs.bench.process.Sockets;
import io.jverbs.bench.process.WorkloadState;
import io.jverbs.bench.process.WorkloadType;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.Blocking;
import io.jverbs.bench.suite.Needs;
import io.jverbs.bench.suite.Quick;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;

/**
 * Round trips of 64 bytes a second between two processes over many connections of one device, each with a thread on
 * both sides that waits for completion events, over RoCEv2, compared with blocking TCP and the same threads, all over
 * the loopback interface. An operation is a round trip: two messages.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@OperationsPerInvocation(ManyConnections.BATCH)
@Quick(value = {"connections=16", "threads=virtual"}, without = "sendNio", warmUp = 400, baselines = 400)
public class WaitingThreads extends ProcessBenchmark {

    /** For JMH. */
    public WaitingThreads() {
        // no state
    }

    /** The state of all benchmarks, with the connections and their threads. */
    public abstract static class RoundTrips extends WorkloadState {
        /** The number of connections, and of threads of each process. */
        @Param({"1", "16"})
        @Allowed(max = 256)
        public int connections;

        /** Virtual or platform threads, in both processes. */
        @Param({"virtual", "platform"})
        public String threads;

        private final ThreadsWorkload ofVirtualThreads;

        RoundTrips(ThreadsWorkload ofVirtualThreads, ThreadsWorkload ofPlatformThreads, String udp) {
            super(ofPlatformThreads, udp);
            this.ofVirtualThreads = ofVirtualThreads;
        }

        @Override
        protected WorkloadType type() {
            return threads.equals("virtual") ? ofVirtualThreads : super.type();
        }

        @Override
        protected int size() {
            return connections;
        }
    }

    /** SENDs over the sockets of Java. */
    public static class NioSend extends RoundTrips {
        /** For JMH. */
        public NioSend() {
            super(ThreadsWorkload.SEND_VIRTUAL, ThreadsWorkload.SEND_PLATFORM, "nio");
        }
    }

    /** SENDs over the sockets of the C library. */
    public static class LinuxSend extends RoundTrips {
        /** For JMH. */
        public LinuxSend() {
            super(ThreadsWorkload.SEND_VIRTUAL, ThreadsWorkload.SEND_PLATFORM, "linux");
        }
    }

    /** TCP connections. */
    public static class Tcp extends RoundTrips {
        /** For JMH. */
        public Tcp() {
            super(ThreadsWorkload.TCP_VIRTUAL, ThreadsWorkload.TCP_PLATFORM, null);
        }
    }

    /**
     * SEND and RECV over the sockets of Java.
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
     * SEND and RECV over the sockets of the C library.
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
     * As many bytes in each direction over SocketChannels in blocking mode.
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
