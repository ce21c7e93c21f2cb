package io.jverbs.nio;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The socket of a channel. */
final class RdmaSocket extends Socket {
    private static final int NO_LINGER = -1;
    private static final int MAX_TRAFFIC_CLASS = 255;

    private final RdmaSocketChannel channel;
    private volatile int timeout;

    RdmaSocket(RdmaSocketChannel channel) throws SocketException {
        super(new UnusedSocketImpl());
        this.channel = channel;
    }

    @Override
    public void connect(SocketAddress remote) throws IOException {
        connect(remote, 0);
    }

    @Override
    public void connect(SocketAddress remote, int millis) throws IOException {
        if (remote == null) {
            throw new IllegalArgumentException("connect: The address can't be null");
        }
        if (millis < 0) {
            throw new IllegalArgumentException("connect: timeout " + millis + " ms can't be negative");
        }
        if (remote instanceof InetSocketAddress address && address.isUnresolved()) {
            requireOpen();
            if (channel.isConnected()) {
                throw new SocketException("Already connected");
            }
            close();
            throw new UnknownHostException(remote.toString());
        }
        try {
            channel.connect(remote, TimeUnit.MILLISECONDS.toNanos(millis));
        } catch (IOException | RuntimeException e) {
            SocketExceptions.rethrow(e);
        }
    }

    @Override
    public void bind(SocketAddress local) throws IOException {
        try {
            channel.bind(local);
        } catch (IOException | RuntimeException e) {
            SocketExceptions.rethrow(e);
        }
    }

    @Override
    public InetAddress getInetAddress() {
        InetSocketAddress remote = channel.remoteAddress();
        return remote == null ? null : remote.getAddress();
    }

    @Override
    public InetAddress getLocalAddress() {
        InetSocketAddress local = channel.isOpen() ? channel.localAddress() : null;
        return local == null ? new InetSocketAddress(0).getAddress() : local.getAddress();
    }

    @Override
    public int getPort() {
        InetSocketAddress remote = channel.remoteAddress();
        return remote == null ? 0 : remote.getPort();
    }

    @Override
    public int getLocalPort() {
        InetSocketAddress local = channel.localAddress();
        return local == null ? -1 : local.getPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return channel.remoteAddress();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return channel.localAddress();
    }

    @Override
    public SocketChannel getChannel() {
        return channel;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        requireConnected();
        if (isInputShutdown()) {
            throw new SocketException("Socket input is shutdown");
        }
        return new ChannelStreams.Input(channel, () -> timeout);
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        requireConnected();
        if (isOutputShutdown()) {
            throw new SocketException("Socket output is shutdown");
        }
        return new ChannelStreams.Output(channel);
    }

    private void requireOpen() throws SocketException {
        if (!channel.isOpen()) {
            throw new SocketException("Socket is closed");
        }
    }

    private void requireConnected() throws SocketException {
        requireOpen();
        if (!channel.isConnected()) {
            throw new SocketException("Socket is not connected");
        }
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
    public void setTcpNoDelay(boolean isOn) throws SocketException {
        set(StandardSocketOptions.TCP_NODELAY, isOn);
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException {
        return get(StandardSocketOptions.TCP_NODELAY);
    }

    @Override
    public void setSoLinger(boolean isOn, int seconds) throws SocketException {
        set(StandardSocketOptions.SO_LINGER, isOn ? seconds : NO_LINGER);
    }

    @Override
    public int getSoLinger() throws SocketException {
        return get(StandardSocketOptions.SO_LINGER);
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        throw new SocketException("there is no urgent data over RDMA, and this channel does not send it by TCP");
    }

    @Override
    public void setOOBInline(boolean isOn) throws SocketException {
        if (isOn) {
            throw new SocketException("there is no urgent data over RDMA, and this channel does not receive it by TCP");
        }
    }

    @Override
    public boolean getOOBInline() {
        return false;
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
    public int getSoTimeout() throws SocketException {
        requireOpen();
        return timeout;
    }

    @Override
    public void setSendBufferSize(int size) throws SocketException {
        set(StandardSocketOptions.SO_SNDBUF, requirePositive("send", size));
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return get(StandardSocketOptions.SO_SNDBUF);
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        set(StandardSocketOptions.SO_RCVBUF, requirePositive("receive", size));
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return get(StandardSocketOptions.SO_RCVBUF);
    }

    private static int requirePositive(String which, int size) {
        if (size <= 0) {
            throw new IllegalArgumentException(which + " buffer size " + size + " is not positive");
        }
        return size;
    }

    @Override
    public void setKeepAlive(boolean isOn) throws SocketException {
        set(StandardSocketOptions.SO_KEEPALIVE, isOn);
    }

    @Override
    public boolean getKeepAlive() throws SocketException {
        return get(StandardSocketOptions.SO_KEEPALIVE);
    }

    /** Sets a hint, which a connection on RDMA ignores. */
    @Override
    public void setTrafficClass(int trafficClass) throws SocketException {
        if (trafficClass < 0 || trafficClass > MAX_TRAFFIC_CLASS) {
            throw new IllegalArgumentException("traffic class " + trafficClass + " is outside 0.." + MAX_TRAFFIC_CLASS);
        }
        requireOpen();
        if (hasTrafficClass()) {
            set(StandardSocketOptions.IP_TOS, trafficClass);
        }
    }

    @Override
    public int getTrafficClass() throws SocketException {
        requireOpen();
        return hasTrafficClass() ? get(StandardSocketOptions.IP_TOS) : 0;
    }

    private boolean hasTrafficClass() {
        return channel.supportedOptions().contains(StandardSocketOptions.IP_TOS);
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
    public void setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
        // there is no choice
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public void shutdownInput() throws IOException {
        try {
            channel.shutdownInput();
        } catch (IOException | RuntimeException e) {
            SocketExceptions.rethrow(e);
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        try {
            channel.shutdownOutput();
        } catch (IOException | RuntimeException e) {
            SocketExceptions.rethrow(e);
        }
    }

    @Override
    public boolean isConnected() {
        return channel.isConnected();
    }

    @Override
    public boolean isBound() {
        return channel.localAddress() != null;
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public boolean isInputShutdown() {
        SocketTransfers transfers = channel.transfers();
        return transfers != null && transfers.isInputShut();
    }

    @Override
    public boolean isOutputShutdown() {
        SocketTransfers transfers = channel.transfers();
        return transfers != null && transfers.isOutputShut();
    }

    @Override
    public <T> Socket setOption(SocketOption<T> name, T value) throws IOException {
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
        return isConnected()
                ? "Socket[addr=" + getInetAddress() + ",port=" + getPort() + ",localport=" + getLocalPort() + "]"
                : "Socket[unconnected]";
    }
}
