package io.jverbs.bench.datapath;

import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Param;

/** RDMA READ, signaled rarely, in lists, and written anew. */
@Quick("bytes=8")
public class ReadVariants extends OneSidedVariants {
    /** Bytes read. */
    @Param({"8", "64", "4096", "1048576"})
    public int bytes;

    /** For JMH. */
    public ReadVariants() {
        // open makes it all
    }

    @Override
    protected int bytes() {
        return bytes;
    }

    @Override
    protected SendWorkRequest write(SendWorkRequest into) {
        return loop.write(into, WrOpcode.RDMA_READ);
    }
}
