package io.jverbs.bench.streams;

import io.jverbs.bench.process.MinimumAllocation;
import io.jverbs.bench.process.WarmUp;
import io.jverbs.bench.process.Workload;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.Benchmarks;
import io.jverbs.bench.suite.Blocking;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * The base class of benchmarks of two threads of one JVM with channels over streams, compared with the channels of the
 * JDK over TCP, with their JMH settings. Background compilation is disabled, as in benchmarks of two processes.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 5, jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-XX:-BackgroundCompilation"})
public abstract class LocalStreams {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final MinimumAllocation allocation = new MinimumAllocation();
    private boolean isChecked;
    private Workload measuring;
    private Workload other;
    private Thread server;
    private volatile boolean stopped;

    /** For subclasses. */
    protected LocalStreams() {
        // opened by open
    }

    /** {@return the length of a message in bytes, or the number of connections} */
    protected abstract int size();

    /** {@return the workload over streams} */
    abstract StreamWorkload workload();

    /**
     * Connects both sides, and warms up.
     *
     * @param benchmark the benchmark
     * @throws IOException if a socket fails
     */
    @Setup
    public void open(BenchmarkParams benchmark) throws IOException {
        boolean isBaseline = Benchmarks.method(benchmark.getBenchmark()).isAnnotationPresent(Baseline.class);
        StreamWorkload type = isBaseline ? workload().overTcp() : workload();
        isChecked = !type.blocks() && !isBaseline;
        List<Workload> sides = type.openLocal(size());
        measuring = sides.getFirst();
        other = sides.getLast();
        server = Thread.ofPlatform().daemon().name("server").start(this::serve);
        WarmUp.of(measuring);
    }

    private void serve() {
        try {
            other.serve(() -> stopped);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Stops the other side, and closes both.
     *
     * @throws IOException if a socket fails
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if operations allocate that need not block
     */
    @TearDown
    public void close() throws IOException, InterruptedException {
        stopped = true;
        boolean hasEnded = server.join(TIMEOUT);
        other.close();
        measuring.close();
        if (!hasEnded) {
            throw new IllegalStateException("the server has not ended within " + TIMEOUT.toSeconds() + " s");
        }
        if (isChecked) {
            allocation.check();
        }
    }

    /**
     * Streams of the software device within the JVM.
     *
     * @throws IOException if a stream fails
     */
    @Benchmark
    @Blocking
    @Against("tcp")
    public void stream() throws IOException {
        once();
    }

    /**
     * The channels of the JDK over loopback.
     *
     * @throws IOException if a socket fails
     */
    @Benchmark
    @Baseline
    public void tcp() throws IOException {
        once();
    }

    private void once() throws IOException {
        measuring.once();
        allocation.operation();
    }
}
