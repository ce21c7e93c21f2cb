package io.jverbs.bench.wire;

import java.io.IOException;
import java.util.List;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The JMH state of a workload with another process, which runs as long as the benchmark. */
@State(Scope.Benchmark)
public abstract class WireState {
    private static final String UDP = "jverbs.soft.udp";

    private final WorkloadKind kind;
    private final String udp;
    private final MinimumAllocation allocation = new MinimumAllocation();
    private Peer peer;
    private Workload workload;

    /**
     * For subclasses.
     *
     * @param kind the workload
     * @param udp the sockets of the software device, a value of jverbs.soft.udp; null if no device is used
     */
    WireState(WorkloadKind kind, String udp) {
        this.kind = kind;
        this.udp = udp;
    }

    /** {@return the length of a message} */
    abstract int bytes();

    /**
     * Starts the other process, connects to it, and warms up.
     *
     * @throws IOException if that fails
     */
    @Setup
    public void open() throws IOException {
        if (udp != null) {
            System.setProperty(UDP, udp);
        }
        peer = Peer.start(kind, bytes(), udp == null ? List.of() : List.of("-D" + UDP + "=" + udp));
        workload = kind.open(peer.sides(), peer.control(), bytes());
        peer.control().synchronize();
        WarmUp.of(workload);
    }

    /**
     * Starts the operations in flight.
     *
     * @throws IOException if the socket fails
     */
    @Setup(Level.Iteration)
    public void fill() throws IOException {
        workload.fill();
    }

    /**
     * Completes the operations in flight.
     *
     * @throws IOException if the socket fails
     */
    @TearDown(Level.Iteration)
    public void drain() throws IOException {
        workload.drain();
    }

    /**
     * Stops the other process.
     *
     * @throws IOException if the other process has exited before
     * @throws IllegalStateException if operations of the device allocate
     */
    @TearDown
    public void close() throws IOException {
        try {
            peer.close();
        } finally {
            workload.close();
        }
        if (udp != null) {
            allocation.check();
        }
    }

    void once() throws IOException {
        workload.once();
        allocation.operation();
    }
}
