package io.jverbs.soft.device;

import io.jverbs.AsyncEventType;
import io.jverbs.soft.device.PendingEvent.Repeat;
import io.jverbs.soft.queue.CompletionEvents;
import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.transport.QpEvents;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.SoftSrq;
import io.jverbs.spi.ContextOps.Async;
import java.util.EnumMap;
import java.util.Map;

/**
 * Delivers the events of one completion queue, queue pair or shared receive queue to the context that created it. The
 * events name the object by its API object.
 */
final class EventForwarder implements CompletionEvents, QpEvents {
    private final SoftContext context;
    private final Object object;
    private final SoftChannel channel;
    /** The completion event, null without a channel. */
    private final PendingEvent completion;
    /** The asynchronous events that have occurred, by type; null before the first one. Guarded by this. */
    private Map<AsyncEventType, PendingEvent> asyncEvents;
    private volatile boolean destroyed;

    /**
     * @param context the context that created the object
     * @param object the API object that events name
     * @param channel the channel that completion events go to, null for none
     */
    EventForwarder(SoftContext context, Object object, SoftChannel channel) {
        this.context = context;
        this.object = object;
        this.channel = channel;
        this.completion = channel == null ? null : new PendingEvent(this, null, Repeat.COUNT);
    }

    Object object() {
        return object;
    }

    private synchronized PendingEvent asyncEvent(AsyncEventType type) {
        if (asyncEvents == null) {
            asyncEvents = new EnumMap<>(AsyncEventType.class);
        }
        return asyncEvents.computeIfAbsent(type,
                first -> new PendingEvent(this, new Async(type.code(), object, 0), Repeat.KEEP_POSITION));
    }

    /** Discards the completion events of a destroyed object; returns how many have been retrieved. */
    int forgetCompletionEvents() {
        return completion == null ? 0 : channel.events().forget(completion);
    }

    /** Removes the asynchronous events of a destroyed object from a queue; returns how many have been retrieved. */
    synchronized int forgetAsyncEvents(EventQueue events) {
        int retrieved = 0;
        if (asyncEvents != null) {
            for (PendingEvent event : asyncEvents.values()) {
                retrieved += events.forget(event);
            }
        }
        return retrieved;
    }

    /** Returns whether the object is destroyed. Its events are then discarded. */
    boolean isDestroyed() {
        return destroyed;
    }

    /** Marks the object as destroyed. The caller then discards its events from the queues that may hold them. */
    void markDestroyed() {
        destroyed = true;
    }

    @Override
    public void completionEvent(CompletionQueueCore cq) {
        channel.events().add(completion);
    }

    @Override
    public void allEventsRaised(CompletionQueueCore cq) {
        channel.events().wakeExternalWaiter();
    }

    @Override
    public void overflow(CompletionQueueCore cq, boolean first) {
        if (first) {
            context.raise(asyncEvent(AsyncEventType.CQ_ERR));
        }
        context.failUsersOf(cq);
    }

    @Override
    public void queuePairEvent(AsyncEventType type, SoftQp qp) {
        context.raise(asyncEvent(type));
    }

    @Override
    public void limitReached(SoftSrq srq) {
        context.raise(asyncEvent(AsyncEventType.SRQ_LIMIT_REACHED));
    }
}
