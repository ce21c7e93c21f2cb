package io.jverbs.bench.wire;

import io.jverbs.bench.suite.Patience;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Messages that go back and forth over TCP between two processes that spin. */
final class TcpLatency implements Contest {
    private final TcpPair pair;

    TcpLatency(Sides sides, Line line, int size) throws IOException {
        pair = new TcpPair(sides, line, size);
    }

    @Override
    public void once() throws IOException {
        pair.send();
        long began = 0;
        for (int turn = 1; !pair.receive(); turn++) {
            began = Patience.spin(turn, began);
        }
    }

    @Override
    public void serve(BooleanSupplier stopped) throws IOException {
        while (!stopped.getAsBoolean()) {
            if (pair.receive()) {
                pair.send();
            }
        }
    }

    @Override
    public void close() throws IOException {
        pair.close();
    }
}
