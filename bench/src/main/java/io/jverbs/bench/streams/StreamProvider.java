package io.jverbs.bench.streams;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.bench.process.Connection;
import io.jverbs.bench.process.Sides;
import io.jverbs.nio.RdmaSelectorProvider;
import io.jverbs.rsocket.RdmaStreamOptions;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;

/**
 * The provider of the channels of one side, and its device.
 *
 * @param channels the provider
 * @param address the address of this side
 * @param device closes the device; does nothing over TCP
 */
record StreamProvider(SelectorProvider channels, InetAddress address, Closeable device) implements Closeable {
    private static final Closeable NO_DEVICE = () -> {};
    /** With the keep-alive of the provider that a system property installs. */
    private static final RdmaStreamOptions OPTIONS = RdmaStreamOptions.DEFAULT.withKeepAlive(Duration.ofSeconds(30));

    /** What carries the bytes. */
    enum Transport {
        RDMA, TCP
    }

    /** {@return the provider of one of two processes} */
    static StreamProvider open(Transport transport, Sides sides) throws IOException {
        InetAddress own = InetAddress.getByName(sides.own());
        return transport == Transport.TCP ? tcp(own) : rdma(Connection.open(sides), own);
    }

    /** {@return the provider of both sides within this JVM} */
    static StreamProvider local(Transport transport) {
        if (transport == Transport.TCP) {
            return tcp(InetAddress.getLoopbackAddress());
        }
        RdmaContext context = Verbs.open("soft");
        return rdma(context, context.preferredGid(1).gid().toInetAddress());
    }

    private static StreamProvider tcp(InetAddress address) {
        return new StreamProvider(SelectorProvider.provider(), address, NO_DEVICE);
    }

    private static StreamProvider rdma(RdmaContext context, InetAddress address) {
        return new StreamProvider(new RdmaSelectorProvider(context, "always", OPTIONS), address, context::close);
    }

    /** {@return this provider for the other side within this JVM, which does not close the device} */
    StreamProvider withoutDevice() {
        return new StreamProvider(channels, address, NO_DEVICE);
    }

    /** Closes the device. */
    @Override
    public void close() throws IOException {
        device.close();
    }
}
