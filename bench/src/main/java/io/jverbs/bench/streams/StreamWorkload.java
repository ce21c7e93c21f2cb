package io.jverbs.bench.streams;

import io.jverbs.bench.process.ControlConnection;
import io.jverbs.bench.process.Sides;
import io.jverbs.bench.process.Workload;
import io.jverbs.bench.process.WorkloadType;
import io.jverbs.bench.streams.StreamProvider.Transport;
import java.io.IOException;
import java.util.List;

/** The workloads of channels: over streams, and with the same code over TCP. */
enum StreamWorkload implements WorkloadType {
    /** A ping-pong over a stream. */
    PING_PONG(Transport.RDMA, Patterns.PING_PONG),
    /** A ping-pong over TCP. */
    PING_PONG_TCP(Transport.TCP, Patterns.PING_PONG),
    /** Bytes in one direction over a stream. */
    ONE_WAY(Transport.RDMA, Patterns.ONE_WAY),
    /** Bytes in one direction over TCP. */
    ONE_WAY_TCP(Transport.TCP, Patterns.ONE_WAY),
    /** Streams with one selector on each side; their number is the size. */
    SELECTED(Transport.RDMA, Patterns.SELECTED),
    /** As many TCP connections. */
    SELECTED_TCP(Transport.TCP, Patterns.SELECTED),
    /** Echoes of Netty over a stream; the number of messages in flight is the size. */
    NETTY(Transport.RDMA, Patterns.NETTY),
    /** Echoes of Netty over TCP. */
    NETTY_TCP(Transport.TCP, Patterns.NETTY);

    private final Transport transport;
    private final StreamPattern pattern;

    /** A class of its own, since the constants of an enum cannot use its fields. */
    private static final class Patterns {
        static final StreamPattern.Channels PING_PONG = (channels, bytes) -> new PingPong(
                new StreamMessages(channels.only(), bytes), channels.provider());
        static final StreamPattern.Channels ONE_WAY = OneWay::new;
        static final StreamPattern SELECTED = new StreamPattern.Selected();
        static final StreamPattern NETTY = new StreamPattern.NettyEchoes();
    }

    StreamWorkload(Transport transport, StreamPattern pattern) {
        this.transport = transport;
        this.pattern = pattern;
    }

    /** {@return the workload that does the same over TCP} */
    StreamWorkload overTcp() {
        for (StreamWorkload other : values()) {
            if (other.pattern == pattern && other.transport == Transport.TCP) {
                return other;
            }
        }
        throw new IllegalStateException("there is no " + this + " over TCP");
    }

    /** {@return true except for a ping-pong} Some of its messages arrive while the thread polls. */
    @Override
    public boolean blocks() {
        return pattern != Patterns.PING_PONG;
    }

    @Override
    public Workload open(Sides sides, ControlConnection control, int size) throws IOException {
        return pattern.open(StreamProvider.open(transport, sides), sides, control, size);
    }

    /** {@return both sides within this JVM, the one that measures first; it is closed last} */
    List<Workload> openLocal(int size) throws IOException {
        return pattern.openLocal(StreamProvider.local(transport), size);
    }
}
