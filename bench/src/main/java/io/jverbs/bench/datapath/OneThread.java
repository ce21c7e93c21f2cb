package io.jverbs.bench.datapath;

import io.jverbs.MemoryRegion;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.CallBenchmark;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The base class of benchmarks of one thread that posts to a queue pair and polls. The baseline transfers as many bytes
 * with {@link HandWrittenPath}.
 */
@State(Scope.Thread)
public abstract class OneThread extends CallBenchmark {
    /** The verbs objects. */
    protected Loopback loop;
    /** The destination of polls of one completion. */
    protected WorkCompletions completion;

    private HandWrittenPath byHand;
    private SendWorkRequest byHandWrite;

    /** For subclasses. */
    protected OneThread() {
        // initialized by open
    }

    /** {@return the number of bytes that each operation transfers} */
    protected abstract int bytes();

    /** Creates the requests. */
    protected abstract void prepare();

    /** Creates the objects. */
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

    /** Closes the objects. */
    @TearDown
    public void close() {
        loop.close();
    }

    /**
     * post_send and poll_cq of a WRITE by hand.
     *
     * @return the number of completions
     */
    @Benchmark
    @Baseline
    public int handWritten() {
        byHand.post(byHandWrite.memory());
        return byHand.poll(completion.memory());
    }
}
