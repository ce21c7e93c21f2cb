package io.jverbs.bench.datapath;

import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/** RDMA WRITE as programs make it cheaper, and as they make it dearer. */
@Quick("bytes=8")
public class WriteVariants extends OneThread {
    /** Bytes written; at most 64 where they are inline. */
    @Param({"8", "64"})
    public int bytes;

    private Variants variants;
    private SendWorkRequest write;
    private long posted;

    /** For JMH. */
    public WriteVariants() {
        // open makes it all
    }

    @Override
    protected int bytes() {
        return bytes;
    }

    @Override
    protected void prepare() {
        variants = new Variants(loop, WrOpcode.RDMA_WRITE);
        write = loop.request(WrOpcode.RDMA_WRITE);
    }

    /** {@return 1, with the request written anew} */
    @Benchmark
    @Against("handWritten")
    public int fresh() {
        loop.qp().postSend(write.wrId(posted++).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED)
                .sge(loop.source(), 0, bytes).remote(loop.target().address(), loop.target().rkey()));
        return Loopback.await(loop.cq(), completion);
    }

    /** {@return completions, of one request in 16} */
    @Benchmark
    @Against("handWritten")
    public int oneIn16Signaled() {
        boolean last = variants.postNext();
        return last ? Loopback.await(loop.cq(), completion) : 0;
    }

    /** {@return 16, of requests posted by one call and polled by one} */
    @Benchmark
    @OperationsPerInvocation(Variants.MANY)
    @Against("handWritten")
    public int listOf16() {
        loop.qp().postSend(variants.list());
        return Loopback.await(loop.cq(), variants.completions(), Variants.MANY);
    }

    /** {@return 1, of a request whose bytes are copied by the post} */
    @Benchmark
    @Against("handWritten")
    public int inline() {
        loop.qp().postSend(variants.inline());
        return Loopback.await(loop.cq(), completion);
    }
}
