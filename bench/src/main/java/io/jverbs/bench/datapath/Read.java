package io.jverbs.bench.datapath;

import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/** RDMA READ: post_send, then poll_cq until the completion. */
@Quick(value = "bytes=8", without = "copy")
public class Read extends CopyComparison {
    /** The number of bytes to read. */
    @Param({"8", "64", "4096", "1048576"})
    @Allowed(max = Allowed.LARGEST_MESSAGE)
    public int bytes;

    private SendWorkRequest read;

    /** For JMH. */
    public Read() {
        // initialized by open
    }

    @Override
    protected int bytes() {
        return bytes;
    }

    @Override
    protected void prepare() {
        read = loop.request(WrOpcode.RDMA_READ);
    }

    /** {@return 1, the number of completions} */
    @Benchmark
    @Against("handWritten")
    @Against("copy")
    public int prepared() {
        loop.qp().postSend(read);
        return Loopback.await(loop.cq(), completion);
    }
}
