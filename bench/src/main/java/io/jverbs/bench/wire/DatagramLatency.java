package io.jverbs.bench.wire;

import io.jverbs.bench.process.Sides;
import io.jverbs.bench.process.Workload;
import io.jverbs.bench.suite.SpinTimeout;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** A ping-pong of datagrams between two processes that poll busily. */
final class DatagramLatency implements Workload {
    private final DatagramPair pair;
    private final int size;
    private final Polling polling;

    DatagramLatency(Sides sides, int size, Polling polling) {
        this.pair = new DatagramPair(sides, size);
        this.size = size;
        this.polling = polling;
    }

    @Override
    public void once() throws IOException {
        pair.send(size);
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
                pair.send(size);
            } else {
                polling.receivedNothing();
            }
        }
    }

    @Override
    public void close() {
        pair.close();
    }
}
