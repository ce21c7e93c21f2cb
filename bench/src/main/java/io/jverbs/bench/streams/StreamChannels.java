package io.jverbs.bench.streams;

import io.jverbs.bench.process.ControlConnection;
import io.jverbs.bench.process.Sides;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * The connected channels of one side, in blocking mode and without Nagle's algorithm. Not thread-safe.
 *
 * @param provider the provider of the channels
 * @param all the channels
 */
record StreamChannels(StreamProvider provider, List<SocketChannel> all) implements Closeable {

    /** {@return channels to the other process, which opens as many at the same time} */
    static StreamChannels open(StreamProvider provider, Sides sides, ControlConnection control, int count)
            throws IOException {
        if (sides.measures()) {
            try (ServerSocketChannel listener = listen(provider, count)) {
                control.exchange(((InetSocketAddress) listener.getLocalAddress()).getPort());
                return new StreamChannels(provider, accept(listener, count));
            }
        }
        int port = (int) control.exchange(0)[0];
        return new StreamChannels(provider, connect(provider, new InetSocketAddress(sides.other(), port), count));
    }

    /** {@return both ends of connections within this JVM} The channels of the first one close the device. */
    static List<StreamChannels> local(StreamProvider provider, int count) throws IOException {
        try (ServerSocketChannel listener = listen(provider, count)) {
            List<SocketChannel> connected = connect(provider, listener.getLocalAddress(), count);
            return List.of(new StreamChannels(provider, connected),
                    new StreamChannels(provider.withoutDevice(), accept(listener, count)));
        }
    }

    private static ServerSocketChannel listen(StreamProvider provider, int backlog) throws IOException {
        return provider.channels().openServerSocketChannel().bind(new InetSocketAddress(provider.address(), 0),
                backlog);
    }

    private static List<SocketChannel> accept(ServerSocketChannel listener, int count) throws IOException {
        List<SocketChannel> channels = new ArrayList<>();
        while (channels.size() < count) {
            channels.add(withoutDelay(listener.accept()));
        }
        return channels;
    }

    private static List<SocketChannel> connect(StreamProvider provider, SocketAddress address, int count)
            throws IOException {
        List<SocketChannel> channels = new ArrayList<>();
        while (channels.size() < count) {
            SocketChannel channel = provider.channels().openSocketChannel();
            channel.connect(address);
            channels.add(withoutDelay(channel));
        }
        return channels;
    }

    private static SocketChannel withoutDelay(SocketChannel channel) throws IOException {
        return channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    /** {@return the only channel} */
    SocketChannel only() {
        return all.getFirst();
    }

    /** Closes the channels, which wakes the threads that use them, and the device. */
    @Override
    public void close() throws IOException {
        try (provider) {
            for (SocketChannel channel : all) {
                channel.close();
            }
        }
    }
}
