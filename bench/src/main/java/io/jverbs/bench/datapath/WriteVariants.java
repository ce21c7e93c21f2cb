package io.jverbs.bench.datapath;

import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Param;

/** RDMA WRITE, signaled rarely, in lists, and written anew. */
@Quick("bytes=8")
public class WriteVariants extends OneSidedVariants {
    /** Bytes written. */
    @Param({"8", "64", "4096", "1048576"})
    public int bytes;

    /** For JMH. */
    public WriteVariants() {
        // open makes it all
    }

    @Override
    protected int bytes() {
        return bytes;
    }

    @Override
    protected SendWorkRequest write(SendWorkRequest into) {
        return loop.write(into, WrOpcode.RDMA_WRITE);
    }
}
