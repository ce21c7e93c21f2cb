package io.jverbs.bench.busy;

import io.jverbs.bench.suite.Needs;
import io.jverbs.bench.suite.Quick;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * Round trips between two processes of which each is assigned to a processor of its own: the first two that this
 * process may use.
 */
@Needs(Processors.TwoAssignable.class)
@Quick(value = "bytes=64", without = {"sendNio", "sendLinux", "waitNio", "waitLinux", "endpointNio", "endpointLinux",
    "datagrams", "tcp", "tcpBlocking"})
public class PinnedLatency extends RoundTrips {
    private int ofOther;

    /** For JMH. */
    public PinnedLatency() {
        // opened by open
    }

    @Override
    protected Closeable restrict() throws IOException {
        List<Integer> processors = Processors.allowed();
        ofOther = processors.get(1);
        return Processors.assignThisProcess(processors.getFirst());
    }

    @Override
    protected List<String> launcher() {
        return Processors.launcher(ofOther);
    }
}
