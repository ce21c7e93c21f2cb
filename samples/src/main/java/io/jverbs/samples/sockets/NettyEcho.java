package io.jverbs.samples.sockets;

import io.jverbs.nio.RdmaSocketOptions;
import io.jverbs.rsocket.RdmaStreamCounters;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * An echo server with Netty, and a client that measures its round trips.
 *
 * @param size the length of a message in bytes
 * @param count the number of round trips of the client
 * @param out standard output
 */
record NettyEcho(int size, int count, PrintWriter out) {
    private static final double NANOS_PER_MICRO = 1e3;

    private static EventLoopGroup threads() {
        return new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    }

    /** Waits for an operation, and returns its channel. */
    private static Channel done(ChannelFuture operation) throws InterruptedException, ExecutionException {
        // sync() would throw the cause, which is not declared
        if (!operation.await().isSuccess()) {
            throw new ExecutionException(operation.cause());
        }
        return operation.channel();
    }

    /** Echoes what clients send until the thread is interrupted. */
    void serve(InetSocketAddress address) throws InterruptedException, ExecutionException {
        try (EventLoopGroup group = threads()) {
            Channel listener = done(new ServerBootstrap().group(group).channel(NioServerSocketChannel.class)
                    .childHandler(new ChannelInitializer<SocketChannel>() {
                        @Override
                        protected void initChannel(SocketChannel channel) {
                            channel.pipeline().addLast(new Echo());
                        }
                    }).bind(address));
            out.println("listens at " + listener.localAddress());
            out.flush();
            listener.closeFuture().sync();
        }
    }

    private static final class Echo extends ChannelInboundHandlerAdapter {
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
            context.close();
        }
    }

    /** Sends messages one after the other, each when the one before has come back. */
    void measure(InetSocketAddress server) throws InterruptedException, ExecutionException {
        try (EventLoopGroup group = threads()) {
            CompletableFuture<Long> nanos = new CompletableFuture<>();
            Channel channel = done(new Bootstrap().group(group).channel(NioSocketChannel.class)
                    .handler(new Client(size, count, nanos)).connect(server));
            out.printf(Locale.ROOT, "%d round trips of %d bytes, %.2f us each%n", count, size,
                    nanos.get() / NANOS_PER_MICRO / count);
            // null with TCP
            RdmaStreamCounters counters = channel.config()
                    .getOption(NioChannelOption.of(RdmaSocketOptions.STREAM_COUNTERS));
            if (counters != null) {
                out.printf(Locale.ROOT, "by RDMA: %d bytes sent, %d received%n", counters.sentBytes(),
                        counters.receivedBytes());
            }
            out.flush();
            channel.close().sync();
        }
    }

    private static final class Client extends ChannelInboundHandlerAdapter {
        private final int size;
        private final CompletableFuture<Long> nanos;
        private final long start = System.nanoTime();
        private int left;
        private int received;

        Client(int size, int count, CompletableFuture<Long> nanos) {
            this.size = size;
            this.left = count;
            this.nanos = nanos;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            send(context);
        }

        private void send(ChannelHandlerContext context) {
            ByteBuf message = context.alloc().directBuffer(size);
            for (int i = 0; i < size; i++) {
                message.writeByte(left + i);
            }
            context.writeAndFlush(message);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            try {
                for (int i = 0; i < bytes.readableBytes(); i++) {
                    if (bytes.getByte(i) != (byte) (left + received + i)) {
                        throw new IllegalStateException("byte " + (received + i) + " of a message is wrong");
                    }
                }
                received += bytes.readableBytes();
            } finally {
                bytes.release();
            }
            if (received < size) {
                return;
            }
            received = 0;
            left--;
            if (left > 0) {
                send(context);
            } else {
                nanos.complete(System.nanoTime() - start);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            nanos.completeExceptionally(new IOException("the server has closed the connection"));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            nanos.completeExceptionally(cause);
            context.close();
        }
    }
}
