package io.jverbs.soft.transport;

import io.jverbs.AsyncEventType;

/** Where queue pairs and shared receive queues report asynchronous events. Called with no lock held. */
public interface QpEvents {

    /**
     * Something happened to a queue pair.
     *
     * @param type what
     * @param qp to which
     */
    void queuePairEvent(AsyncEventType type, SoftQp qp);

    /**
     * A shared receive queue fell below its limit.
     *
     * @param srq which
     */
    void limitReached(SoftSrq srq);
}
