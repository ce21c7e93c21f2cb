package io.jverbs.soft.nio.contract;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** A listener of TCP whose queue of connections is full. */
final class FullListener implements ProviderUnderTest.SilentListener {
    /** How many connections a listener with a backlog of 1 holds at most, with room to spare. */
    private static final int MAX_QUEUED = 16;
    /** A connection that is not established within this time on the same host is one that the listener leaves. */
    private static final long PENDING_MILLIS = 250;

    private final ServerSocketChannel listener;
    private final List<SocketChannel> queued = new ArrayList<>();

    private FullListener(ServerSocketChannel listener) {
        this.listener = listener;
    }

    static FullListener open(SelectorProvider provider, InetAddress address) throws Exception {
        FullListener made = new FullListener(provider.openServerSocketChannel());
        boolean isFull = false;
        try {
            made.listener.bind(new InetSocketAddress(address, 0), 1);
            isFull = made.fill(provider);
        } finally {
            if (!isFull) {
                made.close();
            }
        }
        Assumptions.assumeTrue(isFull, "the host establishes more connections than the backlog, without accept");
        return made;
    }

    private boolean fill(SelectorProvider provider) throws Exception {
        for (int i = 0; i < MAX_QUEUED; i++) {
            SocketChannel channel = provider.openSocketChannel();
            queued.add(channel);
            channel.configureBlocking(false);
            if (!channel.connect(address()) && !Until.holdsWithin(PENDING_MILLIS, channel::finishConnect)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public InetSocketAddress address() throws IOException {
        return (InetSocketAddress) listener.getLocalAddress();
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel each : queued) {
            each.close();
        }
        listener.close();
    }
}
