package io.jverbs.bench.process;

import java.io.IOException;
import java.util.List;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The JMH state of a workload with another process, which runs as long as the benchmark. */
@State(Scope.Benchmark)
public abstract class WorkloadState {
    private static final String UDP = "jverbs.soft.udp";

    private final WorkloadType type;
    private final String udp;
    private final MinimumAllocation allocation = new MinimumAllocation();
    private Peer peer;
    private Workload workload;
    /** Null if it is not measured. */
    private ProcessorTime processorTime;

    /**
     * For subclasses.
     *
     * @param type the type of the workload
     * @param udp the sockets of the software device, a value of jverbs.soft.udp; null if no device is used
     */
    protected WorkloadState(WorkloadType type, String udp) {
        this.type = type;
        this.udp = udp;
    }

    /** {@return the type of the workload} A subclass overrides this if a parameter of the benchmark selects it. */
    protected WorkloadType type() {
        return type;
    }

    /** {@return the length of a message in bytes, or the size that the type states} */
    protected abstract int size();

    /**
     * Called before the other process is started. A subclass overrides this to prepare this process and the other one.
     *
     * @throws IOException if that fails
     */
    protected void prepare() throws IOException {
        // nothing
    }

    /**
     * Starts the other process, connects to it, and warms up.
     *
     * @throws IOException if that fails
     */
    @Setup
    public void open() throws IOException {
        prepare();
        if (udp != null) {
            System.setProperty(UDP, udp);
        }
        peer = Peer.start(type(), size(), udp == null ? List.of() : List.of("-D" + UDP + "=" + udp));
        workload = type().open(peer.sides(), peer.control(), size());
        peer.control().synchronize();
        WarmUp.of(workload);
        processorTime = type().blocks() ? new ProcessorTime(peer) : null;
    }

    /**
     * Starts the operations in flight.
     *
     * @throws IOException if the socket fails
     */
    @Setup(Level.Iteration)
    public void fill() throws IOException {
        workload.fill();
        if (processorTime != null) {
            processorTime.begin();
        }
    }

    /**
     * Completes the operations in flight.
     *
     * @throws IOException if the socket fails
     */
    @TearDown(Level.Iteration)
    public void drain() throws IOException {
        workload.drain();
        if (processorTime != null) {
            processorTime.end();
        }
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
        if (udp != null && !type().blocks()) {
            allocation.check();
        }
    }

    /**
     * Performs one operation.
     *
     * @throws IOException if a socket fails
     */
    public void once() throws IOException {
        workload.once();
        allocation.operation();
    }
}
