package io.jverbs.bench.wire;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.WrOpcode;
import java.io.IOException;

/**
 * RC SENDs that go back and forth. Completions of sends are reaped when they are there, as ib_send_lat does, or awaited before
 * the next SEND, as ibv_rc_pingpong does.
 */
final class SendPingPong implements Contest {
    private final Sides sides;
    private final Connection connection;
    private final boolean awaitsBoth;
    private final int iterations;
    private final Latencies latencies;
    private final SendWorkRequest send;
    private final ReceiveWorkRequest receive;
    /** SENDs that are not complete, and messages that have come and are not answered. */
    private int underWay;
    private int came;

    SendPingPong(Sides sides, Line line, int size, int iterations, boolean awaitsBoth) throws IOException {
        this.sides = sides;
        this.awaitsBoth = awaitsBoth;
        this.iterations = iterations;
        this.latencies = new Latencies(iterations);
        this.connection = new Connection(sides, line, 2 * size);
        send = SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).sge(connection.region(), 0,
                size);
        receive = ReceiveWorkRequest.create(1).sge(connection.region(), size, size);
        for (int i = 0; i < Connection.DEPTH; i++) {
            connection.qp().postReceive(receive);
        }
    }

    @Override
    public double round() {
        latencies.clear();
        for (int i = 0; i < iterations; i++) {
            long start = System.nanoTime();
            if (sides.measures()) {
                post();
            }
            await();
            if (!sides.measures()) {
                post();
            }
            latencies.add(System.nanoTime() - start);
        }
        while (underWay > 0) {
            reap();
        }
        return latencies.medianHalf();
    }

    private void post() {
        underWay++;
        connection.qp().postSend(send);
    }

    private void await() {
        while (came == 0 || awaitsBoth && underWay > 0) {
            reap();
        }
        came--;
    }

    private void reap() {
        int count = connection.poll();
        for (int i = 0; i < count; i++) {
            if (connection.completions().opcode(i) == WcOpcode.RECV) {
                came++;
                connection.qp().postReceive(receive);
            } else {
                underWay--;
            }
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
