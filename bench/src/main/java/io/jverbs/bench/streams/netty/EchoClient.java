package io.jverbs.bench.streams.netty;

import io.jverbs.bench.process.Workload;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultSelectStrategyFactory;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A client that sends messages and waits until all have come back. The thread that creates it runs the event loop of
 * Netty itself: to pass each operation to another thread would take as long as the round trip. Not thread-safe.
 */
public final class EchoClient implements Workload {
    private static final int BYTES = 64;
    private static final int TIMEOUT_SECONDS = 10;
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);

    private final int messages;
    private final Closeable device;
    private final ManualIoEventLoop loop;
    private final Channel channel;
    /** How many bytes of the operation have not come back. */
    private int missing;
    private Throwable failure;

    /**
     * Connects to a server.
     *
     * @param provider the provider of the channels
     * @param server the address of the server
     * @param messages the number of messages of an operation
     * @param device closed last
     * @throws IOException if it cannot connect
     */
    public EchoClient(SelectorProvider provider, InetSocketAddress server, int messages, Closeable device)
            throws IOException {
        this.messages = messages;
        this.device = device;
        loop = new ManualIoEventLoop(Thread.currentThread(),
                NioIoHandler.newFactory(provider, DefaultSelectStrategyFactory.INSTANCE));
        boolean isConnected = false;
        try {
            channel = await(new Bootstrap().group(loop).channelFactory(() -> new NioSocketChannel(provider))
                    .handler(new Receiver()).connect(server));
            isConnected = true;
        } finally {
            if (!isConnected) {
                endLoop();
            }
        }
    }

    private Channel await(ChannelFuture future) throws IOException {
        while (!future.isDone()) {
            run("the end of " + future);
        }
        if (!future.isSuccess()) {
            throw new IOException(future.cause());
        }
        return future.channel();
    }

    /** Runs what is ready, or waits for it. */
    private void run(String awaited) throws IOException {
        if (loop.run(TIMEOUT_NANOS) == 0) {
            throw new IOException(awaited + " is missing after " + TIMEOUT_SECONDS + " s");
        }
    }

    @Override
    public void once() throws IOException {
        missing = messages * BYTES;
        for (int i = 0; i < messages; i++) {
            channel.writeAndFlush(channel.alloc().directBuffer(BYTES).writeZero(BYTES));
        }
        while (missing > 0 && failure == null) {
            run("an echo");
        }
        if (failure != null) {
            throw new IOException("the client has failed: " + failure, failure);
        }
    }

    /** Not supported: the server serves. */
    @Override
    public void serve(BooleanSupplier stopped) {
        throw new UnsupportedOperationException("a client of an echo server does not serve");
    }

    @Override
    public void close() throws IOException {
        try (device) {
            channel.close();
            endLoop();
        }
    }

    private void endLoop() {
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        while (!loop.isTerminated()) {
            loop.runNow();
        }
    }

    private final class Receiver extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            missing -= bytes.readableBytes();
            bytes.release();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            failure = new IOException("the server has closed the connection");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            failure = cause;
        }
    }
}
