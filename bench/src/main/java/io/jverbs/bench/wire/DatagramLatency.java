package io.jverbs.bench.wire;

import io.jverbs.bench.suite.Patience;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Datagrams that go back and forth between two processes that spin. */
final class DatagramLatency implements Contest {
    private final DatagramPair pair;
    private final int size;

    DatagramLatency(Sides sides, int size) {
        this.pair = new DatagramPair(sides, size);
        this.size = size;
    }

    @Override
    public void once() throws IOException {
        pair.send(size);
        long began = 0;
        for (int turn = 1; !pair.receive(); turn++) {
            began = Patience.spin(turn, began);
        }
    }

    @Override
    public void serve(BooleanSupplier stopped) throws IOException {
        while (!stopped.getAsBoolean()) {
            if (pair.receive()) {
                pair.send(size);
            }
        }
    }

    @Override
    public void close() {
        pair.close();
    }
}
