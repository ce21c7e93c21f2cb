package io.jverbs.soft.queue;

/** Where a completion queue reports what is not a completion. Called with no lock held. */
public interface CompletionEvents {

    /**
     * An armed queue got a completion that counts.
     *
     * @param cq the queue
     */
    void completionEvent(CompletionQueueCore cq);

    /**
     * The queue overflowed and lost completions.
     *
     * @param cq the queue
     * @param first whether it is news
     */
    void overflow(CompletionQueueCore cq, boolean first);
}
