package io.jverbs.bench.datapath;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/** SEND and RECV: rarely signaled, in lists, and with requests that are rewritten for each post. */
@Quick("bytes=64")
public class SendVariants extends OneThread {
    /** The number of bytes to send. */
    @Param({"8", "64", "4096", "1048576"})
    @Allowed(max = Allowed.LARGEST_MESSAGE)
    public int bytes;

    private Variants variants;
    private SendWorkRequest send;
    private ReceiveWorkRequest receive;
    private ReceiveWorkRequest receives;
    private long posted;

    /** For JMH. */
    public SendVariants() {
        // initialized by open
    }

    @Override
    protected int bytes() {
        return bytes;
    }

    @Override
    protected void prepare() {
        variants = new Variants(loop, () -> loop.request(WrOpcode.SEND));
        send = loop.request(WrOpcode.SEND);
        receive = loop.receive();
        for (int i = 0; i < Variants.MANY; i++) {
            receives = loop.receive().next(receives);
        }
    }

    /** {@return 2, the number of completions of requests that are rewritten for each post} */
    @Benchmark
    @Against("handWritten")
    public int fresh() {
        loop.peer().postReceive(receive.wrId(posted).sge(loop.target(), 0, bytes));
        loop.qp().postSend(send.wrId(posted++).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).sge(loop.source(), 0,
                bytes));
        return Loopback.await(loop.cq(), completion) + Loopback.await(loop.peerCq(), completion);
    }

    /** {@return the number of completions, of each receive and of one SEND in 16} */
    @Benchmark
    @Against("handWritten")
    public int oneIn16Signaled() {
        loop.peer().postReceive(receive);
        boolean last = variants.postNext();
        return Loopback.await(loop.peerCq(), completion) + (last ? Loopback.await(loop.cq(), completion) : 0);
    }

    /** {@return 32, the number of completions of two lists, each posted by one call} */
    @Benchmark
    @OperationsPerInvocation(Variants.MANY)
    @Against("handWritten")
    public int listOf16() {
        loop.peer().postReceive(receives);
        loop.qp().postSend(variants.list());
        return Loopback.await(loop.cq(), variants.completions(), Variants.MANY)
                + Loopback.await(loop.peerCq(), variants.completions(), Variants.MANY);
    }
}
