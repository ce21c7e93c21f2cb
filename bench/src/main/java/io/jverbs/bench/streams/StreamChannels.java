package io.jverbs.bench.streams;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.bench.process.Connection;
import io.jverbs.bench.process.ControlConnection;
import io.jverbs.bench.process.Sides;
import io.jverbs.nio.RdmaSelectorProvider;
import io.jverbs.rsocket.RdmaStreamOptions;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The connected channels of one side, in blocking mode and without Nagle's algorithm. Not thread-safe.
 *
 * @param provider the provider of the channels
 * @param all the channels
 * @param device closes the device; does nothing over TCP
 */
record StreamChannels(SelectorProvider provider, List<SocketChannel> all, Closeable device) implements Closeable {
    private static final Closeable NO_DEVICE = () -> {};
    /** With the keep-alive of the provider that a system property installs. */
    private static final RdmaStreamOptions OPTIONS = RdmaStreamOptions.DEFAULT.withKeepAlive(Duration.ofSeconds(30));

    /** What carries the bytes. */
    enum Transport {
        RDMA, TCP
    }

    /** {@return channels to the other process, which opens as many at the same time} */
    static StreamChannels open(Transport transport, Sides sides, ControlConnection control, int count)
            throws IOException {
        if (transport == Transport.TCP) {
            SelectorProvider tcp = SelectorProvider.provider();
            return new StreamChannels(tcp, connected(tcp, sides, control, count), NO_DEVICE);
        }
        RdmaContext context = Connection.open(sides);
        SelectorProvider rdma = provider(context);
        return new StreamChannels(rdma, connected(rdma, sides, control, count), context::close);
    }

    private static SelectorProvider provider(RdmaContext context) {
        return new RdmaSelectorProvider(context, "always", OPTIONS);
    }

    private static List<SocketChannel> connected(SelectorProvider provider, Sides sides, ControlConnection control,
            int count) throws IOException {
        if (sides.measures()) {
            try (ServerSocketChannel listener = listen(provider, new InetSocketAddress(sides.own(), 0), count)) {
                control.exchange(((InetSocketAddress) listener.getLocalAddress()).getPort());
                return accept(listener, count);
            }
        }
        int port = (int) control.exchange(0)[0];
        return connect(provider, new InetSocketAddress(sides.other(), port), count);
    }

    /** {@return both ends of connections within this JVM} The channels of the first one close the device. */
    static List<StreamChannels> local(Transport transport, int count) throws IOException {
        if (transport == Transport.TCP) {
            return local(SelectorProvider.provider(), InetAddress.getLoopbackAddress(), count, NO_DEVICE);
        }
        RdmaContext context = Verbs.open("soft");
        return local(provider(context), context.preferredGid(1).gid().toInetAddress(), count, context::close);
    }

    private static List<StreamChannels> local(SelectorProvider provider, InetAddress address, int count,
            Closeable device) throws IOException {
        try (ServerSocketChannel listener = listen(provider, new InetSocketAddress(address, 0), count)) {
            List<SocketChannel> connected = connect(provider, listener.getLocalAddress(), count);
            return List.of(new StreamChannels(provider, connected, device),
                    new StreamChannels(provider, accept(listener, count), NO_DEVICE));
        }
    }

    private static ServerSocketChannel listen(SelectorProvider provider, SocketAddress address, int backlog)
            throws IOException {
        return provider.openServerSocketChannel().bind(address, backlog);
    }

    private static List<SocketChannel> accept(ServerSocketChannel listener, int count) throws IOException {
        List<SocketChannel> channels = new ArrayList<>();
        while (channels.size() < count) {
            channels.add(withoutDelay(listener.accept()));
        }
        return channels;
    }

    private static List<SocketChannel> connect(SelectorProvider provider, SocketAddress address, int count)
            throws IOException {
        List<SocketChannel> channels = new ArrayList<>();
        while (channels.size() < count) {
            SocketChannel channel = provider.openSocketChannel();
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
        try (device) {
            for (SocketChannel channel : all) {
                channel.close();
            }
        }
    }
}
