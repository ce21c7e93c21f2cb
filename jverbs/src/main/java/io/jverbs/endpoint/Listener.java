package io.jverbs.endpoint;

import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmId;
import io.jverbs.cm.PortSpace;
import io.jverbs.endpoint.EndpointException.Reason;
import io.jverbs.endpoint.Establishment.Request;
import io.jverbs.endpoint.WireFormat.PrivateData;
import io.jverbs.endpoint.polling.SpinPolicy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Listens at an address and port of a device for endpoints that connect. Connections are established in the background;
 * {@link #accept} returns them. This class is thread-safe.
 *
 * {@snippet :
 * try (RdmaContext context = Verbs.open();
 *         Listener listener = Listener.bind(context, new InetSocketAddress(7471))) {
 *     try (Endpoint endpoint = listener.accept(); Message message = endpoint.receive()) {
 *         endpoint.send("you said " + message.text());
 *     }
 * }
 * }
 */
public final class Listener implements AutoCloseable {
    /** How many connect requests wait because the backlog is full. */
    private static final int MAX_WAITING = 1 << 16;
    /** How often a thread that waits checks the context and the device. */
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final EndpointDevice device;
    private final EndpointOptions options;
    private final CmId id;
    private final InetSocketAddress address;
    private final Establishment.Failures failures = new Establishment.Failures();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    /** The connections that are not established yet; guarded by the lock, as are the fields below. */
    private final Set<Connection> accepting = new HashSet<>();
    private final ArrayDeque<Connection> established = new ArrayDeque<>();
    private final ArrayDeque<Request> waiting = new ArrayDeque<>();
    /** Volatile, because {@link #release} puts it back without the lock, which could throw an Error. */
    private volatile State state = State.LISTENING;
    /** Why no connection arrives any more, null if one may; {@link #accept} throws it in each state. */
    private EndpointException failure;

    /**
     * How far the close has come. In RELEASED a thread has released the resources of this listener, or is doing it.
     * <pre>
     * state        close begins    the release begins    an Error ends the release
     * LISTENING    CLOSED          -                     -
     * CLOSED       CLOSED          RELEASED              -
     * RELEASED     -               -                     CLOSED
     * </pre>
     */
    private enum State {
        LISTENING, CLOSED, RELEASED
    }

    private Listener(EndpointDevice device, EndpointOptions options, InetSocketAddress address) {
        this.device = device;
        this.options = options;
        this.id = device.events().channel().createId(PortSpace.TCP);
        try {
            id.userContext(this);
            ListenAddress.bindAndListen(id, address, options.backlog());
            this.address = id.localAddress();
        } catch (RuntimeException | Error e) {
            id.close();
            throw e;
        }
    }

    /**
     * Listens with {@link EndpointOptions#DEFAULT}.
     *
     * @param context the context of the device
     * @param address an address of the device, or a wildcard address, and a port; port 0 for any free port
     * @return the listener
     * @throws VerbsException as {@link #bind(RdmaContext, InetSocketAddress, EndpointOptions)}
     */
    public static Listener bind(RdmaContext context, InetSocketAddress address) {
        return bind(context, address, EndpointOptions.DEFAULT);
    }

    /**
     * Listens.
     *
     * @param context the context of the device
     * @param address an address of the device, or a wildcard address, and a port; port 0 for any free port
     * @param options the options of the listener and its endpoints
     * @return the listener
     * @throws VerbsException with EADDRINUSE or EADDRNOTAVAIL if the port is in use; with ENODEV if the device does not
     *         have the address; with EOPNOTSUPP if the device has no connection manager
     * @throws IllegalStateException if the context is closed
     */
    public static Listener bind(RdmaContext context, InetSocketAddress address, EndpointOptions options) {
        Objects.requireNonNull(context, "context");
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(options, "options");
        EndpointDevice device = EndpointDevice.acquire(context);
        try {
            return new Listener(device, options, address);
        } catch (RuntimeException | Error e) {
            device.release();
            throw e;
        }
    }

    /** {@return the address and port at which this listener listens} */
    public InetSocketAddress localAddress() {
        return address;
    }

    /**
     * Waits for the next connection, without a limit.
     *
     * @return the endpoint of this side
     * @throws InterruptedException if the thread is interrupted
     * @throws EndpointException if the device was removed, before or during the wait
     * @throws IllegalStateException if this listener or the context is closed, before or during the wait
     */
    public Endpoint accept() throws InterruptedException {
        return accept(MessageExchange.NO_LIMIT);
    }

    /**
     * Waits for the next connection.
     *
     * @param timeout the maximum time to wait; {@link Duration#ZERO} returns immediately
     * @return the endpoint of this side, or null if the timeout expired
     * @throws InterruptedException if the thread is interrupted
     * @throws EndpointException if the device was removed, before or during the wait
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException if this listener or the context is closed, before or during the wait
     */
    public Endpoint accept(Duration timeout) throws InterruptedException {
        return accept(Endpoint.nanos(timeout));
    }

    private Endpoint accept(long nanos) throws InterruptedException {
        Connection next = takeEstablished();
        if (next == null) {
            next = pollEstablished(Math.min(nanos, options.spinNanos()));
        }
        if (next == null) {
            next = awaitEstablished(nanos);
        }
        try {
            acceptWaiting();
        } catch (Error e) {
            if (next != null) {
                add(next, established::addFirst);
            }
            throw e;
        }
        return next == null ? null : next.endpoint();
    }

    private Connection takeEstablished() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            return nextEstablished();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Removes and returns the next connection, or throws why there is no further one; the lock is held. From its first
     * step, the close of this listener closes all that are left.
     */
    private Connection nextEstablished() {
        assert lock.isHeldByCurrentThread();
        boolean isClosed = state != State.LISTENING;
        Connection next = isClosed ? null : established.poll();
        if (isClosed || next == null && device.context().isClosed()) {
            throw new IllegalStateException(this + " is closed");
        }
        if (next == null && failure != null) {
            throw failure;
        }
        return next;
    }

    /** Polls for a time, which is shorter than waking the thread that would poll otherwise. */
    private Connection pollEstablished(long nanos) throws InterruptedException {
        device.events().use();
        device.completions().use();
        long start = System.nanoTime();
        while (true) {
            device.events().poll();
            device.completions().poll();
            Connection next = takeEstablished();
            if (next != null || System.nanoTime() - start >= nanos) {
                return next;
            }
            SpinPolicy.pause();
        }
    }

    private Connection awaitEstablished(long nanos) throws InterruptedException {
        device.events().beginBlock();
        lock.lock();
        try {
            long left = nanos;
            while (established.isEmpty() && mayArrive() && left > 0) {
                long pause = Math.min(left, CHECK_NANOS);
                long rest = arrived.awaitNanos(pause);
                left -= pause - rest;
                if (rest <= 0 && left > 0) {
                    EndpointException found = device.failure(address, this, lock);
                    failure = failure == null ? found : failure;
                }
            }
            return nextEstablished();
        } finally {
            lock.unlock();
            device.events().endBlock();
        }
    }

    private boolean mayArrive() {
        return failure == null && state == State.LISTENING && !device.context().isClosed();
    }

    /**
     * Processes a connect request; the thread that polls the events calls this. Returns the ID to destroy after the
     * event was acknowledged, because it was rejected; null otherwise.
     */
    CmId requested(CmEvent event) {
        CmId child = event.id();
        PrivateData offer;
        try {
            offer = PrivateData.decode(event.privateData());
        } catch (IllegalArgumentException e) {
            return Establishment.reject(child, e.getMessage());
        }
        Request request = new Request(this, child, offer);
        // before another thread can make a connection of it
        child.userContext(request);
        String refusal;
        try {
            refusal = add(request);
        } catch (RuntimeException | Error e) {
            // the event processor rejects an ID that nobody has taken
            child.userContext(null);
            throw e;
        }
        if (refusal != null) {
            return Establishment.reject(child, refusal);
        }
        acceptWaiting();
        return null;
    }

    /** Adds a connect request to those that wait; returns null, or why it must be rejected. */
    private String add(Request request) {
        lock.lock();
        try {
            if (state != State.LISTENING) {
                return "the listener is closed";
            }
            if (waiting.size() == MAX_WAITING) {
                return MAX_WAITING + " connect requests wait already";
            }
            waiting.add(request);
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Processes another event of the ID of this listener; the thread that polls the events calls this. */
    void failed(CmEvent event) {
        lock.lock();
        try {
            failure = new EndpointException(Reason.DEVICE_FAILED, toString(),
                    event.type() + ", " + event.explanation());
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Accepts the connect requests that wait, as many as there is room for. */
    private void acceptWaiting() {
        for (Request next = nextWaiting(); next != null; next = nextWaiting()) {
            accept(next);
        }
    }

    private Request nextWaiting() {
        lock.lock();
        try {
            boolean isFull = accepting.size() + established.size() >= options.backlog();
            return state != State.LISTENING || isFull ? null : waiting.poll();
        } finally {
            lock.unlock();
        }
    }

    private void accept(Request request) {
        EndpointDevice user = null;
        Connection connection = null;
        try {
            user = EndpointDevice.acquire(device.context());
            connection = Connection.ofServer(user, options, request);
            lock.lock();
            try {
                accepting.add(connection);
            } finally {
                lock.unlock();
            }
            connection.establishment().accept();
        } catch (RuntimeException | Error e) {
            Establishment.abandon(request, connection, user, e);
            if (e instanceof Error) {
                throw e;
            }
            failures.add(this, e);
        }
    }

    /** Adds a connection that is established now. */
    void established(Connection connection) {
        add(connection, established::addLast);
    }

    /** Adds an established connection to those that {@link #accept} returns, or closes it if the listener is closed. */
    private void add(Connection connection, Consumer<Connection> queue) {
        lock.lock();
        try {
            accepting.remove(connection);
            if (state == State.LISTENING) {
                queue.accept(connection);
                arrived.signal();
                return;
            }
        } finally {
            lock.unlock();
        }
        connection.end().abandon();
    }

    /** Forgets a connection that has ended before it was established. */
    void ended(Connection connection) {
        lock.lock();
        try {
            if (!accepting.remove(connection)) {
                return;
            }
        } finally {
            lock.unlock();
        }
        connection.end().abandon();
        acceptWaiting();
    }

    /**
     * Stops listening. Connections that {@link #accept} has not returned are closed; those that it has returned
     * continue. Waits for those that it closes, all together at most for {@link EndpointOptions#closeTimeout}. Threads
     * that wait in {@link #accept} throw {@link IllegalStateException}. A second call has no effect, unless an Error
     * has ended the first one: then it does what is left.
     */
    @Override
    public void close() {
        List<Connection> unused = new ArrayList<>();
        List<Request> rejected;
        lock.lock();
        try {
            if (state == State.RELEASED) {
                return;
            }
            state = State.CLOSED;
            unused.addAll(established);
            unused.addAll(accepting);
            rejected = new ArrayList<>(waiting);
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            closeIds(rejected);
            ConnectionEnd.closeAll(unused);
        } catch (RuntimeException e) {
            release();
            throw e;
        }
        release();
        if (!device.isPolling()) {
            device.awaitClosed();
        }
    }

    private void closeIds(List<Request> rejected) {
        if (device.context().isClosed()) {
            return;
        }
        rejected.forEach(each -> Establishment.reject(each.id(), "the listener is closed").close());
        id.close();
    }

    /** Gives back what this listener has used, once. */
    private void release() {
        lock.lock();
        try {
            established.clear();
            accepting.clear();
            waiting.clear();
            if (state == State.RELEASED) {
                return;
            }
            state = State.RELEASED;
        } finally {
            lock.unlock();
        }
        boolean isDone = false;
        try {
            device.release();
            isDone = true;
        } finally {
            if (!isDone) {
                state = State.CLOSED;
            }
        }
    }

    @Override
    public String toString() {
        return "listener at " + Connection.text(address);
    }
}
