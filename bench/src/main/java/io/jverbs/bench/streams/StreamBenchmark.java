package io.jverbs.bench.streams;

import io.jverbs.bench.process.ProcessBenchmark;
import io.jverbs.bench.process.Runs;
import io.jverbs.bench.process.Sockets;
import io.jverbs.bench.process.WorkloadType;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.Blocking;
import io.jverbs.bench.suite.Needs;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * The base class of benchmarks of two processes with channels over streams, compared with the channels of the JDK over
 * TCP, all over the loopback interface. The methods state the ping-pong; a class has its own workload over the same.
 */
public abstract class StreamBenchmark extends ProcessBenchmark {
    /** For subclasses. */
    protected StreamBenchmark() {
        // no other state
    }

    /** {@return the workload over streams} */
    abstract StreamWorkload workload();

    @Override
    protected WorkloadType type(WorkloadType ofMethod) {
        return ofMethod == StreamWorkload.PING_PONG_TCP ? workload().overTcp() : workload();
    }

    /**
     * Streams over the sockets of Java.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Blocking
    @Needs(Sockets.Nio.class)
    @Against("tcp")
    @Runs(of = StreamWorkload.class, value = "PING_PONG", udp = "nio")
    public void streamNio() throws IOException {
        once();
    }

    /**
     * Streams over the sockets of the C library.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Blocking
    @Needs(Sockets.DeviceOnLinux.class)
    @Against("tcp")
    @Against("streamNio")
    @Runs(of = StreamWorkload.class, value = "PING_PONG", udp = "linux")
    public void streamLinux() throws IOException {
        once();
    }

    /**
     * The channels of the JDK.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Baseline
    @Runs(of = StreamWorkload.class, value = "PING_PONG_TCP")
    public void tcp() throws IOException {
        once();
    }
}
