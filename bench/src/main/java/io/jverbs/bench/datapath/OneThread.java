package io.jverbs.bench.datapath;

import io.jverbs.MemoryRegion;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.Calls;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One thread that posts to a queue pair and polls; beside it, one that moves as many bytes by {@link HandWrittenPath}. */
@State(Scope.Thread)
public abstract class OneThread extends Calls {
    /** What the benchmark works on. */
    protected Loopback loop;
    /** For polls of one completion. */
    protected WorkCompletions completion;

    private HandWrittenPath byHand;
    private SendWorkRequest byHandWrite;

    /** For subclasses. */
    protected OneThread() {
        // open makes it all
    }

    /** {@return how many bytes each operation moves} */
    protected abstract int bytes();

    /** Makes requests. */
    protected abstract void prepare();

    /** Makes the objects. */
    @Setup
    public void open() {
        loop = new Loopback(bytes());
        completion = WorkCompletions.create(1);
        byHand = new HandWrittenPath(HandWrittenPath.FEW_REGIONS);
        int localKey = byHand.register(1, loop.source().segment());
        MemoryRegion target = loop.target();
        int remoteKey = byHand.register(2, target.segment());
        byHandWrite = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED).wrId(1)
                .sge(0, loop.source().address(), bytes(), localKey).remote(target.address(), remoteKey);
        prepare();
    }

    /** Closes them. */
    @TearDown
    public void close() {
        loop.close();
    }

    /**
     * post_send and poll_cq of a WRITE as they are at the least.
     *
     * @return how many completions there were
     */
    @Benchmark
    @Baseline
    public int handWritten() {
        byHand.post(byHandWrite.memory());
        return byHand.poll(completion.memory());
    }
}
