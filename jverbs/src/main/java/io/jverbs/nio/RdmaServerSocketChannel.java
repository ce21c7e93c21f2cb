package io.jverbs.nio;

import io.jverbs.nio.selector.ChannelKeys;
import io.jverbs.nio.selector.RdmaChannel;
import io.jverbs.rsocket.RdmaStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A channel that listens by RDMA, TCP or both, which it decides when it knows the address. Until then, and for TCP, it
 * uses a channel of the JDK.
 */
final class RdmaServerSocketChannel extends ServerSocketChannel implements RdmaChannel {
    private static final long NO_LIMIT = 0;

    private final RdmaSelectorProvider provider;
    /** Whether another family than that of IP was asked for. */
    private final boolean isFixed;
    private final ChannelKeys keys = new ChannelKeys();
    private final StreamSocketOptions options = new StreamSocketOptions();
    /** Held while a thread accepts, binds, or changes the blocking mode. */
    private final ReentrantLock acceptLock = new ReentrantLock();
    /** Guards the binding; nothing waits for a connection while it is held. */
    private final Object stateLock = new Object();
    /** The blocking mode, which does not change while a thread accepts. */
    private volatile boolean blocks = true;
    private volatile ServerSocketChannel tcp;
    /** What this channel is bound to, null if it is not bound. */
    private volatile ListenerPair bound;
    /** Made on demand; guarded by this channel. */
    private RdmaServerSocket socket;

    RdmaServerSocketChannel(RdmaSelectorProvider provider, ServerSocketChannel tcp, boolean isFixed) {
        super(provider);
        this.provider = provider;
        this.tcp = tcp;
        this.isFixed = isFixed;
    }

    private void requireOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public ServerSocketChannel bind(SocketAddress local, int backlog) throws IOException {
        // a thread that accepts has the lock
        requireUnbound();
        acceptLock.lock();
        try {
            synchronized (stateLock) {
                requireUnbound();
                bound = isFixed
                        ? ListenerPair.ofTcp(tcp, local, backlog)
                        : ListenerPair.bind(provider.transport(), tcp, next -> tcp = next, options, local, backlog);
            }
        } finally {
            acceptLock.unlock();
        }
        if (jdkChannel() != null) {
            keys.use(tcp);
        }
        keys.run();
        return this;
    }

    private void requireUnbound() throws ClosedChannelException {
        requireOpen();
        if (bound != null) {
            throw new AlreadyBoundException();
        }
    }

    @Override
    public SocketChannel accept() throws IOException {
        return accept(NO_LIMIT, false);
    }

    /** Accepts within a time, for the socket of this channel; 0 for no limit. The channel must block. */
    SocketChannel accept(long nanos) throws IOException {
        return accept(nanos, true);
    }

    private SocketChannel accept(long nanos, boolean mustBlock) throws IOException {
        acceptLock.lock();
        try {
            requireOpen();
            if (mustBlock && !blocks) {
                throw new IllegalBlockingModeException();
            }
            ListenerPair pair = bound;
            if (pair == null) {
                throw new NotYetBoundException();
            }
            if (!pair.hasRdma()) {
                return wrap(acceptTcp(nanos));
            }
            return blocks ? await(pair, nanos) : wrap(pair.tryAccept());
        } finally {
            acceptLock.unlock();
        }
    }

