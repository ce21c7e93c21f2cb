package io.jverbs.bench.busy;

import io.jverbs.bench.process.WorkloadType;
import io.jverbs.bench.suite.Needs;
import io.jverbs.bench.suite.Quick;
import io.jverbs.bench.wire.WireWorkload;
import java.io.Closeable;
import java.io.IOException;

/** Round trips between two processes on one processor. Those that poll yield when they have received nothing. */
@Needs(Processors.Assignable.class)
@Quick(value = "bytes=64", without = {"sendLinux", "tcp", "tcpBlocking"}, warmUp = 400, baselines = 200)
public class OneProcessorLatency extends RoundTrips {

    /** For JMH. */
    public OneProcessorLatency() {
        // opened by open
    }

    @Override
    protected WorkloadType type(WorkloadType ofMethod) {
        return ofMethod instanceof WireWorkload polling ? polling.yielding() : ofMethod;
    }

    @Override
    protected Closeable restrict() throws IOException {
        return Processors.assignThisProcess(Processors.allowed().getFirst());
    }
}
