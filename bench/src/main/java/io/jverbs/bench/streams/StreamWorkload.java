package io.jverbs.bench.streams;

import io.jverbs.bench.process.ControlConnection;
import io.jverbs.bench.process.Sides;
import io.jverbs.bench.process.Workload;
import io.jverbs.bench.process.WorkloadType;
import io.jverbs.bench.streams.StreamChannels.Transport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The workloads of this package: over streams, and with the same code over TCP. */
enum StreamWorkload implements WorkloadType {
    /** A ping-pong over a stream. */
    PING_PONG(Transport.RDMA, PingPong::new),
    /** A ping-pong over TCP. */
    PING_PONG_TCP(Transport.TCP, PingPong::new),
    /** Bytes in one direction over a stream. */
    ONE_WAY(Transport.RDMA, OneWay::new),
    /** Bytes in one direction over TCP. */
    ONE_WAY_TCP(Transport.TCP, OneWay::new),
    /** Streams with one selector on each side; their number is the size. */
    SELECTED(Transport.RDMA, (channels, size) -> new SelectedChannels(channels)),
    /** As many TCP connections. */
    SELECTED_TCP(Transport.TCP, (channels, size) -> new SelectedChannels(channels));

    private final Transport transport;
    private final OnChannels maker;

    /** Makes one side of a workload. */
    private interface OnChannels {
        Workload make(StreamChannels channels, int size) throws IOException;
    }

    StreamWorkload(Transport transport, OnChannels maker) {
        this.transport = transport;
        this.maker = maker;
    }

    private int connections(int size) {
        return this == SELECTED || this == SELECTED_TCP ? size : 1;
    }

    /** {@return true except for a ping-pong} Some of its messages arrive while the thread polls. */
    @Override
    public boolean blocks() {
        return this != PING_PONG && this != PING_PONG_TCP;
    }

    @Override
    public Workload open(Sides sides, ControlConnection control, int size) throws IOException {
        return maker.make(StreamChannels.open(transport, sides, control, connections(size)), size);
    }

    /** {@return both sides within this JVM, the one that measures first; it is closed last} */
    List<Workload> openLocal(int size) throws IOException {
        List<Workload> sides = new ArrayList<>();
        for (StreamChannels channels : StreamChannels.local(transport, connections(size))) {
            sides.add(maker.make(channels, size));
        }
        return sides;
    }
}
