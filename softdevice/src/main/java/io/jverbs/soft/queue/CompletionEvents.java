package io.jverbs.soft.queue;

/**
 * Receives the notification events and the overflow of completion queues. The methods are called with no lock held, by
 * any thread.
 */
public interface CompletionEvents {

    /**
     * An armed queue received a completion that raises its event: any completion, or a solicited one if the queue was
     * armed for those only.
     *
     * @param cq the completion queue
     */
    void completionEvent(CompletionQueueCore cq);

    /**
     * All events that were due have been passed to {@link #completionEvent}. The call can be repeated.
     *
     * @param cq the completion queue
     */
    void allEventsRaised(CompletionQueueCore cq);

    /**
     * The queue overflowed and lost completions.
     *
     * @param cq the completion queue
     * @param first true for the first overflow of the queue, false for completions lost after it
     */
    void overflow(CompletionQueueCore cq, boolean first);
}
