package io.jverbs.spi;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;

/**
 * The data path of an open device: posting work requests and polling completions. These operations return an errno
 * where a control path operation throws. They allocate nothing.
 *
 * <p>
 * <b>Threading.</b> Any thread may call any method; several threads may call at the same time, also for the same queue.
 * The API has checked that the queue, and the objects that the requests name, are open and belong to one context. It
 * holds no lock, so another thread may destroy the queue during the call.
 *
 * <p>
 * Posts and polls that acquire a lock call {@link StackReserve#check()} first. For {@link #requestNotification} the API
 * has made sure that enough stack is left.
 */
public interface DataPath {

    /** The result of a post that accepted every request. */
    long POSTED = 0L;

    /**
     * Packs the result of a post that failed: the errno in the upper 32 bits, the index in the lower 32 bits.
     *
     * @param errno the reason, greater than 0
     * @param index the index in the chain of the request that failed, from 0
     * @return the packed result
     */
    static long failed(int errno, int index) {
        return (long) errno << 32 | index;
    }

    /**
     * {@return the errno in the result of a post, 0 for success}
     *
     * @param result what a post returned
     */
    static int errno(long result) {
        return (int) (result >>> 32);
    }

    /**
     * {@return the number of requests posted before the one that failed, which is its index in the chain}
     *
     * @param result what a post returned
     */
    static int index(long result) {
        return (int) result;
    }

    /**
     * Posts a chain of send requests; see ibv_post_send(3). The requests before the one that failed are posted; it and
     * those after it are not. The device copies the requests, and the data of inline requests, before this returns.
     *
     * @param qp the queue pair
     * @param head the first request of the chain
     * @return {@link #POSTED}, or the result of {@link #failed} with ENOMEM if the queue is full, or if something was
     *         thrown after the first requests had been posted; EINVAL if the state of the queue pair, the opcode, the
     *         number of elements or the inline length does not allow the request;
     *         EFAULT if the data of an inline request is not accessible; EIO if the device was removed
     */
    long postSend(Handle.Qp qp, SendWorkRequest head);

    /**
     * Posts a chain of receive requests; see ibv_post_recv(3). The device copies the requests before this returns.
     *
     * @param qp the queue pair
     * @param head the first request of the chain
     * @return {@link #POSTED}, or the result of {@link #failed} with ENOMEM if the queue is full; EINVAL if the queue
     *         pair is in RESET or uses a shared receive queue, or the request has too many elements; EIO if the device
     *         was removed
     */
    long postReceive(Handle.Qp qp, ReceiveWorkRequest head);

    /**
     * Posts a chain of receive requests to a shared receive queue; see ibv_post_srq_recv(3). The device copies the
     * requests before this returns.
     *
     * @param srq the shared receive queue
     * @param head the first request of the chain
     * @return {@link #POSTED}, or the result of {@link #failed} with ENOMEM if the queue is full; EINVAL if the request
     *         has too many elements; EIO if the device was removed
     */
    long postSharedReceive(Handle.Srq srq, ReceiveWorkRequest head);

    /**
     * Explains a failed post of send requests, for the message of an exception. The API calls this right after the
     * post, on the thread that posted, if it finds no reason itself in the request and the attributes of the queue
     * pair. The call may allocate.
     *
     * @param qp the queue pair
     * @param head the first request of the chain; {@link SendWorkRequest#failed()} is the request that failed
     * @param errno the errno of the post
     * @return the reason, a clause that ends a sentence, without a full stop; null if the device has nothing to add
     */
    default String explainSend(Handle.Qp qp, SendWorkRequest head, int errno) {
        return null;
    }

    /**
     * Explains a failed post of receive requests; see {@link #explainSend}.
     *
     * @param qp the queue pair
     * @param head the first request of the chain; {@link ReceiveWorkRequest#failed()} is the request that failed
     * @param errno the errno of the post
     * @return the reason, a clause that ends a sentence, without a full stop; null if the device has nothing to add
     */
    default String explainReceive(Handle.Qp qp, ReceiveWorkRequest head, int errno) {
        return null;
    }

    /**
     * Explains a failed post to a shared receive queue; see {@link #explainSend}.
     *
     * @param srq the shared receive queue
     * @param head the first request of the chain; {@link ReceiveWorkRequest#failed()} is the request that failed
     * @param errno the errno of the post
     * @return the reason, a clause that ends a sentence, without a full stop; null if the device has nothing to add
     */
    default String explainSharedReceive(Handle.Srq srq, ReceiveWorkRequest head, int errno) {
        return null;
    }

    /**
     * Removes completions from a completion queue, oldest first; see ibv_poll_cq(3). It writes them in the layout of
     * {@code struct ibv_wc} ({@link WcLayout}) to the start of {@link WorkCompletions#memory()}. It does not set {@link
     * WorkCompletions#count()}. Each completion is returned once, also with concurrent pollers. Polling still works
     * after the device was removed.
     *
     * @param cq the completion queue
     * @param completions the array to fill
     * @param max the greatest number of completions to remove, 0 to the capacity of the array
     * @return the number of completions removed, 0 if the queue is empty
     * @throws io.jverbs.VerbsException with EIO if the driver of the device failed
     */
    int poll(Handle.Cq cq, WorkCompletions completions, int max);

    /**
     * Arms a completion queue for one event; see ibv_req_notify_cq(3). The next completion that is added raises the
     * event; completions that are in the queue do not.
     *
     * @param cq the completion queue
     * @param solicitedOnly whether only solicited completions and completions in error raise the event
     * @return 0, or EINVAL if the queue has no channel, EIO if the device was removed
     */
    int requestNotification(Handle.Cq cq, boolean solicitedOnly);
}
