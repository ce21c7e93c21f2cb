package io.jverbs.bench.streams.netty;

import io.jverbs.bench.process.Workload;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultSelectStrategyFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** An echo server, with a thread of Netty for all connections. */
public final class EchoServer implements Workload {
    private static final long CHECK_NANOS = 20_000_000;
    private static final int TIMEOUT_SECONDS = 10;

    private final Closeable device;
    private final EventLoopGroup group;
    private final InetSocketAddress address;
    private volatile Throwable failure;

    /**
     * Listens at an address, and at a free port.
     *
     * @param provider the provider of the channels
     * @param address the address
     * @param device closed last
     */
    public EchoServer(SelectorProvider provider, InetAddress address, Closeable device) {
        this.device = device;
        group = new MultiThreadIoEventLoopGroup(1,
                NioIoHandler.newFactory(provider, DefaultSelectStrategyFactory.INSTANCE));
        Channel listener = new ServerBootstrap().group(group).channelFactory(() -> new NioServerSocketChannel(provider))
                .childHandler(new Echo()).bind(address, 0).syncUninterruptibly().channel();
        this.address = (InetSocketAddress) listener.localAddress();
    }

    /** {@return the address at which it listens} */
    public InetSocketAddress address() {
        return address;
    }

    /** Not supported: the client measures. */
    @Override
    public void once() {
        throw new UnsupportedOperationException("an echo server does not measure");
    }

    @Override
    public void serve(BooleanSupplier stopped) throws IOException {
        while (!stopped.getAsBoolean()) {
            LockSupport.parkNanos(CHECK_NANOS);
            if (failure != null) {
                throw new IOException("the echo server has failed: " + failure, failure);
            }
        }
    }

    @Override
    public void close() throws IOException {
        try (device) {
            // and so the channels
            group.shutdownGracefully(0, TIMEOUT_SECONDS, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    @ChannelHandler.Sharable
    private final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            failure = cause;
            context.close();
        }
    }
}
