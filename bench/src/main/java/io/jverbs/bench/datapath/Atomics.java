package io.jverbs.bench.datapath;

import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.bench.suite.Against;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Benchmark;

/** Atomic operations on eight bytes: post_send, then poll_cq until the completion. */
@Quick
public class Atomics extends OneThread {
    private SendWorkRequest fetchAndAdd;
    private SendWorkRequest compareAndSwap;

    /** For JMH. */
    public Atomics() {
        // initialized by open
    }

    @Override
    protected int bytes() {
        return Long.BYTES;
    }

    @Override
    protected void prepare() {
        long address = loop.target().address();
        int rkey = loop.target().rkey();
        fetchAndAdd = loop.request(WrOpcode.ATOMIC_FETCH_AND_ADD).fetchAndAdd(address, rkey, 1);
        compareAndSwap = loop.request(WrOpcode.ATOMIC_CMP_AND_SWP).compareAndSwap(address, rkey, 0, 0);
    }

    /** {@return 1, the number of completions} */
    @Benchmark
    @Against("handWritten")
    public int fetchAndAdd() {
        loop.qp().postSend(fetchAndAdd);
        return Loopback.await(loop.cq(), completion);
    }

    /** {@return 1, the number of completions of a swap that succeeds} */
    @Benchmark
    @Against("handWritten")
    public int compareAndSwap() {
        loop.qp().postSend(compareAndSwap);
        return Loopback.await(loop.cq(), completion);
    }
}
