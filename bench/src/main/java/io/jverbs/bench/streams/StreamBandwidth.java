package io.jverbs.bench.streams;

import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;

/**
 * Bytes from one process to another over a stream, by channels in blocking mode. The score is the time of a write while
 * the other side reads.
 */
@BenchmarkMode(Mode.AverageTime)
@Quick(value = "bytes=1048576", without = {"streamNio", "streamLinux", "tcp"})
public class StreamBandwidth extends StreamBenchmark {
    /** The number of bytes of a write. */
    @Param({"4096", "65536", "1048576"})
    @Allowed(max = Allowed.LARGEST_MESSAGE)
    public int bytes;

    /** For JMH. */
    public StreamBandwidth() {
        // opened by open
    }

    @Override
    protected int size() {
        return bytes;
    }

    @Override
    StreamWorkload workload() {
        return StreamWorkload.ONE_WAY;
    }
}
