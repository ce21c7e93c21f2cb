package io.jverbs.samples.rsocket;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/** A TCP connection. */
final class TcpByteStream implements ByteStream {
    private static final Duration LONG = Duration.ofSeconds(1);

    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;

    TcpByteStream(SocketChannel channel) throws IOException {
        this.channel = channel;
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        this.selector = channel.provider().openSelector();
        this.key = channel.register(selector, 0);
    }

    @Override
    public int tryRead(ByteBuffer into) throws IOException {
        return channel.read(into);
    }

    @Override
    public int read(ByteBuffer into) throws IOException, InterruptedException {
        int count = tryRead(into);
        while (count == 0) {
            awaitReadable(LONG);
            count = tryRead(into);
        }
        return count;
    }

    @Override
    public int tryWrite(ByteBuffer from) throws IOException {
        return channel.write(from);
    }

    @Override
    public void write(ByteBuffer from) throws IOException, InterruptedException {
        tryWrite(from);
        while (from.hasRemaining()) {
            awaitWritable(LONG);
            tryWrite(from);
        }
    }

    @Override
    public boolean awaitReadable(Duration timeout) throws IOException, InterruptedException {
        return await(SelectionKey.OP_READ, timeout);
    }

    @Override
    public boolean awaitWritable(Duration timeout) throws IOException, InterruptedException {
        return await(SelectionKey.OP_WRITE, timeout);
    }

    private boolean await(int operation, Duration timeout) throws IOException, InterruptedException {
        key.interestOps(operation);
        selector.selectedKeys().clear();
        int count = timeout.isZero() ? selector.selectNow() : selector.select(timeout.toMillis());
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return count > 0;
    }

    @Override
    public void shutdownOutput() throws IOException {
        channel.shutdownOutput();
    }

    @Override
    public void shutdown() throws IOException {
        channel.shutdownOutput();
        channel.shutdownInput();
    }

    @Override
    public void close() throws IOException {
        selector.close();
        channel.close();
    }
}
