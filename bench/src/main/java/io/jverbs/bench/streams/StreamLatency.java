package io.jverbs.bench.streams;

import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;

/**
 * Round trips between two processes over a stream, by channels in blocking mode. Streams have the default options: a
 * thread that reads polls for a short time before it blocks.
 */
@BenchmarkMode({Mode.SampleTime, Mode.AverageTime})
@Quick(value = "bytes=64", modes = Mode.SampleTime, without = {"streamNio", "streamLinux", "tcp"})
public class StreamLatency extends StreamBenchmark {
    /** The length of a message in bytes. */
    @Param({"64", "4096", "65536"})
    @Allowed(max = Allowed.LARGEST_MESSAGE)
    public int bytes;

    /** For JMH. */
    public StreamLatency() {
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
