package io.jverbs.bench.waiting;

import io.jverbs.bench.process.Workload;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.function.BooleanSupplier;

/** A ping-pong over one connection. The thread of the benchmark is one end, a platform thread the other. */
final class OneConnection implements Workload {
    private final ConnectionEnds ends;
    private final ConnectionEnd end;

    OneConnection(ConnectionEnds ends) {
        this.ends = ends;
        this.end = ends.all().getFirst();
    }

    @Override
    public void once() throws IOException {
        try {
            end.request();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for the reply");
        }
    }

    @Override
    public void serve(BooleanSupplier stopped) throws IOException {
        ConnectionThreads.respond(ends, false, stopped);
    }

    @Override
    public void close() throws IOException {
        ends.close();
    }
}
