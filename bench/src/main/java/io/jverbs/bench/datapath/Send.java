package io.jverbs.bench.datapath;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;

/** SEND and RECV: post_recv at one side, post_send at the other, poll_cq at both. */
@Fork(5)
@Quick(value = "bytes=64", without = "copy")
public class Send extends BesideCopy {
    /** Bytes sent. */
    @Param({"8", "64", "4096", "1048576"})
    public int bytes;

    private SendWorkRequest send;
    private ReceiveWorkRequest receive;

    /** For JMH. */
    public Send() {
        // open makes it all
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

    /** {@return 2} */
    @Benchmark
    @Against("handWritten")
    @Against("copy")
    public int prepared() {
        loop.peer().postReceive(receive);
        loop.qp().postSend(send);
        return Loopback.await(loop.cq(), completion) + Loopback.await(loop.peerCq(), completion);
    }
}
