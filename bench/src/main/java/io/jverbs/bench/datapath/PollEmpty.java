package io.jverbs.bench.datapath;

import io.jverbs.WorkCompletions;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.Quick;
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

/** poll_cq of a completion queue that has nothing. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(3)
@Quick
public class PollEmpty {
    private Loopback loop;
    private HandWrittenPath byHand;
    private WorkCompletions completion;

    /** For JMH. */
    public PollEmpty() {
        // open makes it all
    }

    /** Opens the device. */
    @Setup
    public void open() {
        loop = new Loopback(Long.BYTES);
        byHand = new HandWrittenPath(HandWrittenPath.FEW_REGIONS);
        completion = WorkCompletions.create(1);
    }

    /** Closes it. */
    @TearDown
    public void close() {
        loop.close();
    }

    /** {@return 0} */
    @Benchmark
    @Against("handWritten")
    public int poll() {
        return loop.cq().poll(completion);
    }

    /** {@return 0} */
    @Benchmark
    @Baseline
    public int handWritten() {
        return byHand.poll(completion.memory());
    }
}
