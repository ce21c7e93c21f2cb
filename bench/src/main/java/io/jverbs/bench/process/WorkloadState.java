package io.jverbs.bench.process;

import io.jverbs.bench.suite.Benchmarks;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/** The JMH state of a workload with another process, which runs as long as the benchmark. */
@State(Scope.Benchmark)
public abstract class WorkloadState {
    private static final String UDP = "jverbs.soft.udp";
    private static final Closeable NOTHING = () -> {};

    private final MinimumAllocation allocation = new MinimumAllocation();
    /** Closed last in, first out. */
    private final Deque<Closeable> opened = new ArrayDeque<>();
    private Runs runs;
    private WorkloadType type;
    private Workload workload;
    /** Null if it is not measured. */
    private ProcessorTime processorTime;

    /** For subclasses. */
    protected WorkloadState() {
        // opened by open
    }

    /** {@return the length of a message in bytes, or the size that the type states} */
    protected abstract int size();

    /**
     * {@return the type of the workload} A subclass overrides this if not only the method of the benchmark selects it.
     *
     * @param ofMethod the type that the method of the benchmark states
     */
    protected WorkloadType type(WorkloadType ofMethod) {
        return ofMethod;
    }

    /**
     * {@return the program and arguments before the command of the other process, to start it in another way} A
     * subclass overrides this, for instance to start it by taskset(1).
     */
    protected List<String> launcher() {
        return List.of();
    }

    /**
     * Called before the other process is started. A subclass overrides this to restrict this process, and so the other
     * one, which inherits it.
     *
     * @return ends the restriction of this process, after the other process has ended
     * @throws IOException if that fails
     */
    protected Closeable restrict() throws IOException {
        return NOTHING;
    }

    /**
     * Called after the warm-up. A subclass overrides this to start other load, or to take processor time away.
     *
     * @return ends it, before the other process is stopped
     * @throws IOException if that fails
     */
    protected Closeable load() throws IOException {
        return NOTHING;
    }

    /**
     * Starts the other process, connects to it, and warms up.
     *
     * @param benchmark the benchmark
     * @throws IOException if that fails
     */
    @Setup
    public void open(BenchmarkParams benchmark) throws IOException {
        runs = Benchmarks.method(benchmark.getBenchmark()).getAnnotation(Runs.class);
        type = type(WorkloadType.of(runs.of(), runs.value()));
        if (usesDevice()) {
            System.setProperty(UDP, runs.udp());
        }
        boolean isOpen = false;
        try {
            opened.push(restrict());
            start();
            opened.push(load());
            isOpen = true;
        } finally {
            if (!isOpen) {
                closeAll();
            }
        }
    }

    private boolean usesDevice() {
        return !runs.udp().isEmpty();
    }

    private void start() throws IOException {
        List<String> properties = usesDevice() ? List.of("-D" + UDP + "=" + runs.udp()) : List.of();
        // after the other process, which would otherwise fail
        opened.push(this::closeWorkload);
        Peer peer = Peer.start(launcher(), type, size(), properties);
        opened.push(peer);
        workload = type.open(peer.sides(), peer.control(), size());
        peer.control().synchronize();
        WarmUp.of(workload);
        processorTime = type.blocks() ? new ProcessorTime(peer) : null;
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
        closeAll();
        if (usesDevice() && !type.blocks()) {
            allocation.check();
        }
    }

    private void closeAll() throws IOException {
        if (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } finally {
                closeAll();
            }
        }
    }

    private void closeWorkload() throws IOException {
        if (workload != null) {
            workload.close();
        }
    }

    /**
     * Performs one operation.
     *
     * @throws IOException if a socket fails
     */
    protected void once() throws IOException {
        workload.once();
        allocation.operation();
    }
}
