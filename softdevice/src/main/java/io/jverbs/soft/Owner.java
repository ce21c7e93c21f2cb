package io.jverbs.soft;

import io.jverbs.AsyncEventType;
import io.jverbs.soft.queue.CompletionEvents;
import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.transport.QpEvents;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.SoftSrq;

/**
 * Brings the events of one object to the context that made it, under the name by which the API knows it.
 *
 * @param context the context
 * @param object what the API calls the object
 * @param channel where completion events go, null for none
 */
record Owner(SoftContext context, Object object, SoftChannel channel) implements CompletionEvents, QpEvents {

    @Override
    public void completionEvent(CompletionQueueCore cq) {
        channel.events().add(object);
    }

    @Override
    public void overflow(CompletionQueueCore cq) {
        context.raise(AsyncEventType.CQ_ERR, object, 0);
        context.failUsersOf(cq);
    }

    @Override
    public void queuePairEvent(AsyncEventType type, SoftQp qp) {
        context.raise(type, object, 0);
    }

    @Override
    public void limitReached(SoftSrq srq) {
        context.raise(AsyncEventType.SRQ_LIMIT_REACHED, object, 0);
    }
}
