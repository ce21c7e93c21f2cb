package io.jverbs.bench.wire;

import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.bench.suite.Patience;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * RC WRITEs of one size in one direction, several at a time, as ib_write_bw does: each operation awaits a completion and posts
 * the next. The other side's program does nothing.
 */
final class WriteBandwidth implements Contest {
    /** Enough that the device is never without. */
    private static final int UNDER_WAY = 16;
    private static final long NAP_NANOS = 10_000_000;

    private final Connection connection;
    private final SendWorkRequest write;
    private int completed;

    WriteBandwidth(Sides sides, Line line, int size) throws IOException {
        this.connection = new Connection(sides, line, size);
        this.write = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED)
                .sge(connection.region(), 0, size).remote(connection.remoteAddress(), connection.remoteKey());
    }

    @Override
    public void fill() {
        for (int i = 0; i < UNDER_WAY; i++) {
            connection.qp().postSend(write);
        }
    }

    @Override
    public void once() {
        await();
        connection.qp().postSend(write);
    }

    private void await() {
        long began = 0;
        for (int turn = 1; completed == 0; turn++) {
            began = Patience.spin(turn, began);
            completed = connection.poll();
        }
        completed--;
    }

    @Override
    public void drain() {
        for (int i = 0; i < UNDER_WAY; i++) {
            await();
        }
    }

    @Override
    public void serve(BooleanSupplier stopped) {
        while (!stopped.getAsBoolean()) {
            LockSupport.parkNanos(NAP_NANOS);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
