package io.jverbs;

import io.jverbs.spi.ContextOps;
import io.jverbs.spi.EventCounter;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An asynchronous event, {@code struct ibv_async_event}: it concerns a queue pair, a completion queue, a shared receive
 * queue, a port or the device. See ibv_get_async_event(3).
 *
 * <p>
 * Every event must be acknowledged, with {@link #acknowledge} or {@link #close}: closing the object that it concerns
 * waits until all of its events are acknowledged. This class is thread-safe.
 *
 * {@snippet :
 * try (AsyncEvent event = context.awaitAsyncEvent(Duration.ofSeconds(1))) {
 *     if (event != null && event.type() == AsyncEventType.PORT_ERR) {
 *         log.warn("port {} is down", event.port());
 *     }
 * }
 * }
 */
public final class AsyncEvent implements AutoCloseable {
    private static final String ACKNOWLEDGE = "ack_async_event";

    private final int type;
    private final Object element;
    private final int port;
    private final AtomicBoolean acknowledged = new AtomicBoolean();

    private AsyncEvent(int type, Object element, int port) {
        this.type = type;
        this.element = element;
        this.port = port;
    }

    /**
     * Creates the event for the program and counts it as retrieved. If that fails, the event is lost and acknowledged,
     * because the device has delivered it and closing the object would wait for it.
     */
    static AsyncEvent retrieved(ContextOps.Async event) {
        EventCounter counter = counter(event.owner());
        if (counter != null) {
            counter.retrieved();
        }
        try {
            return new AsyncEvent(event.type(), event.owner(), event.port());
        } catch (Error e) {
            if (counter != null) {
                counter.acknowledge(ACKNOWLEDGE, 1);
            }
            throw e;
        }
    }

    /** The event counter of the object concerned; null for events of a port or the device. */
    private static EventCounter counter(Object element) {
        return switch (element) {
            case QueuePair qp -> qp.asyncEvents();
            case CompletionQueue cq -> cq.asyncEvents();
            case SharedReceiveQueue srq -> srq.asyncEvents();
            case null, default -> null;
        };
    }

    /** {@return the type of the event} */
    public AsyncEventType type() {
        return AsyncEventType.of(type);
    }

    /** {@return the type of the event as a value of {@code enum ibv_event_type}} */
    public int rawType() {
        return type;
    }

    /** {@return the queue pair that the event concerns, or null} */
    public QueuePair queuePair() {
        return element instanceof QueuePair qp ? qp : null;
    }

    /** {@return the completion queue that the event concerns, or null} */
    public CompletionQueue completionQueue() {
        return element instanceof CompletionQueue cq ? cq : null;
    }

    /** {@return the shared receive queue that the event concerns, or null} */
    public SharedReceiveQueue sharedReceiveQueue() {
        return element instanceof SharedReceiveQueue srq ? srq : null;
    }

    /** {@return the number of the port that the event concerns, or 0} */
    public int port() {
        return port;
    }

    /** Acknowledges the event; see ibv_ack_async_event(3). A second call has no effect. */
    public void acknowledge() {
        EventCounter counter = counter(element);
        if (counter != null) {
            counter.acknowledgeOnce(acknowledged);
        }
    }

    /** Acknowledges the event, like {@link #acknowledge()}. */
    @Override
    public void close() {
        acknowledge();
    }

    @Override
    public String toString() {
        return type() + (element != null ? " of " + element : port != 0 ? " of port " + port : "");
    }
}
