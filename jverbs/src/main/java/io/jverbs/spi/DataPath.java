package io.jverbs.spi;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;

/**
 * The operations that a program repeats millions of times. They allocate nothing, throw nothing for what verbs report by
 * an errno, and may be called by any number of threads at once.
 */
public interface DataPath {

    /** The result of a post that took every request. */
    long POSTED = 0L;

    /**
     * Builds the result of a post that failed.
     *
     * @param errno the reason, greater than 0
     * @param index how many requests of the chain were taken before the one that failed
     * @return the packed result
     */
    static long failed(int errno, int index) {
        return (long) errno << 32 | index;
    }

    /**
     * {@return the errno of a post's result, 0 for success}
     *
     * @param result what a post returned
     */
    static int errno(long result) {
        return (int) (result >>> 32);
    }

    /**
     * {@return the number of requests taken before the one that failed}
     *
     * @param result what a post returned
     */
    static int index(long result) {
        return (int) result;
    }

    /**
     * Posts a chain of send requests; see ibv_post_send(3).
     *
     * @param qp the queue pair
     * @param head the first request of the chain
     * @return {@link #POSTED}, or {@link #failed}: requests before the failing one are posted, it and later ones are not
     */
    long postSend(Handle.Qp qp, SendWorkRequest head);

    /**
     * Posts a chain of receive requests; see ibv_post_recv(3).
     *
     * @param qp the queue pair
     * @param head the first request of the chain
     * @return as {@link #postSend}
     */
    long postReceive(Handle.Qp qp, ReceiveWorkRequest head);

    /**
     * Posts a chain of receive requests to a shared receive queue; see ibv_post_srq_recv(3).
     *
     * @param srq the shared receive queue
     * @param head the first request of the chain
     * @return as {@link #postSend}
     */
    long postSharedReceive(Handle.Srq srq, ReceiveWorkRequest head);

    /**
     * Takes completions from the queue and writes them, in the layout of {@code ibv_wc}, to the start of
     * {@code completions.segment()}; see ibv_poll_cq(3).
     *
     * @param cq the completion queue
     * @param completions where to write
     * @param max the greatest number to take, at most the array's capacity
     * @return the number taken, 0 when the queue is empty
     */
    int poll(Handle.Cq cq, WorkCompletions completions, int max);

    /**
     * Arms the queue for one event; see ibv_req_notify_cq(3).
     *
     * @param cq the completion queue
     * @param solicitedOnly whether only solicited completions and errors count
     * @return 0 or an errno
     */
    int requestNotification(Handle.Cq cq, boolean solicitedOnly);
}
