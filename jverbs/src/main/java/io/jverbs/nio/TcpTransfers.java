package io.jverbs.nio;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Transfers over a channel of the JDK. If an interrupt closes that one, the channel of this provider is closed, too.
 * Thread-safe.
 */
final class TcpTransfers implements SocketTransfers {
    private final RdmaSocketChannel channel;
    private final SocketChannel tcp;

    TcpTransfers(RdmaSocketChannel channel, SocketChannel tcp) {
        this.channel = channel;
        this.tcp = tcp;
    }

    SocketChannel tcp() {
        return tcp;
    }

    private <E extends IOException> E closed(E thrown) throws IOException {
        if (!tcp.isOpen()) {
            channel.close();
        }
        return thrown;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        try {
            return tcp.read(into);
        } catch (ClosedChannelException e) {
            throw closed(e);
        }
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        try {
            return tcp.read(into, offset, length);
        } catch (ClosedChannelException e) {
            throw closed(e);
        }
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        try {
            return tcp.write(from);
        } catch (ClosedChannelException e) {
            throw closed(e);
        }
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        try {
            return tcp.write(from, offset, length);
        } catch (ClosedChannelException e) {
            throw closed(e);
        }
    }

    @Override
    public int read(byte[] into, int offset, int length, long nanos) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        try {
            Socket socket = tcp.socket();
            long millis = nanos == 0 ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
            socket.setSoTimeout((int) Math.min(millis, Integer.MAX_VALUE));
            return socket.isInputShutdown() && length > 0 ? -1 : socket.getInputStream().read(into, offset, length);
        } catch (ClosedChannelException e) {
            throw closed(e);
        }
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        try {
            tcp.socket().getOutputStream().write(from, offset, length);
        } catch (ClosedChannelException e) {
            throw closed(e);
        }
    }

    @Override
    public int available() throws IOException {
        Socket socket = tcp.socket();
        return socket.isInputShutdown() ? 0 : socket.getInputStream().available();
    }

    @Override
    public void shutdownInput() throws IOException {
        tcp.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        tcp.shutdownOutput();
    }

    @Override
    public boolean isInputShut() {
        return tcp.socket().isInputShutdown();
    }

    @Override
    public boolean isOutputShut() {
        return tcp.socket().isOutputShutdown();
    }

    @Override
    public <T> void setOption(SocketOption<T> option, T value) throws IOException {
        tcp.setOption(option, value);
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        return tcp.getOption(option);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return tcp.supportedOptions();
    }

    @Override
    public void close() throws IOException {
        tcp.close();
    }
}
