package io.jverbs.bench.wire;

import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import java.io.IOException;

/** RC WRITEs of one size in one direction, a queue full of them, as ib_write_bw does; the other side does nothing. */
final class WriteStream implements Contest {
    private static final double MEGA = 1e6;

    private final Sides sides;
    private final Connection connection;
    private final SendWorkRequest write;
    private final int size;
    private final int messages;

    WriteStream(Sides sides, Line line, int size, int messages) throws IOException {
        this.sides = sides;
        this.connection = new Connection(sides, line, size);
        this.size = size;
        this.messages = messages;
        this.write = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED)
                .sge(connection.region(), 0, size).remote(connection.remoteAddress(), connection.remoteKey());
    }

    @Override
    public double round() {
        if (!sides.measures()) {
            return 0;
        }
        long start = System.nanoTime();
        int posted = 0;
        for (int done = 0; done < messages; done += connection.poll()) {
            while (posted < messages && posted - done < Connection.DEPTH) {
                connection.qp().postSend(write);
                posted++;
            }
        }
        return (double) size * messages / ((System.nanoTime() - start) / 1e9) / MEGA;
    }

    @Override
    public void close() {
        connection.close();
    }
}
