package io.jverbs.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The socket of a channel that listens. */
final class RdmaServerSocket extends ServerSocket {
    private static final int DEFAULT_BACKLOG = 50;

    private final RdmaServerSocketChannel channel;
    private volatile int timeout;

    RdmaServerSocket(RdmaServerSocketChannel channel) {
        super(new UnusedSocketImpl());
        this.channel = channel;
    }

    @Override
    public void bind(SocketAddress local) throws IOException {
        bind(local, DEFAULT_BACKLOG);
    }

    @Override
    public void bind(SocketAddress local, int backlog) throws IOException {
        try {
            channel.bind(local == null ? new InetSocketAddress(0) : local, backlog);
        } catch (IOException | RuntimeException e) {
            SocketExceptions.rethrow(e);
        }
    }

    @Override
    public InetAddress getInetAddress() {
        InetSocketAddress local = channel.inetAddress();
        return local == null ? null : local.getAddress();
    }

    @Override
    public int getLocalPort() {
        InetSocketAddress local = channel.inetAddress();
        return local == null ? -1 : local.getPort();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return channel.inetAddress();
    }

    @Override
    public Socket accept() throws IOException {
        try {
            int millis = timeout;
            SocketChannel accepted = millis > 0
                    ? channel.accept(TimeUnit.MILLISECONDS.toNanos(millis))
                    : channel.accept();
            if (accepted == null) {
                throw new IllegalBlockingModeException();
            }
            return accepted.socket();
        } catch (IOException | RuntimeException e) {
            SocketExceptions.rethrow(e);
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public ServerSocketChannel getChannel() {
        return channel;
    }

    @Override
    public boolean isBound() {
        return channel.localAddress() != null;
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    private void requireOpen() throws SocketException {
        if (!channel.isOpen()) {
            throw new SocketException("Socket is closed");
        }
    }

    @Override
    public void setSoTimeout(int millis) throws SocketException {
        requireOpen();
        if (millis < 0) {
            throw new IllegalArgumentException("timeout " + millis + " ms is negative");
        }
        timeout = millis;
    }

    @Override
    public int getSoTimeout() throws IOException {
        requireOpen();
        return timeout;
    }

    @Override
    public void setReuseAddress(boolean isOn) throws SocketException {
        set(StandardSocketOptions.SO_REUSEADDR, isOn);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return get(StandardSocketOptions.SO_REUSEADDR);
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        if (size <= 0) {
            throw new IllegalArgumentException("receive buffer size " + size + " is not positive");
        }
        set(StandardSocketOptions.SO_RCVBUF, size);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return get(StandardSocketOptions.SO_RCVBUF);
    }

    private <T> void set(SocketOption<T> name, T value) throws SocketException {
        try {
            channel.setOption(name, value);
        } catch (IOException e) {
            throw SocketExceptions.socket(e);
        }
    }

    private <T> T get(SocketOption<T> name) throws SocketException {
        try {
            return channel.getOption(name);
        } catch (IOException e) {
            throw SocketExceptions.socket(e);
        }
    }

    @Override
    public void setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
        // there is no choice
    }

    @Override
    public <T> ServerSocket setOption(SocketOption<T> name, T value) throws IOException {
        channel.setOption(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        return channel.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return channel.supportedOptions();
    }

    @Override
    public String toString() {
        return isBound()
                ? "ServerSocket[addr=" + getInetAddress() + ",localport=" + getLocalPort() + "]"
                : "ServerSocket[unbound]";
    }
}
