package io.jverbs.bench.wire;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.WrOpcode;
import io.jverbs.bench.process.Connection;
import io.jverbs.bench.process.ControlConnection;
import io.jverbs.bench.process.Sides;
import io.jverbs.bench.process.Workload;
import io.jverbs.bench.suite.SpinTimeout;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * A ping-pong of SENDs over RC. Send completions are reaped without waiting for them, as in ib_send_lat, or awaited
 * before the next SEND, as in ibv_rc_pingpong.
 */
final class SendLatency implements Workload {
    private static final int RECV = WcOpcode.RECV.code();

    private final Connection connection;
    private final Awaited awaited;
    private final Polling polling;
    private final SendWorkRequest send;
    private final ReceiveWorkRequest receive;
    /** The number of SENDs that are not complete. */
    private int inFlight;
    /** The number of received messages that were not replied to. */
    private int received;
    /** The number of receives to post again. */
    private int toPost;

    /** The completions that a process waits for before it sends. */
    enum Awaited {
        /** That of the receive request; those of send requests are reaped. */
        RECEIVE,
        /** Also that of the previous send request. */
        SEND_AND_RECEIVE
    }

    SendLatency(Sides sides, ControlConnection control, int size, Awaited awaited,
            Polling polling) throws IOException {
        this.awaited = awaited;
        this.polling = polling;
        this.connection = new Connection(sides, control, 2 * size);
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
        long start = 0;
        for (int iteration = 1; !take(); iteration++) {
            start = SpinTimeout.spin(iteration, start);
            poll();
        }
    }

    @Override
    public void serve(BooleanSupplier stopped) {
        while (!stopped.getAsBoolean()) {
            poll();
            if (take()) {
                post();
            }
        }
    }

    /** Sends, and then posts the consumed receives again, as enough others are posted. */
    private void post() {
        inFlight++;
        connection.qp().postSend(send);
        while (toPost > 0) {
            connection.qp().postReceive(receive);
            toPost--;
        }
    }

    /** Takes a received message; returns false if there is none, or if a send completion must be awaited first. */
    private boolean take() {
        if (received == 0 || awaited == Awaited.SEND_AND_RECEIVE && inFlight > 0) {
            return false;
        }
        received--;
        return true;
    }

    /** Takes completions. */
    private void poll() {
        int count = connection.poll();
        for (int i = 0; i < count; i++) {
            if (connection.completions().rawOpcode(i) == RECV) {
                received++;
                toPost++;
            } else {
                inFlight--;
            }
        }
        if (count == 0) {
            polling.receivedNothing();
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
