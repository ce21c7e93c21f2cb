package io.jverbs.bench.wire;

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
        while (!pair.receive()) {
            Thread.onSpinWait();
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
