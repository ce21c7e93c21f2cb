package io.jverbs.bench.datapath;

import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;

/** RDMA WRITE with a prepared request: post_send, then poll_cq until the completion. */
@Fork(5)
@Quick("bytes=8,1048576")
public class Write extends CopyComparison {
    /** The number of bytes to write. */
    @Param({"8", "64", "4096", "1048576"})
    @Allowed(max = Allowed.LARGEST_MESSAGE)
    public int bytes;

    private SendWorkRequest write;

    /** For JMH. */
    public Write() {
        // initialized by open
    }

    @Override
    protected int bytes() {
        return bytes;
    }

    @Override
    protected void prepare() {
        write = loop.request(WrOpcode.RDMA_WRITE);
    }

    /** {@return 1, the number of completions} */
    @Benchmark
    @Against("handWritten")
    @Against("copy")
    public int prepared() {
        loop.qp().postSend(write);
        return Loopback.await(loop.cq(), completion);
    }
}
