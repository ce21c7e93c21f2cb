package io.jverbs.soft.nio;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.nio.RdmaSelectorProvider;
import io.jverbs.rsocket.RdmaStreamOptions;
import io.jverbs.soft.LoopbackAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A provider whose channels use RDMA only, a channel that listens, and a connection between two channels. */
final class ChannelPair implements AutoCloseable {
    private static final long DEADLINE_SECONDS = 30;
    /** All pairs use this device, since each device keeps a socket and a thread until the JVM ends. */
    private static final String WIRED = LoopbackAddress.wired();

    private final RdmaContext context;
    private final RdmaSelectorProvider provider;
    private final ServerSocketChannel listener;
    private final SocketChannel client;
    private final SocketChannel server;

    private ChannelPair(RdmaContext context, RdmaStreamOptions options) throws IOException {
        this.context = context;
        provider = new RdmaSelectorProvider(context, "always", options);
        listener = provider.openServerSocketChannel().bind(anyPort(context));
        client = provider.openSocketChannel();
        assertTrue(client.connect(listener.getLocalAddress()));
        server = listener.accept();
    }

    /** Connects two channels on a device in this JVM, or on one with sockets. */
    static ChannelPair connect(String where) throws IOException {
        return connect(where, RdmaStreamOptions.DEFAULT);
    }

    static ChannelPair connect(String where, RdmaStreamOptions options) throws IOException {
        return new ChannelPair(Verbs.open(where.equals("jvm") ? "soft" : WIRED), options);
    }

    /** Returns the address of the device with any port. */
    static InetSocketAddress anyPort(RdmaContext context) {
        return new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), 0);
    }

    RdmaSelectorProvider provider() {
        return provider;
    }

    RdmaContext context() {
        return context;
    }

    ServerSocketChannel listener() {
        return listener;
    }

    SocketChannel client() {
        return client;
    }

    SocketChannel server() {
        return server;
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads a number of bytes from a channel that blocks. */
    static String read(SocketChannel from, int length) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(length);
        while (into.hasRemaining()) {
            assertTrue(from.read(into) > 0, () -> from + " has ended after " + into.position() + " bytes");
        }
        return new String(into.array(), StandardCharsets.US_ASCII);
    }

    /** Waits until a condition holds. */
    static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - deadline < 0, () -> what + " not within " + DEADLINE_SECONDS + " s");
            Thread.sleep(1);
        }
    }

    /** Waits until a thread blocks. */
    static void awaitBlocked(Thread thread) throws InterruptedException {
        await(thread + " blocks", () -> thread.getState() == Thread.State.WAITING
                || thread.getState() == Thread.State.TIMED_WAITING);
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
        listener.close();
        context.close();
    }
}
