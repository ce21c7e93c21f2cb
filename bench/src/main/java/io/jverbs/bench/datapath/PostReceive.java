package io.jverbs.bench.datapath;

import io.jverbs.CompletionQueue;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Baseline;
import io.jverbs.bench.suite.CallBenchmark;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** post_recv until the queue is full. Empty SENDs consume the receives between the measurements. */
@State(Scope.Thread)
@Quick
public class PostReceive extends CallBenchmark {
    private static final int DEPTH = 4096;
    private static final int LIST = 16;

    private Loopback loop;
    private CompletionQueue cq;
    private CompletionQueue peerCq;
    private QueuePair qp;
    private QueuePair peer;
    private WorkCompletions completions;
    private SendWorkRequest signaled;
    private ReceiveWorkRequest receive;
    private ReceiveWorkRequest list;
    private HandWrittenReceives byHand;
    private int posted;

    /** For JMH. */
    public PostReceive() {
        // initialized by open
    }

    /** Creates a queue pair with a deep receive queue and one that sends to it. */
    @Setup
    public void open() {
        loop = new Loopback(Long.BYTES);
        cq = loop.context().createCompletionQueue(DEPTH);
        peerCq = loop.context().createCompletionQueue(1);
        qp = loop.pd().createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(1).maxRecvWr(DEPTH)
                .build());
        peer = loop.pd().createQueuePair(QpInitAttributes.builder(QpType.RC).cq(peerCq).maxSendWr(1).maxRecvWr(1)
                .build());
        qp.connect(peer.localInfo());
        peer.connect(qp.localInfo());
        completions = WorkCompletions.create(1);
        signaled = SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).sgeCount(0);
        receive = loop.receive();
        for (int i = 0; i < LIST; i++) {
            list = loop.receive().next(list);
        }
        byHand = new HandWrittenReceives(DEPTH);
    }

    /** Consumes all posted receives. */
    @TearDown(Level.Invocation)
    public void consume() {
        for (; posted > 0; posted--) {
            peer.postSend(signaled);
            Loopback.await(peerCq, completions);
            Loopback.await(cq, completions);
        }
        byHand.clear();
    }

    /** Closes the objects. */
    @TearDown
    public void close() {
        loop.close();
    }

    /** Posts the receives one by one. */
    @Benchmark
    @OperationsPerInvocation(DEPTH)
    @Against("handWritten")
    public void oneByOne() {
        for (int i = 0; i < DEPTH; i++) {
            qp.postReceive(receive);
        }
        posted = DEPTH;
    }

    /** Posts the receives in lists of 16. */
    @Benchmark
    @OperationsPerInvocation(DEPTH)
    @Against("handWritten")
    public void listsOf16() {
        for (int i = 0; i < DEPTH / LIST; i++) {
            qp.postReceive(list);
        }
        posted = DEPTH;
    }

    /** Posts the receives one by one to a ring by hand. */
    @Benchmark
    @Baseline
    @OperationsPerInvocation(DEPTH)
    public void handWritten() {
        for (int i = 0; i < DEPTH; i++) {
            byHand.post(receive.memory());
        }
    }
}
