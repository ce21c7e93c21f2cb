package io.jverbs.nio;

import io.jverbs.nio.RdmaTransport.Choice;
import io.jverbs.nio.selector.ChannelKeys;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.journal.StreamJournal;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects a channel: chooses the transport, and takes TCP if the peer has no RDMA and the rule permits that.
 * Thread-safe.
 */
final class SocketConnector {
    private static final Logger LOG = LoggerFactory.getLogger(SocketConnector.class);
    private static final long NO_LIMIT = 0;

    private final RdmaSocketChannel channel;
    private final RdmaTransport transport;
    private final SocketChannel tcp;
    private final StreamSocketOptions options;
    private final LocalBinding local;
    /** Held while a thread connects. */
    private final ReentrantLock lock = new ReentrantLock();
    /** Guards the state and what belongs to it; nothing waits while it is held. */
    private final Object stateLock = new Object();
    private volatile State state;
    /** In CONNECTING. */
    private volatile StreamAttempt attempt;
    /** In FAILED: why a selector could not connect by TCP. */
    private volatile IOException failure;

    /**
     * How far a connection is. For TCP, the channel of the JDK has the rest of the state.
     * <pre>
     * state        connect, RDMA  connect, TCP  established  no RDMA, TCP begins     TCP fails   finishConnect  close
     * IDLE         CONNECTING     TCP           -            -                       -           -              CLOSED
     * CONNECTING   -              -             STREAM       TCP, TCP_UNFINISHED     FAILED      -              CLOSED
     * STREAM       -              -             -            -                       -           -              CLOSED
     * TCP_UNFINISHED -            -             -            -                       -           TCP            CLOSED
     * FAILED       -              -             -            -                       -           throws         CLOSED
     * TCP          -              -             -            -                       -           -              CLOSED
     * </pre>
     */
    private enum State {
        IDLE,
        CONNECTING,
        STREAM,
        /** TCP has connected at once, and the program has not called finishConnect since. */
        TCP_UNFINISHED,
        FAILED,
        TCP,
        CLOSED
    }

    /** Creates the connector of a channel; its channel of the JDK is null if the stream was accepted. */
    SocketConnector(RdmaSocketChannel channel, RdmaTransport transport, SocketChannel tcp,
            StreamSocketOptions options, LocalBinding local) {
        this.channel = channel;
        this.transport = transport;
        this.tcp = tcp;
        this.options = options;
        this.local = local;
        this.state = tcp == null ? State.STREAM : State.IDLE;
    }

    /** Returns whether the stream is not established yet, or could not be. */
    boolean isPending() {
        State present = state;
        return present == State.CONNECTING || present == State.FAILED;
    }

    /** Returns whether TCP has connected, but the program does not know it yet. */
    boolean mustFinish() {
        return state == State.TCP_UNFINISHED;
    }

    boolean connect(SocketAddress remote) throws IOException {
        return connect(remote, NO_LIMIT, false);
    }

    /** Connects a channel that blocks, within a time; 0 for no limit. */
    void connect(SocketAddress remote, long nanos) throws IOException {
        connect(remote, nanos, true);
    }

