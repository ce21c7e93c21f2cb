package io.jverbs.bench.wire;

import io.jverbs.bench.process.ControlConnection;
import io.jverbs.bench.process.Sides;
import io.jverbs.bench.process.Workload;
import io.jverbs.bench.suite.SpinTimeout;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** A ping-pong over TCP between two processes that poll busily. */
final class TcpLatency implements Workload {
    private final TcpPair pair;
    private final Polling polling;

    TcpLatency(Sides sides, ControlConnection control, int size, Polling polling) throws IOException {
        pair = new TcpPair(sides, control, size);
        this.polling = polling;
    }

    @Override
    public void once() throws IOException {
        pair.send();
        long start = 0;
        for (int iteration = 1; !pair.receive(); iteration++) {
            start = SpinTimeout.spin(iteration, start);
            polling.receivedNothing();
        }
    }

    @Override
    public void serve(BooleanSupplier stopped) throws IOException {
        while (!stopped.getAsBoolean()) {
            if (pair.receive()) {
                pair.send();
            } else {
                polling.receivedNothing();
            }
        }
    }

    @Override
    public void close() throws IOException {
        pair.close();
    }
}
