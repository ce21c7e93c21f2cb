package io.jverbs.bench.streams;

import io.jverbs.bench.suite.Allowed;
import io.jverbs.bench.suite.Quick;
import org.openjdk.jmh.annotations.Param;

/**
 * Messages of 64 bytes between a client and an echo server of Netty in one JVM, over its NIO transport. An operation
 * sends a number of messages, each with a flush of its own, and ends when all have come back.
 */
@Quick(without = {"stream", "tcp"})
public class LocalNettyEcho extends LocalStreams {
    /** The number of messages in flight. */
    @Param({"1", "16"})
    @Allowed(max = 1000)
    public int messages;

    /** For JMH. */
    public LocalNettyEcho() {
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
