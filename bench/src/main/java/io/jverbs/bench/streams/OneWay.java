package io.jverbs.bench.streams;

import io.jverbs.bench.process.Workload;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Bytes in one direction over a channel in blocking mode. */
final class OneWay implements Workload {
    private final StreamChannels channels;
    private final StreamMessages messages;

    OneWay(StreamChannels channels, int bytes) {
        this.channels = channels;
        messages = new StreamMessages(channels.only(), bytes);
    }

    @Override
    public void once() throws IOException {
        messages.send();
    }

    @Override
    public void serve(BooleanSupplier stopped) throws IOException {
        ChannelThread.run(messages::receive, channels.only(), stopped);
    }

    @Override
    public void close() throws IOException {
        channels.close();
    }
}
