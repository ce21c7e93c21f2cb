package io.jverbs.bench.streams;

import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Param;

/**
 * Messages of 64 bytes from a client of Netty to an echo server of Netty in another process, over its NIO transport. An
 * operation sends a number of messages, each with a flush of its own, and ends when all have come back.
 */
@BenchmarkMode({Mode.SampleTime, Mode.AverageTime})
@Quick(modes = Mode.SampleTime, without = {"streamNio", "streamLinux", "tcp"})
public class NettyEcho extends StreamBenchmark {
    /** The number of messages in flight. */
    @Param({"1", "16"})
    @Allowed(max = 1000)
    public int messages;

    /** For JMH. */
    public NettyEcho() {
        // opened by open
    }

    @Override
    protected int size() {
        return messages;
    }

    @Override
    StreamWorkload workload() {
        return StreamWorkload.NETTY;
    }
}
