package io.jverbs.bench.wire;

import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.bench.process.Connection;
import io.jverbs.bench.process.ControlConnection;
import io.jverbs.bench.process.Sides;
import io.jverbs.bench.process.Workload;
import io.jverbs.bench.suite.SpinTimeout;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * WRITEs over RC in one direction, several in flight, as in ib_write_bw: each operation waits for a completion and
 * posts the next WRITE. The other process is passive.
 */
final class WriteBandwidth implements Workload {
    /** Enough that the device is never idle. */
    private static final int IN_FLIGHT = 16;
    private static final long PARK_NANOS = 10_000_000;

    private final Connection connection;
    private final SendWorkRequest write;
    private int completed;

    WriteBandwidth(Sides sides, ControlConnection control, int size) throws IOException {
        this.connection = new Connection(sides, control, size);
        this.write = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED)
                .sge(connection.region(), 0, size).remote(connection.remoteAddress(), connection.remoteKey());
    }

    @Override
    public void fill() {
        for (int i = 0; i < IN_FLIGHT; i++) {
            connection.qp().postSend(write);
        }
    }

    @Override
    public void once() {
        await();
        connection.qp().postSend(write);
    }

    private void await() {
        long start = 0;
        for (int iteration = 1; completed == 0; iteration++) {
            start = SpinTimeout.spin(iteration, start);
            completed = connection.poll();
        }
        completed--;
    }

    @Override
    public void drain() {
        for (int i = 0; i < IN_FLIGHT; i++) {
            await();
        }
    }

    @Override
    public void serve(BooleanSupplier stopped) {
        while (!stopped.getAsBoolean()) {
            LockSupport.parkNanos(PARK_NANOS);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
