package io.jverbs.nio;

import io.jverbs.nio.selector.ChannelKeys;
import io.jverbs.nio.selector.RdmaChannel;
import io.jverbs.rsocket.RdmaStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;

/**
 * A channel that connects by RDMA or TCP, which it decides when it knows the address. Until then, and for TCP, it uses
 * a channel of the JDK, so the options and the local address that a program sets before are carried over.
 */
final class RdmaSocketChannel extends SocketChannel implements RdmaChannel {
    private final ChannelKeys keys = new ChannelKeys();
    private final SocketConnector connector;
    private final LocalBinding binding;
    private final StreamSocketOptions options;
    /** The channel of the JDK, null if the stream was accepted. */
    private final SocketChannel tcp;
    /** What transfers bytes, null until the transport is chosen. */
    private volatile SocketTransfers transfers;
    /** The addresses of a stream. */
    private volatile InetSocketAddress local;
    private volatile InetSocketAddress remote;
    /** Made on demand; guarded by this channel. */
    private RdmaSocket socket;

    private RdmaSocketChannel(RdmaSelectorProvider provider, SocketChannel tcp, StreamSocketOptions options) {
        super(provider);
        this.tcp = tcp;
        this.options = options;
        this.binding = new LocalBinding(provider.transport(), tcp);
        this.connector = new SocketConnector(this, provider.transport(), tcp, options, binding);
    }

    /** Creates a channel that is not connected, and decides when it connects. */
    static RdmaSocketChannel open(RdmaSelectorProvider provider, SocketChannel tcp) {
        return new RdmaSocketChannel(provider, tcp, new StreamSocketOptions());
    }

    /** Creates a channel that uses a channel of the JDK in any case. */
    static RdmaSocketChannel ofTcp(RdmaSelectorProvider provider, SocketChannel tcp) {
        RdmaSocketChannel made = new RdmaSocketChannel(provider, tcp, new StreamSocketOptions());
        made.transfers = new TcpTransfers(made, tcp);
        return made;
    }

    /** Creates a channel that is connected. */
    static RdmaSocketChannel ofStream(RdmaSelectorProvider provider, RdmaStream stream) {
        RdmaSocketChannel made = new RdmaSocketChannel(provider, null, new StreamSocketOptions());
        made.local = stream.localAddress();
        made.remote = stream.peerAddress();
        made.transfers = new StreamTransfers(made, stream, made.options);
        return made;
    }

    // ---- what the connector and the transfers use

    void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    /** Begins an operation that an interrupt, or a close, ends if it blocks. */
    void beginTransfer(boolean isBlocking) throws ClosedChannelException {
        if (isBlocking) {
            begin();
            requireOpen();
        }
    }

