package io.jverbs.bench.waiting;

import io.jverbs.bench.process.ControlConnection;
import io.jverbs.bench.process.Sides;
import io.jverbs.bench.process.Workload;
import io.jverbs.bench.process.WorkloadType;
import java.io.IOException;

/** The workloads of one connection whose threads wait. */
public enum LatencyWorkload implements WorkloadType {
    /** A ping-pong of SENDs. */
    SEND {
        @Override
        public Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new OneConnection(ConnectionEnds.sends(sides, control, 1, bytes));
        }
    },
    /** A ping-pong over TCP. */
    TCP {
        @Override
        public Workload open(Sides sides, ControlConnection control, int bytes) throws IOException {
            return new OneConnection(ConnectionEnds.tcp(sides, control, 1, bytes));
        }
    };

    @Override
    public boolean blocks() {
        return true;
    }
}
