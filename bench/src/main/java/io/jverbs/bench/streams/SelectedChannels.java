package io.jverbs.bench.streams;

import io.jverbs.bench.process.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Many channels in non-blocking mode with one selector and one thread on each side. An operation is a message on each
 * channel, and the replies to all of them.
 */
final class SelectedChannels implements Workload {
    /** The length of a message in bytes. */
    private static final int BYTES = 64;
    private static final long TIMEOUT_MILLIS = 10_000;
    /** How often the side that serves checks whether it is stopped. */
    private static final long CHECK_MILLIS = 100;

    private final StreamChannels channels;
    private final Selector selector;
    private final List<StreamMessages> messages = new ArrayList<>();
    private final Consumer<SelectionKey> receive = this::receive;
    private final Consumer<SelectionKey> reply = this::reply;
    /** How many replies are missing. */
    private int missing;

    SelectedChannels(StreamChannels channels) throws IOException {
        this.channels = channels;
        selector = channels.provider().channels().openSelector();
        for (SocketChannel channel : channels.all()) {
            StreamMessages ofChannel = new StreamMessages(channel, BYTES);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, ofChannel);
            messages.add(ofChannel);
        }
    }

    @Override
    public void once() throws IOException {
        missing = messages.size();
        for (int i = 0; i < messages.size(); i++) {
            messages.get(i).send();
        }
        while (missing > 0) {
            if (selector.select(receive, TIMEOUT_MILLIS) == 0) {
                throw new IllegalStateException(
                        missing + " replies are missing after " + TIMEOUT_MILLIS + " ms");
            }
        }
    }

    private void receive(SelectionKey key) {
        if (hasReceived(key)) {
            missing--;
        }
    }

    private void reply(SelectionKey key) {
        if (hasReceived(key)) {
            try {
                ((StreamMessages) key.attachment()).send();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static boolean hasReceived(SelectionKey key) {
        try {
            return ((StreamMessages) key.attachment()).tryReceive();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void serve(BooleanSupplier stopped) throws IOException {
        while (!stopped.getAsBoolean()) {
            selector.select(reply, CHECK_MILLIS);
        }
    }

    @Override
    public void close() throws IOException {
        try (channels) {
            selector.close();
        }
    }
}
