package io.jverbs;

import io.jverbs.spi.ContextOps;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Something that happened to a queue pair, a completion queue, a shared receive queue, a port or the device, as
 * {@code struct ibv_async_event}; see ibv_get_async_event(3). It must be acknowledged: closing the object that it concerns
 * waits for that.
 */
public final class AsyncEvent implements AutoCloseable {
    private final int type;
    private final Object element;
    private final int port;
    private final AtomicBoolean acknowledged = new AtomicBoolean();

    private AsyncEvent(int type, Object element, int port) {
        this.type = type;
        this.element = element;
        this.port = port;
    }

    static AsyncEvent retrieved(ContextOps.Async event) {
        AsyncEvent retrieved = new AsyncEvent(event.type(), event.owner(), event.port());
        EventLedger ledger = retrieved.ledger();
        if (ledger != null) {
            ledger.retrieved();
        }
        return retrieved;
    }

    private EventLedger ledger() {
        return switch (element) {
            case QueuePair qp -> qp.asyncEvents();
            case CompletionQueue cq -> cq.asyncEvents();
            case SharedReceiveQueue srq -> srq.asyncEvents();
            case null, default -> null;
        };
    }

    /** {@return what happened} */
    public AsyncEventType type() {
        return AsyncEventType.of(type);
    }

    /** {@return the event's number, {@code enum ibv_event_type}} */
    public int rawType() {
        return type;
    }

    /** {@return the queue pair it concerns, or null} */
    public QueuePair queuePair() {
        return element instanceof QueuePair qp ? qp : null;
    }

    /** {@return the completion queue it concerns, or null} */
    public CompletionQueue completionQueue() {
        return element instanceof CompletionQueue cq ? cq : null;
    }

    /** {@return the shared receive queue it concerns, or null} */
    public SharedReceiveQueue sharedReceiveQueue() {
        return element instanceof SharedReceiveQueue srq ? srq : null;
    }

    /** {@return the number of the port it concerns, or 0} */
    public int port() {
        return port;
    }

    /** Acknowledges the event; see ibv_ack_async_event(3). A second call does nothing. */
    public void acknowledge() {
        EventLedger ledger = ledger();
        if (acknowledged.compareAndSet(false, true) && ledger != null) {
            ledger.acknowledge("ack_async_event", 1);
        }
    }

    /** The same as {@link #acknowledge()}. */
    @Override
    public void close() {
        acknowledge();
    }

    @Override
    public String toString() {
        return type() + (element != null ? " of " + element : port != 0 ? " of port " + port : "");
    }
}
