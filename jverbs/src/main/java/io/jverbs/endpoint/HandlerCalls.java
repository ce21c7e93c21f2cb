package io.jverbs.endpoint;

import io.jverbs.endpoint.EndpointException.Reason;
import io.jverbs.endpoint.WorkQueues.ReceiveQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handler of a connection, and the calls of it. The thread that polls makes them. If the handler throws, the
 * connection ends. The lock of the connection guards the fields.
 */
final class HandlerCalls {
    private static final Logger LOG = LoggerFactory.getLogger(HandlerCalls.class);

    private final Connection connection;
    private final ReceiveQueue receives;
    private final ReentrantLock lock;
    private MessageHandler handler;
    private boolean closedDelivered;

    HandlerCalls(Connection connection, ReceiveQueue receives) {
        this.connection = connection;
        this.receives = receives;
        this.lock = connection.lock();
    }

    boolean hasHandler() {
        return handler != null;
    }

    /** Sets the handler. */
    void set(MessageHandler added) {
        boolean isCounted = false;
        boolean isSet = false;
        lock.lock();
        try {
            if (connection.isUserClosed()) {
                throw new IllegalStateException("the endpoint of the " + connection + " is closed");
            }
            if (handler != null) {
                throw new IllegalStateException("the endpoint of the " + connection + " has a handler already");
            }
            connection.device().completions().handlerAdded();
            isCounted = true;
            // before there is a handler, as it cannot be set again after an Error
            connection.device().completions().ready(connection);
            handler = added;
            isSet = true;
            connection.signalChange();
        } finally {
            lock.unlock();
            if (isCounted && !isSet) {
                connection.device().completions().handlerRemoved();
            }
        }
    }

    /** Passes the messages that have arrived. */
    void deliverMessages() {
        for (Message next = nextForHandler(); next != null; next = nextForHandler()) {
            try {
                handler.onMessage(connection.endpoint(), next);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failed(e);
            } catch (RuntimeException | Error e) {
                failed(e);
            } finally {
                next.close();
            }
        }
    }

    private Message nextForHandler() {
        lock.lock();
        try {
            return handler == null || connection.isUserClosed() ? null : receives.take();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the connection because a call of the program has thrown something. */
    void failed(Throwable thrown) {
        try {
            LOG.warn("The {} ends because its handler has failed", connection, thrown);
        } catch (RuntimeException | Error notLogged) {
            // the connection ends nevertheless
        }
        connection.end()
                .end(new EndpointException(Reason.HANDLER_FAILED, connection.toString(),
                        "the handler of this side has thrown " + thrown,
                        thrown));
    }

    /** Tells the handler, once, that the connection has ended. */
    void deliverClosed() {
        MessageHandler present;
        lock.lock();
        try {
            present = closedDelivered ? null : handler;
            closedDelivered |= present != null;
        } finally {
            lock.unlock();
        }
        if (present != null) {
            connection.device().completions().handlerRemoved();
            present.onClosed(connection.endpoint(), connection.failure());
        }
    }
}
