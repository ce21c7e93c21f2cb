package io.jverbs;

import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.EventCounter;
import io.jverbs.spi.Handle;
import io.jverbs.spi.StackReserve;
import io.jverbs.spi.Waits;
import java.util.Objects;

/**
 * A shared receive queue, {@code struct ibv_srq}: several queue pairs take their receive requests from it. See
 * ibv_create_srq(3).
 *
 * <p>
 * {@link ProtectionDomain#createSharedReceiveQueue} creates a shared receive queue, and {@link
 * QpInitAttributes.Builder#srq} attaches a queue pair to it. This class is thread-safe.
 *
 * {@snippet :
 * SharedReceiveQueue srq = pd.createSharedReceiveQueue(SrqInitAttributes.of(256, 1));
 * QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).srq(srq).build());
 * ReceiveWorkRequest request = ReceiveWorkRequest.create(1);
 * for (int i = 0; i < 256; i++) {
 *     srq.postReceive(request.wrId(i).sge(region, i * 4096L, 4096));
 * }
 * srq.modify(SrqModification.ofLimit(64));     // raises SRQ_LIMIT_REACHED when fewer than 64 requests are left
 * }
 */
public final class SharedReceiveQueue extends Resource {
    private final ProtectionDomain pd;
    private final ContextOps ops;
    private final DataPath dataPath;
    private final Object userContext;
    private final EventCounter asyncEvents = new EventCounter();
    private final Handle.Srq handle;
    /** How many events the device had delivered when it destroyed its object; null before. */
    private ContextOps.EventsReported reported;
    private volatile int maxWr;

    SharedReceiveQueue(ProtectionDomain pd, SrqInitAttributes attributes) {
        super(pd.context(), pd);
        this.pd = pd;
        this.ops = context().closingOps();
        this.dataPath = ops.dataPath();
        this.userContext = attributes.userContext();
        try {
            adopt();
            handle = context().ops().createSrq(pd.handle(), attributes, this);
            maxWr = ops.querySrq(handle).maxWr();
            created();
        } catch (RuntimeException | Error e) {
            abandon(e);
            throw e;
        }
    }

    /**
     * Posts a chain of receive requests; see ibv_post_srq_recv(3).
     *
     * @param head the first request of the chain
     * @throws VerbsException with ENOMEM if the queue is full, or if an Error ended the post after the first requests
     *         of the chain; EINVAL if a request has too many elements; the message names the cause. Requests before the
     *         failed request are posted; {@link ReceiveWorkRequest#failed()} returns the failed request. If a request
     *         names a region of another context, the whole chain fails with EINVAL and no request is posted
     * @throws IllegalStateException if the queue, or an object that a request names, is closed
     */
    public void postReceive(ReceiveWorkRequest head) {
        long result = receive(head);
        if (result != DataPath.POSTED) {
            throw PostFailure.ofSharedReceive(this, dataPath, head, result);
        }
    }

    /**
     * Posts a chain of receive requests like {@link #postReceive}, but returns the errno instead of throwing {@link
     * VerbsException}. Does not allocate.
     *
     * @param head the first request of the chain
     * @return 0 on success, otherwise an errno, a {@link Errno#code()}
     * @throws IllegalStateException if the queue, or an object that a request names, is closed
     */
    public int tryPostReceive(ReceiveWorkRequest head) {
        return DataPath.errno(receive(head));
    }

    private long receive(ReceiveWorkRequest head) {
        RdmaContext context = requireOpen();
        boolean own = Objects.requireNonNull(head, "head").check(context, maxWr + 1);
        return PostFailure.store(head, own ? dataPath.postSharedReceive(handle, head) : PostFailure.FOREIGN);
    }

    int maxWr() {
        return maxWr;
    }

    /** {@return the sizes and the limit, which is 0 if it is not armed; see ibv_query_srq(3)} */
    public SrqAttributes query() {
        StackReserve.check();
        checkOpen();
        return ops.querySrq(handle);
    }

    /**
     * Changes the size or arms the limit; see ibv_modify_srq(3). When the number of posted requests drops below an
     * armed limit, {@link AsyncEventType#SRQ_LIMIT_REACHED} is raised once and the limit is disarmed.
     *
     * @param change the changes
     * @throws VerbsException with EINVAL if a value is out of range; nothing is changed then
     */
    public void modify(SrqModification change) {
        StackReserve.check();
        checkOpen();
        ops.modifySrq(handle, Objects.requireNonNull(change, "change"));
        maxWr = ops.querySrq(handle).maxWr();
    }

    /** {@return the protection domain of this queue} */
    public ProtectionDomain pd() {
        return pd;
    }

    /** {@return the user context given at creation, or null} */
    public Object userContext() {
        return userContext;
    }

    /** {@return the device's handle of this object, for service providers} */
    public Handle.Srq handle() {
        return handle;
    }

    /** {@return the number of asynchronous events of this queue that were retrieved but not acknowledged} */
    public int unacknowledgedEvents() {
        StackReserve.check();
        return asyncEvents.outstanding();
    }

    EventCounter asyncEvents() {
        return asyncEvents;
    }

    /**
     * Destroys the queue; see ibv_destroy_srq(3). Waits until all retrieved events are acknowledged.
     *
     * <p>
     * On a native device, no other thread may post to the queue meanwhile: the driver takes no lock against that and
     * would access freed memory, which can crash the JVM. All other calls are safe.
     *
     * @throws VerbsException with EBUSY if a queue pair uses the queue; with EINTR if the thread is interrupted during
     *         the wait: acknowledge the events and call this method again
     */
    @Override
    public void close() {
        super.close();
    }

    @Override
    Rank rank() {
        return Rank.SHARED_RECEIVE_QUEUE;
    }

    @Override
    void destroy() {
        if (reported == null) {
            reported = ops.destroySrq(handle);
        }
        asyncEvents.destroyed(reported.async(), reported.isLogged());
    }

    @Override
    void awaitEventsAcknowledged() {
        asyncEvents.awaitAcknowledged("destroy_srq", "asynchronous event", this);
    }

    @Override
    public String toString() {
        return "shared receive queue of " + context().device() + ", " + maxWr + " requests";
    }
}