    /** Ends such an operation; throws if the channel was closed meanwhile, and it is not completed. */
    void endTransfer(boolean isBlocking, boolean isCompleted) throws AsynchronousCloseException {
        if (!isBlocking) {
            return;
        }
        try {
            end(isCompleted);
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (AsynchronousCloseException e) {
            // a device that blocks in this thread may have taken the place of this channel
            throw Thread.currentThread().isInterrupted() ? new ClosedByInterruptException() : e;
        }
    }

    /** Closes this channel because the thread was interrupted in an operation. */
    void interrupted() throws IOException {
        Thread.currentThread().interrupt();
        close();
    }

    SocketTransfers transfers() {
        return transfers;
    }

    /** Notes that this channel uses TCP. */
    void chooseTcp() {
        transfers = new TcpTransfers(this, tcp);
    }

    /** Notes that the stream is established. */
    void established(RdmaStream stream) throws IOException {
        local = stream.localAddress();
        transfers = new StreamTransfers(this, stream, options);
        tcp.close();
    }

    void remote(InetSocketAddress address) {
        remote = address;
    }

    InetSocketAddress remote() {
        return remote;
    }

    /** Returns what transfers bytes, when a thread that connects is done; throws if there is nothing. */
    private SocketTransfers requireConnected() throws ClosedChannelException {
        SocketTransfers chosen = transfers;
        if (chosen != null) {
            return chosen;
        }
        requireOpen();
        connector.awaitConnect();
        chosen = transfers;
        if (chosen == null) {
            requireOpen();
            throw new NotYetConnectedException();
        }
        return chosen;
    }

    private boolean isStream() {
        return transfers instanceof StreamTransfers;
    }

    private boolean isTcp() {
        return transfers instanceof TcpTransfers;
    }

    // ---- SocketChannel

    @Override
    public SocketChannel bind(SocketAddress address) throws IOException {
        requireOpen();
        if (connector.isPending()) {
            throw new ConnectionPendingException();
        }
        if (isStream()) {
            throw new AlreadyBoundException();
        }
        if (isTcp()) {
            tcp.bind(address);
        } else {
            binding.bind(address);
        }
        return this;
    }

    @Override
    public boolean connect(SocketAddress address) throws IOException {
        return connector.connect(address);
    }

    @Override
    public boolean finishConnect() throws IOException {
        return connector.finishConnect();
    }

    /** Connects with a limit, for the socket of this channel. */
    void connect(SocketAddress address, long nanos) throws IOException {
        connector.connect(address, nanos);
    }

    @Override
    public boolean isConnected() {
        return isOpen() && (isStream() || isTcp() && tcp.isConnected() && !connector.mustFinish());
    }

    @Override
    public boolean isConnectionPending() {
        return isOpen() && (connector.isPending() || isTcp() && (tcp.isConnectionPending() || connector.mustFinish()));
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        Objects.requireNonNull(into, "into");
        return requireConnected().read(into);
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        return requireConnected().read(into, offset, length);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        Objects.requireNonNull(from, "from");
        return requireConnected().write(from);
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        return requireConnected().write(from, offset, length);
    }

    @Override
    public SocketChannel shutdownInput() throws IOException {
        connected().shutdownInput();
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        connected().shutdownOutput();
        return this;
    }

    /** Returns what transfers bytes; throws if this channel is closed or not connected. */
    SocketTransfers connected() throws ClosedChannelException {
        requireOpen();
        if (!isConnected()) {
            throw new NotYetConnectedException();
        }
        return transfers;
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        return isStream() ? local : isTcp() ? tcp.getLocalAddress() : binding.local();
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        requireOpen();
        return isTcp() ? tcp.getRemoteAddress() : remote;
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        Objects.requireNonNull(name, "name");
        OptionChecks.require(name, supportedOptions());
        OptionChecks.requireType(name, value);
        requireOpen();
        SocketTransfers chosen = transfers;
        if (chosen == null) {
            tcp.setOption(name, value);
            options.set(name, value);
        } else {
            chosen.setOption(name, value);
        }
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        Objects.requireNonNull(name, "name");
        OptionChecks.require(name, supportedOptions());
        requireOpen();
        SocketTransfers chosen = transfers;
        return chosen == null ? tcp.getOption(name) : chosen.getOption(name);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        SocketTransfers chosen = transfers;
        return chosen == null ? tcp.supportedOptions() : chosen.supportedOptions();
    }

    @Override
    public Socket socket() {
        if (isTcp()) {
            // refuses a channel of another family than that of IP
            tcp.socket();
        }
        synchronized (this) {
            if (socket == null) {
                socket = newSocket();
            }
            return socket;
        }
    }

    private RdmaSocket newSocket() {
        try {
            return new RdmaSocket(this);
        } catch (SocketException e) {
            throw new IllegalStateException("the JDK refuses the socket of " + this, e);
        }
    }

    /** Returns the local address also of a channel that is closed; null if there is none. */
    InetSocketAddress localAddress() {
        return isStream() ? local : binding.localOfClosed();
    }

    /** Returns the address of the peer also of a channel that is closed; null if there is none. */
    InetSocketAddress remoteAddress() {
        return isTcp() ? (InetSocketAddress) tcp.socket().getRemoteSocketAddress() : remote;
    }

    // ---- AbstractSelectableChannel

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        try {
            connector.close();
        } finally {
            closeTransfers();
        }
    }

    private void closeTransfers() throws IOException {
        SocketTransfers chosen = transfers;
        try {
            if (chosen != null) {
                chosen.close();
            }
        } finally {
            try {
                binding.close();
            } finally {
                if (tcp != null) {
                    tcp.close();
                }
            }
        }
    }

    @Override
    protected void implConfigureBlocking(boolean isBlocking) throws IOException {
        if (tcp != null) {
            connector.configureBlocking(isBlocking);
        }
    }

    // ---- RdmaChannel

    @Override
    public int readyOps(int interest) {
        if (!isOpen()) {
            return 0;
        }
        if (!(transfers instanceof StreamTransfers chosen)) {
            return connector.readyOps(interest);
        }
        try {
            return ops(chosen.stream().ready());
        } catch (IllegalStateException e) {
            // the context is closed: a transfer throws
            return SelectionKey.OP_READ | SelectionKey.OP_WRITE;
        }
    }

    private static int ops(int ready) {
        return ((ready & RdmaStream.READABLE) != 0 ? SelectionKey.OP_READ : 0)
                | ((ready & RdmaStream.WRITABLE) != 0 ? SelectionKey.OP_WRITE : 0);
    }

    @Override
    public void requestNotification(int interest) {
        if (!isStream()) {
            connector.requestNotification(keys);
        }
        // also if it is established meanwhile: the request of the connector replaces that of another selector
        if (!(transfers instanceof StreamTransfers chosen)) {
            return;
        }
        int bits = ((interest & SelectionKey.OP_READ) != 0 ? RdmaStream.READABLE : 0)
                | ((interest & SelectionKey.OP_WRITE) != 0 ? RdmaStream.WRITABLE : 0);
        chosen.stream().requestNotification(bits, keys);
    }

    @Override
    public SelectableChannel jdkChannel() {
        return isTcp() ? tcp : null;
    }

    @Override
    public ChannelKeys keys() {
        return keys;
    }

    @Override
    public String toString() {
        if (!isOpen()) {
            return "RdmaSocketChannel[closed]";
        }
        if (!isStream()) {
            return connector.isPending()
                    ? "RdmaSocketChannel[connection-pending rdma remote=" + remote + "]"
                    : "RdmaSocketChannel[" + tcp + "]";
        }
        return "RdmaSocketChannel[rdma local=" + local + " remote=" + remote
                + (transfers.isInputShut() ? " ishut" : "") + (transfers.isOutputShut() ? " oshut" : "") + "]";
    }
}
