package io.jverbs.soft.transport;

import io.jverbs.AsyncEventType;

/**
 * Receives the asynchronous events of queue pairs and shared receive queues. The methods are called with no lock held,
 * by any thread.
 */
public interface QpEvents {

    /**
     * Reports an asynchronous event of a queue pair.
     *
     * @param type the event type
     * @param qp the queue pair
     */
    void queuePairEvent(AsyncEventType type, SoftQp qp);

    /**
     * Reports that a shared receive queue fell below its limit (SRQ_LIMIT_REACHED).
     *
     * @param srq the shared receive queue
     */
    void limitReached(SoftSrq srq);
}
