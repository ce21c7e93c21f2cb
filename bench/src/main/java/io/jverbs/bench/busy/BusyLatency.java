package io.jverbs.bench.busy;

import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.Needs;
import io.jverbs.bench.suite.Quick;
import java.io.Closeable;
import java.io.IOException;
import org.openjdk.jmh.annotations.Param;

/** Round trips while other processes compute on the processors of the two that exchange messages. */
@Needs(Processors.Assignable.class)
@Quick(value = {"bytes=64", "loops=1,2"}, without = {"sendLinux", "waitNio", "waitLinux", "endpointNio",
    "endpointLinux", "tcp", "tcpBlocking"}, warmUp = 400, baselines = 200)
public class BusyLatency extends RoundTrips {
    /** The number of busy loops, each on one processor, in turn. */
    @Param({"0", "1", "2", "4"})
    @Allowed(min = 0, max = 64)
    public int loops;

    /** For JMH. */
    public BusyLatency() {
        // opened by open
    }

    @Override
    protected Closeable load() throws IOException {
        return new BusyLoops(loops);
    }
}
