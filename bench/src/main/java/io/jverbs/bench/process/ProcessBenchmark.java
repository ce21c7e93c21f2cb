package io.jverbs.bench.process;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The base class of benchmarks of two processes, with their JMH settings. Each method states its workload by
 * {@link Runs} and performs an operation of it. Background compilation is disabled: the two
 * polling processes leave no processor idle for it, so that they would measure interpreted code for longer.
 */
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 12, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 5, jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-XX:-BackgroundCompilation"})
public abstract class ProcessBenchmark extends WorkloadState {
    /** For subclasses. */
    protected ProcessBenchmark() {
        // no state
    }
}
