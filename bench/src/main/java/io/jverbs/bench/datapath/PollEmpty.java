package io.jverbs.bench.datapath;

import io.jverbs.WorkCompletions;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.Calls;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** poll_cq of a completion queue that has nothing. */
@State(Scope.Thread)
@Quick
public class PollEmpty extends Calls {
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