    private SocketChannel acceptTcp(long nanos) throws IOException {
        try {
            if (nanos == NO_LIMIT) {
                return tcp.accept();
            }
            ServerSocket limited = tcp.socket();
            limited.setSoTimeout((int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
            return limited.accept().getChannel();
        } catch (ClosedChannelException e) {
            // an interrupt has closed the channel of the JDK
            close();
            throw e;
        }
    }

    private SocketChannel await(ListenerPair pair, long nanos) throws IOException {
        Object accepted = null;
        try {
            begin();
            requireOpen();
            long deadline = System.nanoTime() + nanos;
            accepted = pair.tryAccept();
            while (accepted == null && isOpen() && !Thread.currentThread().isInterrupted()) {
                if (!pair.await(nanos != NO_LIMIT, deadline)) {
                    throw new SocketTimeoutException("Accept timed out");
                }
                accepted = pair.tryAccept();
            }
            if (accepted == null && isOpen()) {
                // the selector of the wait may have taken the place of this channel
                close();
            }
        } finally {
            endAccept(accepted);
        }
        return wrap(accepted);
    }

    private void endAccept(Object accepted) throws IOException {
        boolean isReturned = false;
        try {
            end(accepted != null);
            isReturned = true;
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (AsynchronousCloseException e) {
            throw Thread.currentThread().isInterrupted() ? new ClosedByInterruptException() : e;
        } finally {
            if (!isReturned) {
                discard(accepted);
            }
        }
    }

    /** Closes a connection that the program does not get. */
    private static void discard(Object accepted) throws IOException {
        if (accepted instanceof RdmaStream stream) {
            BackgroundCloses.close(stream);
        } else if (accepted instanceof SocketChannel connected) {
            connected.close();
        }
    }

    /** Returns the channel of a connection, or null for none; closes the connection if that fails. */
    private SocketChannel wrap(Object accepted) throws IOException {
        SocketChannel made = null;
        try {
            made = channelOf(accepted);
            return made;
        } finally {
            if (made == null) {
                discard(accepted);
            }
        }
    }

    /** Returns the channel of a connection, which blocks. */
    private SocketChannel channelOf(Object accepted) throws IOException {
        if (accepted instanceof RdmaStream stream) {
            return RdmaSocketChannel.ofStream(provider, stream);
        }
        if (accepted instanceof SocketChannel connected) {
            connected.configureBlocking(true);
            return RdmaSocketChannel.ofTcp(provider, connected);
        }
        return null;
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        requireOpen();
        return localAddress();
    }

    /** Returns the local address also of a channel that is closed; null if it is not bound. */
    SocketAddress localAddress() {
        ListenerPair pair = bound;
        return pair == null ? null : pair.address();
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) throws IOException {
        Objects.requireNonNull(name, "name");
        OptionChecks.require(name, supportedOptions());
        OptionChecks.requireType(name, value);
        requireOpen();
        if (tcp.isOpen()) {
            tcp.setOption(name, value);
        }
        options.set(name, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) throws IOException {
        Objects.requireNonNull(name, "name");
        OptionChecks.require(name, supportedOptions());
        requireOpen();
        return tcp.isOpen() ? tcp.getOption(name) : options.get(name, options.applyTo(provider.transport().options()));
    }

    /** {@return the options of TCP; for RDMA, those of them that streams have} */
    @Override
    public Set<SocketOption<?>> supportedOptions() {
        ListenerPair pair = bound;
        return pair != null && pair.isRdmaOnly() ? ListenerPair.RDMA_OPTIONS : tcp.supportedOptions();
    }

    @Override
    public ServerSocket socket() {
        if (isFixed) {
            // refuses a channel of another family than that of IP
            tcp.socket();
        }
        synchronized (this) {
            if (socket == null) {
                socket = new RdmaServerSocket(this);
            }
            return socket;
        }
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        ListenerPair pair;
        ServerSocketChannel unbound;
        synchronized (stateLock) {
            pair = bound;
            unbound = tcp;
        }
        try {
            if (pair != null) {
                pair.close();
            }
        } finally {
            unbound.close();
        }
    }

    @Override
    protected void implConfigureBlocking(boolean isBlocking) throws IOException {
        // as the JDK, not while a thread accepts: a selector would get the notification that the thread waits for
        acceptLock.lock();
        try {
            requireOpen();
            ListenerPair pair = bound;
            if (pair == null || !pair.hasRdma()) {
                keys.cancelStale();
                tcp.configureBlocking(isBlocking);
            } else if (isBlocking && !pair.isRdmaOnly()) {
                keys.cancelStale();
            }
            blocks = isBlocking;
        } finally {
            acceptLock.unlock();
        }
    }

    @Override
    public int readyOps(int interest) {
        ListenerPair pair = bound;
        return isOpen() && pair != null && pair.isStreamReady() ? SelectionKey.OP_ACCEPT : 0;
    }

    @Override
    public void requestNotification(int interest) {
        ListenerPair pair = bound;
        if (pair != null && (interest & SelectionKey.OP_ACCEPT) != 0) {
            pair.requestNotification(keys);
        }
    }

    @Override
    public SelectableChannel jdkChannel() {
        ListenerPair pair = bound;
        return pair != null && !pair.isRdmaOnly() ? tcp : null;
    }

    @Override
    public ChannelKeys keys() {
        return keys;
    }

    @Override
    public String toString() {
        return "RdmaServerSocketChannel[" + (!isOpen() ? "closed" : bound == null ? "unbound" : bound.toString()) + "]";
    }

    /** Returns the address as a socket has it. */
    InetSocketAddress inetAddress() {
        return (InetSocketAddress) localAddress();
    }
}
