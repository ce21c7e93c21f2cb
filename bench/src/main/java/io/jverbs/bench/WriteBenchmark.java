package io.jverbs.bench;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** RC RDMA WRITE of a prepared request, posted and polled by one thread, beside what the same copy costs without verbs. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class WriteBenchmark {
    private static final int ACCESS = Access.LOCAL_WRITE | Access.REMOTE_WRITE;

    /** Bytes written. */
    @Param({"8", "64", "4096", "1048576"})
    public int bytes;

    private RdmaContext context;
    private CompletionQueue cq;
    private QueuePair qp;
    private MemoryRegion source;
    private MemoryRegion target;
    private SendWorkRequest write;
    private SendWorkRequest baselineWrite;
    private WorkCompletions completions;
    private HandWrittenPath baseline;

    /** For JMH. */
    public WriteBenchmark() {
        // fields are set up by connect
    }

    /** Connects two queue pairs of one device. */
    @Setup
    public void connect() {
        context = Verbs.open();
        ProtectionDomain pd = context.allocatePd();
        cq = context.createCompletionQueue(64);
        QpInitAttributes init = QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(64).maxRecvWr(64).build();
        qp = pd.createQueuePair(init);
        QueuePair peer = pd.createQueuePair(init);
        qp.connect(peer.localInfo());
        peer.connect(qp.localInfo());
        source = pd.allocate(bytes, ACCESS);
        target = pd.allocate(bytes, ACCESS);
        write = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED).wrId(1)
                .sge(source, 0, bytes)
                .remote(target.address(), target.rkey());
        completions = WorkCompletions.create(1);
        baseline = new HandWrittenPath();
        int localKey = baseline.register(1, source.segment());
        int remoteKey = baseline.register(2, target.segment());
        baselineWrite = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED).wrId(1)
                .sge(0, source.address(), bytes, localKey).remote(target.address(), remoteKey);
    }

    /** Closes everything. */
    @TearDown
    public void close() {
        context.close();
    }

    /**
     * post_send, then poll_cq until the completion is there.
     *
     * @return the completion's status
     */
    @Benchmark
    public int postAndPoll() {
        qp.postSend(write);
        while (cq.poll(completions) == 0) {
            Thread.onSpinWait();
        }
        return completions.rawStatus(0);
    }

    /**
     * The same copy through hand-written rings.
     *
     * @return how many completions there were
     */
    @Benchmark
    public int handWritten() {
        baseline.post(baselineWrite.memory());
        return baseline.poll(completions.memory());
    }

    /** The copy alone. */
    @Benchmark
    public void copy() {
        MemorySegment.copy(source.segment(), 0, target.segment(), 0, bytes);
    }
}
