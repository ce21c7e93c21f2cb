package io.jverbs.bench.streams;

import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Param;

/** Round trips between two threads of one JVM over a stream, by channels in blocking mode. */
@Quick(value = "bytes=64", warmUp = 400, baselines = 200)
public class LocalStreamLatency extends LocalStreams {
    /** The length of a message in bytes. */
    @Param({"64", "4096", "65536"})
    @Allowed(max = Allowed.LARGEST_MESSAGE)
    public int bytes;

    /** For JMH. */
    public LocalStreamLatency() {
        // opened by open
    }

    @Override
    protected int size() {
        return bytes;
    }

    @Override
    StreamWorkload workload() {
        return StreamWorkload.PING_PONG;
    }
}
