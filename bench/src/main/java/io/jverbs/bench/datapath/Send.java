package io.jverbs.bench.datapath;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;

/** SEND and RECV: post_recv on one side, post_send on the other, poll_cq on both. */
@Fork(5)
@Quick(value = "bytes=64", without = "copy")
public class Send extends CopyComparison {
    /** The number of bytes to send. */
    @Param({"8", "64", "4096", "1048576"})
    @Allowed(max = Allowed.LARGEST_MESSAGE)
    public int bytes;

    private SendWorkRequest send;
    private ReceiveWorkRequest receive;

    /** For JMH. */
    public Send() {
        // initialized by open
    }

    @Override
    protected int bytes() {
        return bytes;
    }

    @Override
    protected void prepare() {
        send = loop.request(WrOpcode.SEND);
        receive = loop.receive();
    }

    /** {@return 2, the number of completions of both sides} */
    @Benchmark
    @Against("handWritten")
    @Against("copy")
    public int prepared() {
        loop.peer().postReceive(receive);
        loop.qp().postSend(send);
        return Loopback.await(loop.cq(), completion) + Loopback.await(loop.peerCq(), completion);
    }
}
