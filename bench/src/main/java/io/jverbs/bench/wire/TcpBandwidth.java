package io.jverbs.bench.wire;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Messages in one direction over TCP; the other side reads them. */
final class TcpBandwidth implements Contest {
    private final TcpPair pair;

    TcpBandwidth(Sides sides, Line line, int size) throws IOException {
        pair = new TcpPair(sides, line, size);
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
