package io.jverbs.bench.streams;

import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Param;

/**
 * Messages of 64 bytes between two threads of one JVM over many streams that are selected by one selector on each side.
 * An operation is a round trip on each connection; the messages of all are in flight at the same time.
 */
@Quick(without = {"stream", "tcp"})
public class LocalStreamSelector extends LocalStreams {
    /** The number of connections. */
    @Param("100")
    @Allowed(max = 1000)
    public int connections;

    /** For JMH. */
    public LocalStreamSelector() {
        // opened by open
    }

    @Override
    protected int size() {
        return connections;
    }

    @Override
    StreamWorkload workload() {
        return StreamWorkload.SELECTED;
    }
}
