package io.jverbs.bench.datapath;

import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Quick;
import java.time.Duration;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * A WRITE whose completion raises an event, from req_notify to ack_cq_events, compared with a WRITE without an event.
 */
@Quick
public class Notify extends OneThread {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private CompletionChannel channel;
    private CompletionQueue cq;
    private QueuePair qp;
    private SendWorkRequest write;

    /** For JMH. */
    public Notify() {
        // initialized by open
    }

    @Override
    protected int bytes() {
        return Long.BYTES;
    }

    @Override
    protected void prepare() {
        channel = loop.context().createCompletionChannel();
        cq = loop.context().createCompletionQueue(Loopback.DEPTH, channel);
        QpInitAttributes init = QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(Loopback.DEPTH).maxRecvWr(1)
                .build();
        qp = loop.pd().createQueuePair(init);
        QueuePair peer = loop.pd().createQueuePair(init);
        qp.connect(peer.localInfo());
        peer.connect(qp.localInfo());
        write = loop.request(WrOpcode.RDMA_WRITE);
    }

    /**
     * Arms the completion queue, posts, waits for the event, acknowledges it and polls.
     *
     * @return 1, the number of completions
     * @throws InterruptedException never
     */
    @Benchmark
    @Against("withoutEvent")
    public int armedToEvent() throws InterruptedException {
        cq.requestNotification(false);
        qp.postSend(write);
        CompletionQueue fired = channel.awaitEvent(TIMEOUT);
        fired.acknowledgeEvents(1);
        return Loopback.await(cq, completion);
    }

    /** {@return 1, the number of completions} */
    @Benchmark
    @Against("handWritten")
    public int withoutEvent() {
        qp.postSend(write);
        return Loopback.await(cq, completion);
    }
}
