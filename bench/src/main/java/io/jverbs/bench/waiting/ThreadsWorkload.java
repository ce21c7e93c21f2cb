package io.jverbs.bench.waiting;

import io.jverbs.bench.process.ControlConnection;
import io.jverbs.bench.process.Sides;
import io.jverbs.bench.process.Workload;
import io.jverbs.bench.process.WorkloadType;
import java.io.IOException;

/** The workloads of many connections. Their size is the number of connections. */
enum ThreadsWorkload implements WorkloadType {
    /** SENDs by virtual threads. */
    SEND_VIRTUAL(true, true),
    /** SENDs by platform threads. */
    SEND_PLATFORM(true, false),
    /** TCP by virtual threads. */
    TCP_VIRTUAL(false, true),
    /** TCP by platform threads. */
    TCP_PLATFORM(false, false);

    /** The length of a message. */
    private static final int BYTES = 64;

    private final boolean sends;
    private final boolean virtual;

    ThreadsWorkload(boolean sends, boolean virtual) {
        this.sends = sends;
        this.virtual = virtual;
    }

    /** {@return the workload whose threads are virtual and that is the same otherwise} */
    ThreadsWorkload ofVirtualThreads() {
        return sends ? SEND_VIRTUAL : TCP_VIRTUAL;
    }

    @Override
    public Workload open(Sides sides, ControlConnection control, int connections) throws IOException {
        return new ManyConnections(sends
                ? ConnectionEnds.sends(sides, control, connections, BYTES)
                : ConnectionEnds.tcp(sides, control, connections, BYTES), virtual);
    }

    @Override
    public boolean blocks() {
        return true;
    }
}
