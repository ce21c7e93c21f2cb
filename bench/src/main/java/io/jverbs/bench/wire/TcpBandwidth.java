package io.jverbs.bench.wire;

import io.jverbs.bench.process.ControlConnection;
import io.jverbs.bench.process.Sides;
import io.jverbs.bench.process.Workload;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Messages in one direction over TCP. */
final class TcpBandwidth implements Workload {
    private final TcpPair pair;

    TcpBandwidth(Sides sides, ControlConnection control, int size) throws IOException {
        pair = new TcpPair(sides, control, size);
    }

    @Override
    public void once() throws IOException {
        pair.send();
    }

    @Override
    public void serve(BooleanSupplier stopped) throws IOException {
        while (!stopped.getAsBoolean()) {
            pair.receive();
        }
    }

    @Override
    public void close() throws IOException {
        pair.close();
    }
}
