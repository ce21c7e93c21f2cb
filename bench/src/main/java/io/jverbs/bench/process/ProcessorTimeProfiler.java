package io.jverbs.bench.process;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * A profiler of JMH that reports the processor time per operation of both processes of a workload. It reports nothing
 * for other benchmarks. It is a profiler because auxiliary counters of JMH are added up over iterations or divided by
 * the time, and are not supported in sample mode.
 */
public final class ProcessorTimeProfiler implements InternalProfiler {
    /** The label of the result for the measuring process, in nanoseconds per operation. */
    public static final String OWN = "processor.time.own.norm";
    /** The label of the result for the other process, in nanoseconds per operation. */
    public static final String OTHER = "processor.time.other.norm";
    private static final String UNIT = "ns/op";

    /** The processor time of the latest iteration, written by the thread of the benchmark. */
    private static final AtomicReference<Times> LATEST = new AtomicReference<>();

    /** The processor time of both processes in nanoseconds. */
    private record Times(long own, long other) {}

    /** For JMH. */
    public ProcessorTimeProfiler() {
        // no state
    }

    /** Notes the processor time of both processes in an iteration that ends, in nanoseconds. */
    static void measured(long own, long other) {
        LATEST.set(new Times(own, other));
    }

    @Override
    public String getDescription() {
        return "the processor time of both processes of a workload";
    }

    @Override
    public void beforeIteration(BenchmarkParams params, IterationParams iteration) {
        LATEST.set(null);
    }

    @Override
    public Collection<ScalarResult> afterIteration(BenchmarkParams params, IterationParams iteration,
            IterationResult result) {
        Times times = LATEST.getAndSet(null);
        long operations = result.getMetadata().getAllOps();
        return times == null || operations == 0
                ? List.of()
                : List.of(scalar(OWN, times.own, operations), scalar(OTHER, times.other, operations));
    }

    private static ScalarResult scalar(String label, long nanos, long operations) {
        return new ScalarResult(label, (double) nanos / operations, UNIT, AggregationPolicy.AVG);
    }
}
