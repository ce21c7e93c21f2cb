package io.jverbs.bench.datapath;

import io.jverbs.SendWorkRequest;
import io.jverbs.bench.suite.Against;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;

/** Requests that complete at the side that posts, as programs make them cheaper, and as they make them dearer. */
public abstract class OneSidedVariants extends OneThread {
    private Variants variants;
    private SendWorkRequest request;
    private long posted;

    /** For subclasses. */
    protected OneSidedVariants() {
        // open makes it all
    }

    /**
     * Writes all of a signaled request, but for its number.
     *
     * @param into where to
     * @return the same
     */
    protected abstract SendWorkRequest write(SendWorkRequest into);

    @Override
    protected void prepare() {
        variants = new Variants(loop, () -> write(SendWorkRequest.create(1)));
        request = SendWorkRequest.create(1);
    }

    /** {@return 1, with the request written anew} */
    @Benchmark
    @Against("handWritten")
    public int fresh() {
        loop.qp().postSend(write(request).wrId(posted++));
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
}
