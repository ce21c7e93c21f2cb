package io.jverbs.bench.datapath;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** Prepared requests with inline data, which the post copies. */
@Quick("inlineBytes=64")
public class Inline extends OneThread {
    /**
     * The length of the data in bytes, at most {@link Loopback#INLINE}. The name differs from that of other benchmarks,
     * as their messages are longer.
     */
    @Param({"8", "64"})
    @Allowed(max = Loopback.INLINE)
    public int inlineBytes;

    private SendWorkRequest write;
    private SendWorkRequest send;
    private ReceiveWorkRequest receive;

    /** For JMH. */
    public Inline() {
        // initialized by open
    }

    @Override
    protected int bytes() {
        return inlineBytes;
    }

    @Override
    protected void prepare() {
        write = loop.request(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED | SendFlags.INLINE);
        send = loop.request(WrOpcode.SEND).flags(SendFlags.SIGNALED | SendFlags.INLINE);
        receive = loop.receive();
    }

    /** {@return 1, the number of completions of a WRITE} */
    @Benchmark
    @Against("handWritten")
    public int write() {
        loop.qp().postSend(write);
        return Loopback.await(loop.cq(), completion);
    }

    /** {@return 2, the number of completions of a SEND and its receive} */
    @Benchmark
    @Against("handWritten")
    public int send() {
        loop.peer().postReceive(receive);
        loop.qp().postSend(send);
        return Loopback.await(loop.cq(), completion) + Loopback.await(loop.peerCq(), completion);
    }
}
