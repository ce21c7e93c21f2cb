package io.jverbs.endpoint;

import io.jverbs.WcStatus;
import io.jverbs.endpoint.EndpointException.Reason;
import io.jverbs.endpoint.WorkQueues.ReceiveQueue;
import io.jverbs.endpoint.WorkQueues.SendQueue;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a connection ends: one side closes, or something fails. Then the ID disconnects, the queue pair moves to ERR, all
 * requests complete, and the thread that polls destroys both. What the connection has used is given back when the
 * program has closed the endpoint too. The lock of the connection guards the fields.
 */
final class ConnectionEnd {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionEnd.class);

    private final Connection connection;
    private final EndpointDevice device;
    private final ReentrantLock lock;
    private final MessageExchange exchange;
    private final SendQueue sends;
    private final ReceiveQueue receives;
    private final Requests requests;
    /** Volatile, because {@link #release} puts it back without the lock, which could throw an Error. */
    private volatile Releaser releaser = Releaser.POLLER;
    private Drain drain = Drain.NOT_DISCONNECTED;

    /**
     * What the end of the connection waits for. The context is closed: FORCED, from each state.
     * <pre>
     * state                       drain begins    disconnecting fails    the time for the end has passed
     * NOT_DISCONNECTED            DISCONNECTED    -                      FORCED_BEFORE_DISCONNECT
     * DISCONNECTED                -               FORCED                 FORCED
     * FORCED_BEFORE_DISCONNECT    FORCED          -                      -
     * FORCED                      -               -                      -
     * </pre>
     */
    private enum Drain {
        /** The ID is to be disconnected. */
        NOT_DISCONNECTED(false, false),
        /** The ID was disconnected, or the attempt has begun; the requests are to complete. */
        DISCONNECTED(true, false),
        /** The ID is to be disconnected; the end does not wait for the requests. */
        FORCED_BEFORE_DISCONNECT(false, true),
        /** As {@link #DISCONNECTED}; the end does not wait for the requests. */
        FORCED(true, true);

        private final boolean disconnected;
        private final boolean forced;

        Drain(boolean disconnected, boolean forced) {
            this.disconnected = disconnected;
            this.forced = forced;
        }
    }

    /**
     * Who gives back what the connection has used when it has ended and the program has closed the endpoint.
     * <pre>
     * state     close begins to wait    an Error ends the wait    claimed by a thread    an Error ends that
     * POLLER    CLOSER                  -                         NOBODY                 -
     * CLOSER    -                       POLLER                    NOBODY                 -
     * NOBODY    -                       -                         -                      the state before
     * </pre>
     */
    private enum Releaser {
        /** The thread that polls, or a call of {@link ConnectionEnd#close}. */
        POLLER,
        /** A call of {@link ConnectionEnd#close}; one waits for the end. */
        CLOSER,
        /** A thread has given it back, or is doing it. */
        NOBODY
    }

    ConnectionEnd(Connection connection, MessageExchange exchange, SendQueue sends, ReceiveQueue receives,
            Requests requests) {
        this.connection = connection;
        this.device = connection.device();
        this.lock = connection.lock();
        this.exchange = exchange;
        this.sends = sends;
        this.receives = receives;
        this.requests = requests;
    }

    /** Notes that the peer has disconnected. Only the CLOSE message shows whether the peer has closed. */
    void disconnected() {
        lock.lock();
        try {
            if (!connection.state().isAlive()) {
                return;
            }
        } finally {
            lock.unlock();
        }
        end(new EndpointException(Reason.PEER_LOST, connection.toString(),
                "the peer has disconnected without closing its endpoint: check whether its process has ended"));
    }

    /** Ends the connection; null if a side has closed. The thread that polls does the rest. */
    void end(EndpointException cause) {
        lock.lock();
        try {
            begin(cause);
        } finally {
            lock.unlock();
        }
        device.completions().wake();
    }

    /** Ends the connection; the lock is held. */
    void begin(EndpointException cause) {
        assert lock.isHeldByCurrentThread();
        if (connection.state().isAlive()) {
            connection.failure(connection.isUserClosed() ? null : cause);
            connection.forgetLoss();
            connection.timers().limitEnd();
            connection.move(ConnectionState.DRAINING);
            device.completions().add(connection);
        }
    }

    /** Ends the connection because a request has failed; the lock is held. */
    void failed(WcStatus status) {
        assert lock.isHeldByCurrentThread();
        ConnectionState state = connection.state();
        if (status == WcStatus.WR_FLUSH_ERR && state != ConnectionState.ESTABLISHED
                && state != ConnectionState.CLOSING) {
            // the queue pair was moved to ERR because of an event, which says more
            return;
        }
        begin(switch (status) {
            case WR_FLUSH_ERR ->
                new EndpointException(Reason.PEER_LOST, connection.toString(), "the queue pair is in ERR");
            case RETRY_EXC_ERR -> new EndpointException(Reason.PEER_SILENT, connection.toString(),
                    "the peer has not acknowledged a message: check that its host and its process run");
            default ->
                new EndpointException(Reason.DEVICE_FAILED, connection.toString(), "a request failed with " + status);
        });
    }

    /** Returns whether all requests have completed; the lock is held, or the thread polls. */
    boolean isDrained() {
        assert lock.isHeldByCurrentThread() || device.completions().isOwner();
        return drain.forced || drain.disconnected
                && (connection.queuePair() == null || sends.isDrained() && receives.isDrained());
    }

    /** Disconnects, and destroys the queue pair when all of its requests have completed. */
    void drain() {
        boolean isDone;
        lock.lock();
        try {
            isDone = drain.disconnected;
            if (!isDone) {
                drain = drain.forced ? Drain.FORCED : Drain.DISCONNECTED;
            }
        } finally {
            lock.unlock();
        }
        if (!isDone) {
            try {
                connection.establishment().disconnect();
                lock.lock();
                try {
                    if (connection.queuePair() != null) {
                        sends.postLast();
                    }
                } finally {
                    lock.unlock();
                }
            } catch (RuntimeException e) {
                LOG.debug("{} ends without disconnecting", connection, e);
                lock.lock();
                try {
                    drain = Drain.FORCED;
                } finally {
                    lock.unlock();
                }
            }
        }
        if (isDrained()) {
            destroy();
        }
    }

    private void destroy() {
        // an interrupt of the program's thread would end the wait for events to be acknowledged
        boolean interrupted = Thread.interrupted();
        try {
            connection.establishment().id().close();
        } catch (RuntimeException e) {
            LOG.debug("The ID of {} was not destroyed", connection, e);
        } finally {
            ended();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void ended() {
        lock.lock();
        try {
            connection.timers().unlimited();
            requests.failFutures();
            connection.move(ConnectionState.ENDED);
        } finally {
            lock.unlock();
        }
        if (connection.isServer()) {
            connection.listener().ended(connection);
        }
        releaseUnused();
    }

    /**
     * Returns who was to give back what the connection has used; the calling thread does so now, with {@link #release}.
     * Returns NOBODY if that is done, or the connection has not ended. The lock is held.
     */
    private Releaser claim() {
        assert lock.isHeldByCurrentThread();
        if (connection.state() != ConnectionState.ENDED) {
            return Releaser.NOBODY;
        }
        Releaser before = releaser;
        releaser = Releaser.NOBODY;
        return before;
    }

    /**
     * Gives back what the connection has used. After an Error, the next close does what is left.
     *
     * @param claimed what {@link #claim} has returned; if it is NOBODY, this does nothing
     */
    private void release(Releaser claimed) {
        if (claimed == Releaser.NOBODY) {
            return;
        }
        boolean isDone = false;
        try {
            connection.release(!drain.forced);
            isDone = true;
        } finally {
            if (!isDone) {
                releaser = claimed;
            }
        }
    }

    /** Gives back what the connection has used, unless a thread that waits in {@link #close} does. */
    void releaseUnused() {
        Releaser claimed;
        lock.lock();
        try {
            claimed = connection.isUserClosed() && releaser != Releaser.CLOSER ? claim() : Releaser.NOBODY;
        } finally {
            lock.unlock();
        }
        release(claimed);
    }

    /** Returns why the connection ends after a step has failed: the verb, unless the context was closed. */
    EndpointException failureOf(String step, Throwable cause) {
        return device.context().isClosed()
                ? contextClosed(cause)
                : new EndpointException(Reason.DEVICE_FAILED, connection.toString(), step + " failed: " + cause, cause);
    }

    private EndpointException contextClosed(Throwable cause) {
        return new EndpointException(Reason.CONTEXT_CLOSED, connection.toString(),
                "the context of this side was closed", cause);
    }

    /** Ends the connection because its context was closed, which has destroyed everything. */
    void contextClosed() {
        lock.lock();
        try {
            if (connection.state() != ConnectionState.ENDED) {
                begin(contextClosed(null));
                drain = Drain.FORCED;
                requests.failFutures();
                connection.move(ConnectionState.ENDED);
                device.completions().add(connection);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends a state that has lasted too long; the lock is held. */
    void timedOut() {
        assert lock.isHeldByCurrentThread();
        if (connection.state().isAlive()) {
            begin(connection.isUserClosed()
                    ? null
                    : new EndpointException(Reason.TIMED_OUT, connection.toString(), connection.notEstablished()));
        } else {
            drain = drain.disconnected ? Drain.FORCED : Drain.FORCED_BEFORE_DISCONNECT;
            device.completions().add(connection);
        }
    }

    /** Closes connections at the same time. A RuntimeException of one does not keep the others from closing. */
    static void closeAll(List<Connection> connections) {
        RuntimeException failure = null;
        for (Connection each : connections) {
            try {
                each.end().beginClose();
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        for (Connection each : connections) {
            try {
                each.end().close();
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void beginClose() {
        boolean waits = !device.isPolling();
        lock.lock();
        try {
            beginClose(waits);
        } catch (RuntimeException | Error e) {
            closeFailed();
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /** Begins to close; what was sent is delivered. The lock is held. */
    private void beginClose(boolean waits) {
        assert lock.isHeldByCurrentThread();
        if (connection.isUserClosed()) {
            return;
        }
        connection.userClosed();
        if (waits && releaser == Releaser.POLLER) {
            releaser = Releaser.CLOSER;
        }
        exchange.discardArrived();
        if (connection.state() == ConnectionState.ESTABLISHED && !connection.isPeerClosed()) {
            connection.timers().limitEnd();
            connection.move(ConnectionState.CLOSING);
            exchange.sendControl();
        } else {
            begin(null);
        }
    }

    /** Ends the connection without a thread that waits for it; the lock is held. */
    private void closeFailed() {
        assert lock.isHeldByCurrentThread();
        begin(null);
        if (releaser == Releaser.CLOSER) {
            releaser = Releaser.POLLER;
        }
    }

    /** Closes the endpoint, and waits for the end of the connection, unless the calling thread polls. */
    void close() {
        boolean waits = !device.isPolling();
        Releaser claimed;
        lock.lock();
        try {
            beginClose(waits);
            if (waits && connection.state() != ConnectionState.ENDED) {
                exchange.awaitEnded();
            }
            claimed = claim();
        } catch (RuntimeException | Error e) {
            closeFailed();
            throw e;
        } finally {
            lock.unlock();
        }
        release(claimed);
        if (waits) {
            device.awaitClosed();
        }
    }

    /** Closes an endpoint that the program has never got. */
    void abandon() {
        Releaser claimed;
        lock.lock();
        try {
            connection.userClosed();
            exchange.discardArrived();
            begin(null);
            claimed = claim();
        } finally {
            lock.unlock();
        }
        release(claimed);
        device.completions().wake();
    }
}
