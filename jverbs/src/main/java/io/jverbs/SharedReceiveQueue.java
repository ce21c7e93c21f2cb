package io.jverbs;

import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.Handle;
import java.util.Objects;

/**
 * A receive queue that many queue pairs share, as {@code struct ibv_srq}; see ibv_create_srq(3). All methods may be called by
 * any thread.
 */
public final class SharedReceiveQueue extends Resource {
    private final ProtectionDomain pd;
    private final ContextOps ops;
    private final DataPath dataPath;
    private final Object userContext;
    private final EventLedger asyncEvents = new EventLedger();
    private final Handle.Srq handle;
    private volatile int maxWr;

    SharedReceiveQueue(ProtectionDomain pd, SrqInitAttributes attributes) {
        super("create_srq", pd.context(), pd);
        this.pd = pd;
        this.ops = context().closingOps();
        this.dataPath = ops.dataPath();
        this.userContext = attributes.userContext();
        try {
            handle = context().ops().createSrq(pd.handle(), attributes, this);
        } catch (RuntimeException e) {
            abandon();
            throw e;
        }
        this.maxWr = readMaxWr();
    }

    private int readMaxWr() {
        try {
            return ops.querySrq(handle).maxWr();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Posts a chain of receive requests; see ibv_post_srq_recv(3).
     *
     * @param head the first request of the chain
     * @throws VerbsException with ENOMEM if the queue is full, EINVAL if a request has too many elements; requests before
     *             the failing one are posted, {@link ReceiveWorkRequest#failed()} tells which it was
     * @throws IllegalStateException if the queue, or something that a request names, is closed
     */
    public void postReceive(ReceiveWorkRequest head) {
        int errno = tryPostReceive(head);
        if (errno != 0) {
            throw new VerbsException("post_srq_recv", errno, head.failed() + " on " + this);
        }
    }

    /**
     * Posts a chain of receive requests and returns what {@link #postReceive} would throw.
     *
     * @param head the first request of the chain
     * @return 0 or an errno
     * @throws IllegalStateException if the queue, or something that a request names, is closed
     */
    public int tryPostReceive(ReceiveWorkRequest head) {
        checkOpen();
        head.checkOpen(maxWr + 1);
        return head.posted(dataPath.postSharedReceive(handle, head));
    }

    /** {@return the sizes and the limit, 0 when it is not armed; see ibv_query_srq(3)} */
    public SrqAttributes query() {
        checkOpen();
        return ops.querySrq(handle);
    }

    /**
     * Changes the size, or arms the limit: once fewer requests than it are posted, SRQ_LIMIT_REACHED is raised, once. See
     * ibv_modify_srq(3).
     *
     * @param change what to change
     * @throws VerbsException with EINVAL if a value is out of range; nothing is changed then
     */
    public void modify(SrqModification change) {
        checkOpen();
        ops.modifySrq(handle, Objects.requireNonNull(change, "change"));
        maxWr = ops.querySrq(handle).maxWr();
    }

    /** {@return the protection domain} */
    public ProtectionDomain pd() {
        return pd;
    }

    /** {@return what the program attached at creation, or null} */
    public Object userContext() {
        return userContext;
    }

    /** {@return the device's handle, for providers} */
    public Handle.Srq handle() {
        return handle;
    }

    /** {@return how many asynchronous events of this object were retrieved and not acknowledged} */
    public int unacknowledgedEvents() {
        return asyncEvents.outstanding();
    }

    EventLedger asyncEvents() {
        return asyncEvents;
    }

    @Override
    Rank rank() {
        return Rank.SHARED_RECEIVE_QUEUE;
    }

    @Override
    void destroy() {
        asyncEvents.destroyed(ops.destroySrq(handle).async());
    }

    @Override
    void awaitReturned() {
        asyncEvents.awaitAcknowledged("destroy_srq");
    }

    @Override
    public String toString() {
        return "shared receive queue of " + context().device() + ", " + maxWr + " requests";
    }
}
