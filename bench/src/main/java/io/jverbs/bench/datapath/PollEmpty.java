package io.jverbs.bench.datapath;

import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Benchmark;

/** poll_cq of a completion queue that has nothing. */
@Quick
public class PollEmpty extends OneThread {
    private HandWrittenPath idle;

    /** For JMH. */
    public PollEmpty() {
        // open makes it all
    }

    @Override
    protected int bytes() {
        return Long.BYTES;
    }

    @Override
    protected void prepare() {
        idle = new HandWrittenPath(HandWrittenPath.FEW_REGIONS);
    }

    /** {@return 0} */
    @Benchmark
    @Against("handWrittenPoll")
    public int poll() {
        return loop.cq().poll(completion);
    }

    /** {@return 0} */
    @Benchmark
    @Baseline
    public int handWrittenPoll() {
        return idle.poll(completion.memory());
    }
}
