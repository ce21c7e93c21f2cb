package io.jverbs.rsocket;

import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmId;
import io.jverbs.cm.PortSpace;
import io.jverbs.rsocket.RdmaStreamException.Reason;
import io.jverbs.rsocket.closing.Destruction;
import io.jverbs.rsocket.journal.AddressText;
import io.jverbs.rsocket.protocol.ConnectData;
import io.jverbs.rsocket.protocol.ProtocolViolation;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens at an address and port of a device for streams that connect; see rlisten in rsocket(7). Connections are
 * established in the background; {@link #accept} returns them. This class is thread-safe.
 *
 * {@snippet :
 * try (RdmaContext context = Verbs.open();
 *         RdmaStreamListener listener = RdmaStreamListener.bind(context, new InetSocketAddress(7471))) {
 *     try (RdmaStream stream = listener.accept()) {
 *         stream.write(greeting);
 *     }
 * }
 * }
 */
public final class RdmaStreamListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RdmaStreamListener.class);
    /** How often a thread that waits checks the context. */
    private static final long CHECK_NANOS = Duration.ofMillis(100).toNanos();

    private final StreamDevice device;
    private final RdmaStreamOptions options;
    private final CmId id;
    private final InetSocketAddress address;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    /** The streams that are not established yet; guarded by the lock, as are the fields below. */
    private final Set<StreamConnection> accepting = new HashSet<>();
    private final ArrayDeque<StreamConnection> established = new ArrayDeque<>();
    private boolean closed;
    /** Is run once when a stream arrives, null for no notification. */
    private Runnable notification;
    /** Whether everything is given back. */
    private volatile boolean released;
    /** Why no stream arrives any more, null if one may. */
    private RdmaStreamException failure;

    private RdmaStreamListener(StreamDevice device, RdmaStreamOptions options, InetSocketAddress address) {
        this.device = device;
        this.options = options;
        this.id = device.events().createId(PortSpace.TCP);
        boolean isMade = false;
        try {
            id.userContext(this);
            id.bind(address);
            id.listen(options.backlog());
            this.address = id.localAddress();
            device.add(this);
            isMade = true;
        } finally {
            if (!isMade) {
                id.close();
            }
        }
    }

    /**
     * Listens with {@link RdmaStreamOptions#DEFAULT}.
     *
     * @param context the context of the device
     * @param address an address of the device, or a wildcard address, and a port; port 0 for any free port
     * @return the listener
     * @throws VerbsException as {@link #bind(RdmaContext, InetSocketAddress, RdmaStreamOptions)}
     */
    public static RdmaStreamListener bind(RdmaContext context, InetSocketAddress address) {
        return bind(context, address, RdmaStreamOptions.DEFAULT);
    }

    /**
     * Listens.
     *
     * @param context the context of the device
     * @param address an address of the device, or a wildcard address, and a port; port 0 for any free port
     * @param options the options of the listener and its streams
     * @return the listener
     * @throws VerbsException with EADDRINUSE or EADDRNOTAVAIL if the port is in use; with ENODEV if the device does not
     *         have the address; with EOPNOTSUPP if the device has no connection manager or the
     *         transport is iWARP
     * @throws IllegalStateException if the context is closed
     */
    public static RdmaStreamListener bind(RdmaContext context, InetSocketAddress address, RdmaStreamOptions options) {
        Objects.requireNonNull(context, "context");
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(options, "options");
        StreamDevice device = StreamDevice.acquire(context);
        RdmaStreamListener made = null;
        try {
            made = new RdmaStreamListener(device, options, address);
            return made;
        } finally {
            if (made == null) {
                device.release();
            }
        }
    }

    /** {@return the address and port at which this listener listens} */
    public InetSocketAddress localAddress() {
        return address;
    }

    RdmaStreamOptions options() {
        return options;
    }

    /**
     * Waits for the next stream, without a limit.
     *
     * @return the stream
     * @throws InterruptedException if the thread is interrupted
     * @throws RdmaStreamException if the device was removed, before or during the wait
     * @throws IllegalStateException if this listener or the context is closed, before or during the wait
     */
    public RdmaStream accept() throws IOException, InterruptedException {
        return accept(StreamWait.NO_LIMIT);
    }

    /**
     * Waits for the next stream.
     *
     * @param timeout the maximum time to wait; {@link Duration#ZERO} returns immediately
     * @return the stream, or null if the timeout expired
     * @throws InterruptedException if the thread is interrupted
     * @throws RdmaStreamException if the device was removed, before or during the wait
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException if this listener or the context is closed, before or during the wait
     */
    public RdmaStream accept(Duration timeout) throws IOException, InterruptedException {
        return accept(StreamWait.nanos(timeout));
    }

    /**
     * Returns the next stream, if there is one. Does not wait.
     *
     * @return the stream, or null
     * @throws RdmaStreamException if the device was removed
     * @throws IllegalStateException if this listener or the context is closed
     */
    public RdmaStream tryAccept() throws IOException {
        lock.lock();
        try {
            return next();
        } finally {
            lock.unlock();
        }
    }

    /** {@return whether {@link #tryAccept} returns a stream or throws} */
    public boolean isReady() {
        lock.lock();
        try {
            return !established.isEmpty() || !mayArrive();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Requests one notification, when {@link #tryAccept} returns a stream or throws. It replaces the request before.
     *
     * @param whenReady is run in any thread, which may hold locks: it must neither wait nor call methods of listeners
     *        and streams
     * @return whether that is so now; then there is no notification
     */
    public boolean requestNotification(Runnable whenReady) {
        Objects.requireNonNull(whenReady, "whenReady");
        lock.lock();
        try {
            boolean isReady = isReady();
            notification = isReady ? null : whenReady;
            return isReady;
        } finally {
            lock.unlock();
        }
    }

    /** Notifies the program and the threads that wait of a change; the lock is held. */
    private void changed() {
        assert lock.isHeldByCurrentThread();
        Runnable requested = notification;
        notification = null;
        arrived.signalAll();
        if (requested != null) {
            requested.run();
        }
    }

    private RdmaStream accept(long nanos) throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (established.isEmpty() && mayArrive() && left > 0) {
                long pause = Math.min(left, CHECK_NANOS);
                long rest = arrived.awaitNanos(pause);
                left -= left == StreamWait.NO_LIMIT ? 0 : pause - rest;
            }
            return next();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the next stream, or null; the lock is held. */
    private RdmaStream next() throws IOException {
        assert lock.isHeldByCurrentThread();
        if (closed || established.isEmpty() && device.context().isClosed()) {
            throw new IllegalStateException(this + " is closed");
        }
        StreamConnection next = established.peek();
        if (next == null) {
            if (failure != null) {
                throw failure.again();
            }
            return null;
        }
        RdmaStream stream = new RdmaStream(next);
        established.remove();
        return stream;
    }

    private boolean mayArrive() {
        return failure == null && !closed && !device.context().isClosed();
    }

    /** Processes a connect request; the thread of the events calls this. */
    void requested(CmEvent event) {
        CmId child = event.id();
        StreamConnection stream = null;
        boolean isAccepted = false;
        try {
            ConnectData peer = ConnectData.decode(event.privateData());
            stream = hasRoom() ? create(child) : null;
            isAccepted = stream != null && accept(stream, peer);
        } catch (ProtocolViolation | VerbsException | IllegalStateException e) {
            LOG.debug("{} has rejected {}", this, child, e);
        } catch (RuntimeException | Error e) {
            LOG.warn("{} has rejected {} after a failure", this, child, e);
        } finally {
            if (!isAccepted) {
                dispose(child, stream);
            }
        }
    }

    /** Rejects a connect request, and closes what there is of its stream. */
    private void dispose(CmId child, StreamConnection stream) {
        try {
            closeLater(child, stream);
        } finally {
            Establishment.reject(child);
        }
    }

    /** Closes the stream or the ID of a connect request, unless the close of this listener, which waits, does so. */
    private void closeLater(CmId child, StreamConnection stream) {
        lock.lock();
        try {
            if (!closed || !accepting.contains(stream)) {
                // not now: the event is not acknowledged yet
                device.later(stream == null ? child::close : stream::close);
                accepting.remove(stream);
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean hasRoom() {
        lock.lock();
        try {
            return !closed && accepting.size() + established.size() < options.backlog();
        } finally {
            lock.unlock();
        }
    }

    private boolean accept(StreamConnection stream, ConnectData peer) {
        lock.lock();
        try {
            accepting.add(stream);
        } finally {
            lock.unlock();
        }
        return stream.establishment().accept(peer);
    }

    /** Returns the stream of a connect request. */
    private StreamConnection create(CmId child) {
        StreamDevice user = StreamDevice.acquire(device.context());
        StreamConnection made = null;
        try {
            made = StreamConnection.ofServer(user, this, child);
            return made;
        } finally {
            if (made == null) {
                user.release();
            }
        }
    }

    /** Adds an established stream to those that {@link #accept} returns; the thread of the events calls this. */
    void established(StreamConnection stream) {
        lock.lock();
        try {
            if (!closed && accepting.remove(stream)) {
                boolean isAdded = false;
                try {
                    established.add(stream);
                    isAdded = true;
                } finally {
                    if (!isAdded) {
                        accepting.add(stream);
                    }
                }
                changed();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Closes a stream that has ended before it was established. */
    void ended(StreamConnection stream) {
        lock.lock();
        try {
            // otherwise the close of this listener closes the stream
            if (!closed && accepting.contains(stream)) {
                // not now: the event of its ID is not acknowledged yet
                device.later(stream::close);
                accepting.remove(stream);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Processes another event of the ID of this listener; the thread of the events calls this. */
    void failed(CmEvent event) {
        lock.lock();
        try {
            failure = new RdmaStreamException(Reason.DEVICE_FAILED, toString(),
                    event.type() + ", " + event.explanation());
            changed();
        } finally {
            lock.unlock();
        }
    }

    /** Notifies those who wait that the context was closed. */
    void contextClosed() {
        lock.lock();
        try {
            changed();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Stops listening. Streams that {@link #accept} has not returned are closed, all within {@link
     * RdmaStreamOptions#closeTimeout}; those that it has returned continue. Threads that wait in {@link #accept} throw
     * {@link IllegalStateException}. A second call has no effect, unless a failure has ended the first one: then it
     * does what is left.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            if (released) {
                return;
            }
            closed = true;
            changed();
        } finally {
            lock.unlock();
        }
        if (!device.context().isClosed()) {
            // waits for the connect requests that are being processed, which may add streams
            Destruction.uninterrupted(id::close);
        }
        StreamResources.closeAll(unused(), options.closeTimeout());
        release();
    }

    /** Returns the streams that {@link #accept} has not returned. */
    private List<StreamConnection> unused() {
        lock.lock();
        try {
            List<StreamConnection> unused = new ArrayList<>(established);
            unused.addAll(accepting);
            return unused;
        } finally {
            lock.unlock();
        }
    }

    /** Gives back what this listener has used, once. */
    private void release() {
        lock.lock();
        try {
            if (released) {
                return;
            }
            established.clear();
            accepting.clear();
            released = true;
        } finally {
            lock.unlock();
        }
        boolean isDone = false;
        try {
            device.remove(this);
            device.release();
            isDone = true;
        } finally {
            // after a failure, the next close does this
            released = isDone;
        }
    }

    @Override
    public String toString() {
        return "stream listener at " + AddressText.of(address);
    }
}
