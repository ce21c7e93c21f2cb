package io.jverbs.nio;

import io.jverbs.nio.RdmaTransport.Choice;
import io.jverbs.nio.selector.ChannelKeys;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamOptions;
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

    private final RdmaSocketChannel channel;
    private final RdmaTransport transport;
    private final SocketChannel tcp;
    private final StreamSocketOptions options;
    private final LocalBinding local;
    /** Held while a thread connects, or changes the blocking mode. */
    private final ReentrantLock lock = new ReentrantLock();
    /** The blocking mode; guarded by the lock. */
    private boolean blocks = true;
    /** Guards the state and what belongs to it; nothing waits while it is held. */
    private final Object stateLock = new Object();
    private volatile State state;
    /** In CONNECTING. */
    private volatile StreamAttempt attempt;
    /** In FAILED: why a selector could not connect, null if an Error has ended the connect by TCP. */
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

    /** How long a connect may take in all, by RDMA and TCP: no time for no limit. */
    private record Limit(long nanos, long deadline) {
        static final Limit NONE = new Limit(0, 0);

        static Limit of(long nanos) {
            return nanos == 0 ? NONE : new Limit(nanos, System.nanoTime() + nanos);
        }

        boolean exists() {
            return nanos != 0;
        }

        /** Returns what is left as the sockets of the JDK take it: at least 1 ms, or 0 for no limit. */
        int leftMillis() throws SocketTimeoutException {
            if (!exists()) {
                return 0;
            }
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw timedOut();
            }
            return Math.clamp(TimeUnit.NANOSECONDS.toMillis(left), 1, Integer.MAX_VALUE);
        }

        SocketTimeoutException timedOut() {
            return new SocketTimeoutException("Connect timed out");
        }
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
        return connect(remote, Limit.NONE, false);
    }

    /** Connects a channel that blocks, within a time; 0 for no limit. */
    void connect(SocketAddress remote, long nanos) throws IOException {
        connect(remote, Limit.of(nanos), true);
    }

    private boolean connect(SocketAddress remote, Limit limit, boolean mustBlock) throws IOException {
        if (channel.transfers() instanceof TcpTransfers) {
            return connectTcp(remote, limit, mustBlock);
        }
        InetSocketAddress address = check(remote);
        try {
            lock.lock();
            try {
                if (mustBlock && !blocks) {
                    throw new IllegalBlockingModeException();
                }
                channel.requireOpen();
                requireIdle();
                // another thread may have taken TCP meanwhile
                if (channel.transfers() instanceof TcpTransfers || !begin(address, limit)) {
                    return connectTcp(remote, limit, mustBlock);
                }
                return blocks ? await(limit) : advance(Limit.NONE);
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

    /** Changes the blocking mode, as the JDK not while a thread is in connect or finishConnect. */
    void configureBlocking(boolean isBlocking) throws IOException {
        lock.lock();
        try {
            channel.requireOpen();
            if (!(channel.transfers() instanceof StreamTransfers)) {
                channel.keys().cancelStale();
                tcp.configureBlocking(isBlocking);
            }
            blocks = isBlocking;
        } finally {
            lock.unlock();
        }
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

    private boolean connectTcp(SocketAddress remote, Limit limit, boolean mustBlock) throws IOException {
        try {
            if (mustBlock) {
                tcp.socket().connect(remote, limit.leftMillis());
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
    private boolean begin(InetSocketAddress address, Limit limit) throws IOException {
        Choice choice = transport.toConnect(address.getAddress());
        StreamAttempt begun = null;
        SocketException refusal = null;
        if (choice != Choice.TCP) {
            try {
                RdmaStreamOptions wanted = options.applyTo(transport.options());
                begun = StreamAttempt.begin(
                        choice == Choice.BOTH ? RdmaTransport.attempt(wanted, limit.nanos()) : wanted, local, address,
                        choice == Choice.BOTH);
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
    private boolean await(Limit limit) throws IOException {
        boolean isDone = false;
        try {
            channel.beginTransfer(true);
            if (!attempt.await(() -> !channel.isOpen(), limit.exists(), limit.deadline())) {
                throw limit.timedOut();
            }
            if (Thread.currentThread().isInterrupted()) {
                channel.interrupted();
            }
            isDone = channel.isOpen() && advance(limit);
        } finally {
            channel.endTransfer(true, isDone);
        }
        return isDone;
    }

    /** Takes the next step if the attempt has ended; returns whether the channel is connected. */
    private boolean advance(Limit limit) throws IOException {
        assert lock.isHeldByCurrentThread();
        return switch (attempt.outcome()) {
            case PENDING -> false;
            case ESTABLISHED -> established();
            case NO_RDMA -> takeTcp(limit);
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

    /** Closes the stream, and begins to connect by TCP; returns whether that is done. Cannot be repeated. */
    private boolean takeTcp(Limit limit) throws IOException {
        synchronized (stateLock) {
            if (state != State.CONNECTING) {
                return false;
            }
            state = State.TCP;
        }
        boolean isBegun = false;
        try {
            LOG.debug("{} has no RDMA, it is reached by TCP", channel.remote());
            StreamJournal.connects(channel.remote(), Choice.TCP, transport, attempt.refusal());
            BackgroundCloses.close(attempt.stream());
            local.useTcp();
            boolean isConnected = beginTcp(limit);
            channel.chooseTcp();
            channel.keys().use(tcp);
            isBegun = true;
            return isConnected;
        } finally {
            if (!isBegun) {
                failed();
            }
        }
    }

    private boolean beginTcp(Limit limit) throws IOException {
        if (!limit.exists()) {
            return tcp.connect(channel.remote());
        }
        tcp.socket().connect(channel.remote(), limit.leftMillis());
        return true;
    }

    private void failed() {
        synchronized (stateLock) {
            state = state == State.CLOSED ? state : State.FAILED;
        }
    }

    boolean finishConnect() throws IOException {
        if (mustFinish()) {
            synchronized (stateLock) {
                state = state == State.TCP_UNFINISHED ? State.TCP : state;
            }
        }
        try {
            if (channel.transfers() instanceof TcpTransfers && state != State.FAILED) {
                return tcp.finishConnect();
            }
            lock.lock();
            try {
                if (state == State.FAILED) {
                    throw failure == null ? new SocketException("an Error has ended the connect by TCP") : failure;
                }
                if (channel.isConnected()) {
                    return true;
                }
                channel.requireOpen();
                if (!isPending()) {
                    throw new NoConnectionPendingException();
                }
                return blocks ? await(Limit.NONE) : advance(Limit.NONE);
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
            if (outcome == StreamAttempt.Outcome.NO_RDMA && takeTcp(Limit.NONE)) {
                synchronized (stateLock) {
                    state = state == State.TCP ? State.TCP_UNFINISHED : state;
                }
            }
            return outcome == StreamAttempt.Outcome.ESTABLISHED || mustFinish() ? SelectionKey.OP_CONNECT : 0;
        } catch (IOException | RuntimeException e) {
            failure = e instanceof IOException io ? io : SocketExceptions.of(e.getMessage(), e);
            failed();
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
