package io.jverbs.bench.streams;

import io.jverbs.bench.process.MinimumAllocation;
import io.jverbs.bench.process.Runs;
import io.jverbs.bench.process.WarmUp;
import io.jverbs.bench.process.Workload;
import io.jverbs.bench.process.WorkloadType;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.Benchmarks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
 * The base class of benchmarks of two threads of one JVM, with their JMH settings. Each method states its workload by
 * {@link Runs}. Background compilation is disabled, as in benchmarks of two processes.
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

    /**
     * Connects both sides, and warms up.
     *
     * @param benchmark the benchmark
     * @throws IOException if a socket fails
     */
    @Setup
    public void open(BenchmarkParams benchmark) throws IOException {
        Method method = Benchmarks.method(benchmark.getBenchmark());
        Runs runs = method.getAnnotation(Runs.class);
        StreamWorkload type = (StreamWorkload) WorkloadType.of(runs.of(), runs.value());
        isChecked = !type.blocks() && !method.isAnnotationPresent(Baseline.class);
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
     * Performs one operation.
     *
     * @throws IOException if a socket fails
     */
    protected void once() throws IOException {
        measuring.once();
        allocation.operation();
    }
}
