package io.jverbs.soft;

import io.jverbs.AsyncEventType;
import io.jverbs.soft.queue.CompletionEvents;
import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.transport.QpEvents;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.SoftSrq;

/** Brings the events of one object to the context that made it, under the name by which the API knows it. */
final class Owner implements CompletionEvents, QpEvents {
    private final SoftContext context;
    private final Object object;
    private final SoftChannel channel;
    private volatile boolean gone;

    /**
     * @param context the context
     * @param object what the API calls the object
     * @param channel where completion events go, null for none
     */
    Owner(SoftContext context, Object object, SoftChannel channel) {
        this.context = context;
        this.object = object;
        this.channel = channel;
    }

    Object object() {
        return object;
    }

    SoftChannel channel() {
        return channel;
    }

    /** Whether the object is destroyed: its events go nowhere. */
    boolean isGone() {
        return gone;
    }

    /** Says that the object is destroyed; the queues that may hold its events are told to forget it after this. */
    void leave() {
        gone = true;
    }

    @Override
    public void completionEvent(CompletionQueueCore cq) {
        channel.events().add(this);
    }

    @Override
    public void overflow(CompletionQueueCore cq, boolean first) {
        if (first) {
            context.raise(AsyncEventType.CQ_ERR, this);
        }
        context.failUsersOf(cq);
    }

    @Override
    public void queuePairEvent(AsyncEventType type, SoftQp qp) {
        context.raise(type, this);
    }

    @Override
    public void limitReached(SoftSrq srq) {
        context.raise(AsyncEventType.SRQ_LIMIT_REACHED, this);
    }
}
