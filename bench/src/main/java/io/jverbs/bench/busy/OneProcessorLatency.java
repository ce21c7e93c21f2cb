package io.jverbs.bench.busy;

import io.jverbs.bench.process.Runs;
import io.jverbs.bench.process.Sockets;
import io.jverbs.bench.process.WorkloadType;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Needs;
import io.jverbs.bench.suite.Quick;
import io.jverbs.bench.wire.WireWorkload;
import java.io.Closeable;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * Round trips between two processes on one processor. Those that poll yield when they have received nothing, unless
 * their method says otherwise.
 */
@Needs(Processors.Assignable.class)
@Quick(value = "bytes=64", without = {"sendLinux", "spinNio", "spinLinux", "waitNio", "waitLinux", "endpointNio",
    "endpointLinux", "tcp", "tcpBlocking"}, warmUp = 400, baselines = 200)
public class OneProcessorLatency extends RoundTrips {

    /** For JMH. */
    public OneProcessorLatency() {
        // opened by open
    }

    @Override
    protected WorkloadType type(WorkloadType ofMethod) {
        return ofMethod instanceof WireWorkload polling && !polling.blocks() ? polling.yielding() : ofMethod;
    }

    @Override
    protected Closeable restrict() throws IOException {
        return Processors.assignThisProcess(Processors.allowed().getFirst());
    }

    /**
     * SEND and RECV over the sockets of Java by programs that call {@link Thread#onSpinWait} when they have received
     * nothing: only the device yields for them.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Needs(Sockets.Nio.class)
    @Against("datagrams")
    @Against("sendNio")
    @Runs(of = SpinningWorkload.class, value = "SEND", udp = "nio")
    public void spinNio() throws IOException {
        once();
    }

    /**
     * The same over the sockets of the C library.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Needs(Sockets.DeviceOnLinux.class)
    @Against("datagrams")
    @Against("sendLinux")
    @Runs(of = SpinningWorkload.class, value = "SEND", udp = "linux")
    public void spinLinux() throws IOException {
        once();
    }
}
