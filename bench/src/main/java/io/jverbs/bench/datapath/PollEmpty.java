package io.jverbs.bench.datapath;

import io.jverbs.WorkCompletions;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.CallBenchmark;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** poll_cq of an empty completion queue. */
@State(Scope.Thread)
@Quick
public class PollEmpty extends CallBenchmark {
    private Loopback loop;
    private HandWrittenPath byHand;
    private WorkCompletions completion;

    /** For JMH. */
    public PollEmpty() {
        // initialized by open
    }

    /** Opens the device. */
    @Setup
    public void open() {
        loop = new Loopback(Long.BYTES);
        byHand = new HandWrittenPath(HandWrittenPath.FEW_REGIONS);
        completion = WorkCompletions.create(1);
    }

    /** Closes the device. */
    @TearDown
    public void close() {
        loop.close();
    }

    /** {@return 0, the number of completions} */
    @Benchmark
    @Against("handWritten")
    public int poll() {
        return loop.cq().poll(completion);
    }

    /** {@return 0, the number of completions} */
    @Benchmark
    @Baseline
    public int handWritten() {
        return byHand.poll(completion.memory());
    }
}
