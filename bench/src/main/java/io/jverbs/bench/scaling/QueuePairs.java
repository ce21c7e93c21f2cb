package io.jverbs.bench.scaling;

import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.bench.datapath.HandWrittenPath;
import io.jverbs.bench.datapath.HandWrittenQueuePairs;
import io.jverbs.bench.datapath.Loopback;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.CallBenchmark;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * RDMA WRITE of eight bytes on many queue pairs in turn, each with a peer of its own, compared with one queue pair, and
 * with a hand-written loop over as many structures.
 */
@State(Scope.Thread)
@Quick("queuePairs=1,1000")
public class QueuePairs extends CallBenchmark {
    private static final int DEPTH = 16;

    /** The number of queue pairs. */
    @Param({"1", "10", "100", "1000"})
    @Allowed(max = 30_000)
    public int queuePairs;

    private Loopback loop;
    private QueuePair[] senders;
    private HandWrittenPath byHand;
    private HandWrittenQueuePairs byHandSenders;
    private SendWorkRequest write;
    private SendWorkRequest byHandWrite;
    private WorkCompletions completion;
    private int next;

    /** For JMH. */
    public QueuePairs() {
        // initialized by open
    }

    /** Connects the queue pairs. */
    @Setup
    public void open() {
        loop = new Loopback(Long.BYTES);
        QpInitAttributes init = QpInitAttributes.builder(QpType.RC).cq(loop.cq()).maxSendWr(DEPTH).maxRecvWr(DEPTH)
                .build();
        senders = new QueuePair[queuePairs];
        for (int i = 0; i < queuePairs; i++) {
            senders[i] = loop.pd().createQueuePair(init);
            QueuePair peer = loop.pd().createQueuePair(init);
            senders[i].connect(peer.localInfo());
            peer.connect(senders[i].localInfo());
        }
        byHand = new HandWrittenPath(HandWrittenPath.FEW_REGIONS);
        byHandSenders = new HandWrittenQueuePairs(byHand, queuePairs, DEPTH);
        int localKey = byHand.register(1, loop.source().segment());
        int remoteKey = byHand.register(2, loop.target().segment());
        write = loop.request(WrOpcode.RDMA_WRITE);
        byHandWrite = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED)
                .sge(0, loop.source().address(), Long.BYTES, localKey).remote(loop.target().address(), remoteKey);
        completion = WorkCompletions.create(1);
    }

    /** Closes the queue pairs. */
    @TearDown
    public void close() {
        loop.close();
    }

    private int advance() {
        int present = next;
        next = present + 1 == queuePairs ? 0 : present + 1;
        return present;
    }

    /** {@return 1, the number of completions} */
    @Benchmark
    @Against(value = "inTurn", with = "queuePairs=1")
    @Against("handWritten")
    public int inTurn() {
        senders[advance()].postSend(write);
        return Loopback.await(loop.cq(), completion);
    }

    /** {@return 1, the number of completions} */
    @Benchmark
    @Baseline
    @Against(value = "handWritten", with = "queuePairs=1")
    public int handWritten() {
        byHandSenders.post(advance(), byHandWrite.memory());
        return byHand.poll(completion.memory());
    }
}
