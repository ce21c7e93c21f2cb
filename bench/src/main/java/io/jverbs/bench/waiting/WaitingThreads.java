package io.jverbs.bench.waiting;

import io.jverbs.bench.process.ProcessBenchmark;
import io.jverbs.bench.process.Runs;
import io.jverbs.bench.process.Sockets;
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
    /** The number of connections, and of threads of each process. */
    @Param({"1", "16"})
    @Allowed(max = 256)
    public int connections;

    /** Virtual or platform threads, in both processes. */
    @Param({"virtual", "platform"})
    public String threads;

    /** For JMH. */
    public WaitingThreads() {
        // opened by open
    }

    @Override
    protected WorkloadType type(WorkloadType ofMethod) {
        return threads.equals("virtual") ? ((ThreadsWorkload) ofMethod).ofVirtualThreads() : ofMethod;
    }

    @Override
    protected int size() {
        return connections;
    }

    /**
     * SEND and RECV over the sockets of Java.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Blocking
    @Needs(Sockets.Nio.class)
    @Against("tcp")
    @Runs(of = ThreadsWorkload.class, value = "SEND_PLATFORM", udp = "nio")
    public void sendNio() throws IOException {
        once();
    }

    /**
     * SEND and RECV over the sockets of the C library.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Blocking
    @Needs(Sockets.DeviceOnLinux.class)
    @Against("tcp")
    @Against("sendNio")
    @Runs(of = ThreadsWorkload.class, value = "SEND_PLATFORM", udp = "linux")
    public void sendLinux() throws IOException {
        once();
    }

    /**
     * As many bytes in each direction over SocketChannels in blocking mode.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Baseline
    @Runs(of = ThreadsWorkload.class, value = "TCP_PLATFORM")
    public void tcp() throws IOException {
        once();
    }
}
