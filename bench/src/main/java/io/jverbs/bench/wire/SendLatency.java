package io.jverbs.bench.wire;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.WrOpcode;
import io.jverbs.bench.suite.Patience;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * RC SENDs that go back and forth. Completions of sends are reaped when they are there, as ib_send_lat does, or awaited before
 * the next SEND, as ibv_rc_pingpong does.
 */
final class SendLatency implements Contest {
    private static final int RECV = WcOpcode.RECV.code();

    private final Connection connection;
    private final boolean awaitsBoth;
    private final SendWorkRequest send;
    private final ReceiveWorkRequest receive;
    /** SENDs that are not complete, and messages that have come and are not answered. */
    private int underWay;
    private int came;
    private int toPost;

    SendLatency(Sides sides, Line line, int size, boolean awaitsBoth) throws IOException {
        this.awaitsBoth = awaitsBoth;
        this.connection = new Connection(sides, line, 2 * size);
        send = SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).sge(connection.region(), 0,
                size);
        receive = ReceiveWorkRequest.create(1).sge(connection.region(), size, size);
        for (int i = 0; i < Connection.DEPTH; i++) {
            connection.qp().postReceive(receive);
        }
    }

    @Override
    public void once() {
        post();
        long began = 0;
        for (int turn = 1; !arrived(); turn++) {
            began = Patience.spin(turn, began);
            reap();
        }
    }

    @Override
    public void serve(BooleanSupplier stopped) {
        while (!stopped.getAsBoolean()) {
            reap();
            if (arrived()) {
                post();
            }
        }
    }

    /** Sends, and posts after that the receives that were used: there are more. */
    private void post() {
        underWay++;
        connection.qp().postSend(send);
        while (toPost > 0) {
            connection.qp().postReceive(receive);
            toPost--;
        }
    }

    /** Takes a message if one has come, and if nothing else is to be awaited. */
    private boolean arrived() {
        if (came == 0 || awaitsBoth && underWay > 0) {
            return false;
        }
        came--;
        return true;
    }

    private void reap() {
        int count = connection.poll();
        for (int i = 0; i < count; i++) {
            if (connection.completions().rawOpcode(i) == RECV) {
                came++;
                toPost++;
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
