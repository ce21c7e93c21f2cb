package io.jverbs.bench.streams;

import io.jverbs.bench.process.Workload;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** A ping-pong over a channel in blocking mode. */
final class PingPong implements Workload {
    private final StreamChannels channels;
    private final StreamMessages messages;

    PingPong(StreamChannels channels, int bytes) {
        this.channels = channels;
        messages = new StreamMessages(channels.only(), bytes);
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
        ChannelThread.run(this::reply, channels.only(), stopped);
    }

    @Override
    public void close() throws IOException {
        channels.close();
    }
}
