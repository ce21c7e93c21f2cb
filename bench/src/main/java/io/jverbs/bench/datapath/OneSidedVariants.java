package io.jverbs.bench.datapath;

import io.jverbs.SendWorkRequest;
import io.jverbs.bench.suite.Against;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;

/** Variants of one-sided requests that make them cheaper or more expensive. */
public abstract class OneSidedVariants extends OneThread {
    private Variants variants;
    private SendWorkRequest request;
    private long posted;

    /** For subclasses. */
    protected OneSidedVariants() {
        // initialized by open
    }

    /**
     * Sets all fields of a signaled request except for its ID.
     *
     * @param into the request
     * @return the request
     */
    protected abstract SendWorkRequest write(SendWorkRequest into);

    @Override
    protected void prepare() {
        variants = new Variants(loop, () -> write(SendWorkRequest.create(1)));
        request = SendWorkRequest.create(1);
    }

    /** {@return 1, the number of completions of a request that is rewritten for each post} */
    @Benchmark
    @Against("handWritten")
    public int fresh() {
        loop.qp().postSend(write(request).wrId(posted++));
        return Loopback.await(loop.cq(), completion);
    }

    /** {@return the number of completions; one request in 16 is signaled} */
    @Benchmark
    @Against("handWritten")
    public int oneIn16Signaled() {
        boolean last = variants.postNext();
        return last ? Loopback.await(loop.cq(), completion) : 0;
    }

    /** {@return 16, the number of completions of a list that one call posts} */
    @Benchmark
    @OperationsPerInvocation(Variants.MANY)
    @Against("handWritten")
    public int listOf16() {
        loop.qp().postSend(variants.list());
        return Loopback.await(loop.cq(), variants.completions(), Variants.MANY);
    }
}
