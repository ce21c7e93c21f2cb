package io.jverbs.bench.waiting;

import io.jverbs.RdmaContext;
import io.jverbs.bench.process.Connection;
import io.jverbs.bench.process.ControlConnection;
import io.jverbs.bench.process.Sides;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * The ends of all connections of this process. The other process opens as many at the same time.
 *
 * @param all the ends
 * @param resources closes the ends
 */
record ConnectionEnds(List<ConnectionEnd> all, Resources resources) implements AutoCloseable {

    /** What the ends use. */
    interface Resources {
        void close() throws IOException;
    }

    /** Opens RC connections of one device. */
    static ConnectionEnds sends(Sides sides, ControlConnection control, int count, int bytes) throws IOException {
        RdmaContext context = Connection.open(sides);
        List<ConnectionEnd> ends = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ends.add(new SendEnd(context, control, bytes));
        }
        return new ConnectionEnds(ends, context::close);
    }

    /** Opens TCP connections. */
    static ConnectionEnds tcp(Sides sides, ControlConnection control, int count, int bytes) throws IOException {
        List<SocketChannel> channels = sides.measures()
                ? accept(sides, control, count)
                : connect(sides, control, count);
        List<ConnectionEnd> ends = new ArrayList<>();
        for (SocketChannel channel : channels) {
            ends.add(new TcpEnd(channel, bytes));
        }
        return new ConnectionEnds(ends, () -> {
            for (SocketChannel channel : channels) {
                channel.close();
            }
        });
    }

    private static List<SocketChannel> accept(Sides sides, ControlConnection control, int count) throws IOException {
        List<SocketChannel> channels = new ArrayList<>();
        try (ServerSocketChannel listener = ServerSocketChannel.open()
                .bind(new InetSocketAddress(sides.own(), 0), count)) {
            control.exchange(((InetSocketAddress) listener.getLocalAddress()).getPort());
            while (channels.size() < count) {
                channels.add(listener.accept());
            }
        }
        return channels;
    }

    private static List<SocketChannel> connect(Sides sides, ControlConnection control, int count) throws IOException {
        int port = (int) control.exchange(0)[0];
        List<SocketChannel> channels = new ArrayList<>();
        while (channels.size() < count) {
            channels.add(SocketChannel.open(new InetSocketAddress(sides.other(), port)));
        }
        return channels;
    }

    @Override
    public void close() throws IOException {
        resources.close();
    }
}
