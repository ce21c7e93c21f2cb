package io.jverbs.bench.busy;

import io.jverbs.bench.process.ControlConnection;
import io.jverbs.bench.process.Sides;
import io.jverbs.bench.process.Workload;
import io.jverbs.bench.process.WorkloadType;
import io.jverbs.bench.wire.WireWorkload;
import java.io.IOException;

/** Workloads whose processes never yield by themselves, also in benchmarks in which the others do. */
public enum SpinningWorkload implements WorkloadType {
    /** A ping-pong of SENDs, as {@link WireWorkload#SEND}. */
    SEND;

    @Override
    public Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
        return WireWorkload.SEND.open(sides, control, bytes);
    }
}
