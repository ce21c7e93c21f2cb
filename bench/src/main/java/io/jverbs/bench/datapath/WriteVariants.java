package io.jverbs.bench.datapath;

import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Param;

/** RDMA WRITE: rarely signaled, in lists, and with requests that are rewritten for each post. */
@Quick("bytes=8")
public class WriteVariants extends OneSidedVariants {
    /** The number of bytes to write. */
    @Param({"8", "64", "4096", "1048576"})
    @Allowed(max = Allowed.LARGEST_MESSAGE)
    public int bytes;

    /** For JMH. */
    public WriteVariants() {
        // initialized by open
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
