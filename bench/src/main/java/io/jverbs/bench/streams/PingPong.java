package io.jverbs.bench.streams;

import io.jverbs.bench.process.Workload;
import java.io.Closeable;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** A ping-pong by calls that block. */
final class PingPong implements Workload {
    private final Messages messages;
    private final Closeable device;

    PingPong(Messages messages, Closeable device) {
        this.messages = messages;
        this.device = device;
    }

    @Override
    public void once() throws IOException {
        messages.send();
        messages.receive();
    }

    private void reply() throws IOException {
        messages.receive();
        messages.send();
    }

    @Override
    public void serve(BooleanSupplier stopped) throws IOException {
        ChannelThread.run(this::reply, messages, stopped);
    }

    @Override
    public void close() throws IOException {
        try (device) {
            messages.close();
        }
    }
}