    private boolean connect(SocketAddress remote, long nanos, boolean mustBlock) throws IOException {
        if (channel.transfers() instanceof TcpTransfers) {
            return connectTcp(remote, nanos, mustBlock);
        }
        InetSocketAddress address = check(remote);
        try {
            lock.lock();
            try {
                boolean isBlocking = channel.isBlocking();
                if (mustBlock && !isBlocking) {
                    throw new IllegalBlockingModeException();
                }
                channel.requireOpen();
                requireIdle();
                if (!begin(address)) {
                    return connectTcp(remote, nanos, mustBlock);
                }
                return isBlocking ? await(nanos) : advance();
            } finally {
                lock.unlock();
            }
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Waits while a thread is in connect or finishConnect. */
    void awaitConnect() {
        lock.lock();
        lock.unlock();
    }

    private void requireIdle() {
        switch (state) {
            case STREAM -> throw new AlreadyConnectedException();
            case CONNECTING, FAILED, TCP_UNFINISHED -> throw new ConnectionPendingException();
            default -> {
                // IDLE, or the channel is closed
            }
        }
    }

    private boolean connectTcp(SocketAddress remote, long nanos, boolean mustBlock) throws IOException {
        try {
            if (mustBlock) {
                long millis = Math.min(TimeUnit.NANOSECONDS.toMillis(nanos), Integer.MAX_VALUE);
                tcp.socket().connect(remote, (int) millis);
                return true;
            }
            boolean isConnected = tcp.connect(remote);
            channel.keys().use(tcp);
            return isConnected;
        } catch (IOException e) {
            // the JDK has closed its channel, unless that was connected before
            if (!tcp.isOpen()) {
                channel.close();
            }
            throw e;
        }
    }

    /** Returns the address that a connect goes to; the wildcard address stands for the loopback address. */
    private static InetSocketAddress check(SocketAddress remote) {
        Objects.requireNonNull(remote, "remote");
        if (!(remote instanceof InetSocketAddress address)) {
            throw new UnsupportedAddressTypeException();
        }
        if (address.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        InetAddress host = address.getAddress();
        return host.isAnyLocalAddress()
                ? new InetSocketAddress(
                        InetAddress.ofLiteral(host instanceof Inet4Address ? "127.0.0.1" : "::1"), address.getPort())
                : address;
    }

    /** Chooses the transport, and begins to connect a stream; returns false for TCP. */
    private boolean begin(InetSocketAddress address) throws IOException {
        Choice choice = transport.toConnect(address.getAddress());
        StreamAttempt begun = null;
        SocketException refusal = null;
        if (choice != Choice.TCP) {
            try {
                begun = StreamAttempt.begin(transport, options.applyTo(transport.options()),
                        local, address, choice == Choice.BOTH);
            } catch (SocketException e) {
                if (choice == Choice.RDMA) {
                    throw e;
                }
                LOG.debug("{} is reached by TCP: {}", address, e.getMessage());
                refusal = e;
            }
        }
        boolean isOpen;
        synchronized (stateLock) {
            isOpen = state != State.CLOSED;
            if (isOpen) {
                attempt = begun;
                channel.remote(address);
                state = begun == null ? State.TCP : State.CONNECTING;
            }
        }
        if (!isOpen) {
            if (begun != null) {
                BackgroundCloses.close(begun.stream());
            }
            throw new AsynchronousCloseException();
        }
        if (begun == null) {
            StreamJournal.connects(address, Choice.TCP, transport, refusal);
            local.useTcp();
            channel.chooseTcp();
        } else {
            channel.keys().run();
        }
        return begun != null;
    }

    /** Waits until the connection is established, and returns true. */
    private boolean await(long nanos) throws IOException {
        boolean isDone = false;
        try {
            channel.beginTransfer(true);
            long deadline = System.nanoTime() + nanos;
            if (!attempt.await(() -> !channel.isOpen(), nanos != NO_LIMIT, deadline)) {
                throw new SocketTimeoutException("Connect timed out");
            }
            if (Thread.currentThread().isInterrupted()) {
                channel.interrupted();
            }
            isDone = channel.isOpen() && advance();
        } finally {
            channel.endTransfer(true, isDone);
        }
        return isDone;
    }

    /** Takes the next step if the attempt has ended; returns whether the channel is connected. */
    private boolean advance() throws IOException {
        assert lock.isHeldByCurrentThread();
        return switch (attempt.outcome()) {
            case PENDING -> false;
            case ESTABLISHED -> established();
            case NO_RDMA -> takeTcp();
        };
    }

    private boolean established() throws IOException {
        synchronized (stateLock) {
            if (state != State.CONNECTING) {
                return false;
            }
            channel.established(attempt.stream());
            state = State.STREAM;
        }
        channel.keys().run();
        LOG.debug("{} is connected", channel);
        StreamJournal.connects(channel.remote(), Choice.RDMA, transport, null);
        return true;
    }

    /** Closes the stream, and begins to connect by TCP; returns whether that is done. */
    private boolean takeTcp() throws IOException {
        synchronized (stateLock) {
            if (state != State.CONNECTING) {
                return false;
            }
            state = State.TCP;
        }
        LOG.debug("{} has no RDMA, it is reached by TCP", channel.remote());
        StreamJournal.connects(channel.remote(), Choice.TCP, transport, attempt.refusal());
        BackgroundCloses.close(attempt.stream());
        local.useTcp();
        boolean isConnected = tcp.connect(channel.remote());
        channel.chooseTcp();
        channel.keys().use(tcp);
        return isConnected;
    }

    boolean finishConnect() throws IOException {
        if (mustFinish()) {
            synchronized (stateLock) {
                state = state == State.TCP_UNFINISHED ? State.TCP : state;
            }
        }
        try {
            if (channel.transfers() instanceof TcpTransfers) {
                return tcp.finishConnect();
            }
            lock.lock();
            try {
                if (channel.isConnected()) {
                    return true;
                }
                channel.requireOpen();
                if (!isPending()) {
                    throw new NoConnectionPendingException();
                }
                if (failure != null) {
                    throw failure;
                }
                return channel.isBlocking() ? await(NO_LIMIT) : advance();
            } finally {
                lock.unlock();
            }
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Returns OP_CONNECT if finishConnect returns true or throws. Selectors call this; it begins TCP if necessary. */
    int readyOps(int interest) {
        if ((interest & SelectionKey.OP_CONNECT) == 0) {
            return 0;
        }
        return switch (state) {
            case CONNECTING -> advanceForSelector();
            case FAILED, TCP_UNFINISHED -> SelectionKey.OP_CONNECT;
            default -> 0;
        };
    }

    private int advanceForSelector() {
        lock.lock();
        try {
            if (state != State.CONNECTING) {
                return 0;
            }
            StreamAttempt.Outcome outcome = attempt.outcome();
            if (outcome == StreamAttempt.Outcome.NO_RDMA && takeTcp()) {
                synchronized (stateLock) {
                    state = state == State.TCP ? State.TCP_UNFINISHED : state;
                }
            }
            return outcome == StreamAttempt.Outcome.ESTABLISHED || mustFinish() ? SelectionKey.OP_CONNECT : 0;
        } catch (IOException e) {
            synchronized (stateLock) {
                if (state != State.CLOSED) {
                    failure = e;
                    state = State.FAILED;
                }
            }
            return SelectionKey.OP_CONNECT;
        } finally {
            lock.unlock();
        }
    }

    void requestNotification(ChannelKeys keys) {
        StreamAttempt present = attempt;
        if (state == State.CONNECTING && present != null) {
            present.stream().requestNotification(RdmaStream.WRITABLE, keys);
        }
    }

    /** Closes the stream if it is not established. */
    void close() {
        StreamAttempt unused;
        synchronized (stateLock) {
            unused = state == State.CONNECTING || state == State.FAILED ? attempt : null;
            state = State.CLOSED;
        }
        if (unused != null) {
            BackgroundCloses.close(unused.stream());
        }
    }
}
