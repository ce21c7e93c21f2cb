package io.jverbs;

import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.Handle;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;

/**
 * A queue pair, as {@code struct ibv_qp}; see ibv_create_qp(3). All methods may be called by any thread; posts of several
 * threads to one queue pair are executed once each, in some order.
 */
public final class QueuePair extends Resource {
    private final ProtectionDomain pd;
    private final ContextOps ops;
    private final DataPath dataPath;
    private final QpInitAttributes init;
    private final EventLedger asyncEvents = new EventLedger();
    private final Handle.Qp handle;
    private final QpCapabilities capabilities;
    /** How many requests of a chain can matter: one more than fit. */
    private final int sendChain;
    private final int receiveChain;
    private final Set<Membership> memberships = new LinkedHashSet<>();
    private ConnectionInfo localInfo;

    private record Membership(Gid group, int lid) {}

    QueuePair(ProtectionDomain pd, QpInitAttributes init) {
        super("create_qp", pd.context(), pd, checkQueue("sendCq", init.sendCq()), checkQueue("recvCq", init.recvCq()),
                init.srq());
        this.pd = pd;
        this.ops = context().closingOps();
        this.dataPath = ops.dataPath();
        this.init = init;
        try {
            handle = context().ops().createQp(pd.handle(), init, this);
        } catch (RuntimeException e) {
            abandon();
            throw e;
        }
        this.capabilities = handle.capabilities();
        this.sendChain = capabilities.maxSendWr() + 1;
        this.receiveChain = capabilities.maxRecvWr() + 1;
    }

    private static CompletionQueue checkQueue(String name, CompletionQueue queue) {
        if (queue == null) {
            throw new VerbsException("create_qp", Errno.EINVAL, name + " is missing: set it in QpInitAttributes");
        }
        return queue;
    }

    /**
     * Posts a chain of send requests; see ibv_post_send(3). The requests are copied, so they may be reused at once; the memory
     * they name belongs to the device until completion (with {@link SendFlags#INLINE}: until this returns). The software device
     * executes what it can before this returns.
     *
     * @param head the first request of the chain
     * @throws VerbsException with ENOMEM if the queue is full, EINVAL if the queue pair's state, the operation, the number of
     *             elements or the inline length does not allow it; requests before the failing one are posted,
     *             {@link SendWorkRequest#failed()} tells which it was
     * @throws IllegalStateException if the queue pair, or something that a request names, is closed
     */
    public void postSend(SendWorkRequest head) {
        int errno = tryPostSend(head);
        if (errno != 0) {
            throw PostFailure.of("post_send", errno, this, head.failed());
        }
    }

    /**
     * Posts a chain of send requests and returns what {@link #postSend} would throw: a full queue is an everyday answer.
     *
     * @param head the first request of the chain
     * @return 0 or an errno
     * @throws IllegalStateException if the queue pair, or something that a request names, is closed
     */
    public int tryPostSend(SendWorkRequest head) {
        checkOpen();
        head.checkOpen(sendChain);
        return head.posted(dataPath.postSend(handle, head));
    }

    /**
     * Posts a chain of receive requests; see ibv_post_recv(3).
     *
     * @param head the first request of the chain
     * @throws VerbsException with ENOMEM if the queue is full, EINVAL if the queue pair is in RESET, has a shared receive queue,
     *             or a request has too many elements; requests before the failing one are posted,
     *             {@link ReceiveWorkRequest#failed()} tells which it was
     * @throws IllegalStateException if the queue pair, or something that a request names, is closed
     */
    public void postReceive(ReceiveWorkRequest head) {
        int errno = tryPostReceive(head);
        if (errno != 0) {
            throw PostFailure.of("post_recv", errno, this, head.failed());
        }
    }

    /**
     * Posts a chain of receive requests and returns what {@link #postReceive} would throw.
     *
     * @param head the first request of the chain
     * @return 0 or an errno
     * @throws IllegalStateException if the queue pair, or something that a request names, is closed
     */
    public int tryPostReceive(ReceiveWorkRequest head) {
        checkOpen();
        head.checkOpen(receiveChain);
        return head.posted(dataPath.postReceive(handle, head));
    }

    /**
     * Posts the bind of a type 1 window and gives the window its new key at once; see ibv_bind_mw(3).
     *
     * @param window the window
     * @param wrId names the request in its completion
     * @param sendFlags bits of {@link SendFlags}
     * @param bind the range; a length of 0 unbinds
     * @throws VerbsException with EINVAL for a type 2 window, EPERM if window and region have different protection domains, and
     *             as {@link #postSend}
     */
    public void bindMemoryWindow(MemoryWindow window, long wrId, int sendFlags, MwBind bind) {
        checkOpen();
        window.checkOpen();
        if (bind.region() != null) {
            bind.region().checkOpen();
        }
        ops.bindMw(handle, window.handle(), wrId, sendFlags, bind);
    }

    /**
     * Changes attributes, all or none; see ibv_modify_qp(3).
     *
     * @param attributes what to change
     * @throws VerbsException with EINVAL if the transition does not exist, lacks attributes or has some that it may not have, or
     *             a value is out of range; the message says which
     */
    public void modify(QpAttributes attributes) {
        checkOpen();
        ops.modifyQp(handle, Objects.requireNonNull(attributes, "attributes"));
    }

    /** {@return the present state and all attributes set so far; see ibv_query_qp(3)} */
    public QpAttributes query() {
        checkOpen();
        return ops.queryQp(handle);
    }

    /** {@return the present state} */
    public QpState state() {
        return query().state();
    }

    /**
     * Attaches this UD queue pair to a multicast group; see ibv_attach_mcast(3). A second time changes nothing.
     *
     * @param group the group
     * @param lid the group's LID, 0 on Ethernet
     * @throws VerbsException with EINVAL if the queue pair is not UD or the GID not multicast, ENOMEM beyond the device's limits
     */
    public void attachMulticast(Gid group, int lid) {
        checkOpen();
        ops.attachMulticast(handle, Objects.requireNonNull(group, "group"), lid);
        synchronized (memberships) {
            memberships.add(new Membership(group, lid));
        }
    }

    /**
     * Detaches this queue pair from a multicast group; see ibv_detach_mcast(3).
     *
     * @param group the group
     * @param lid the group's LID, 0 on Ethernet
     * @throws VerbsException with EINVAL if it is not attached
     */
    public void detachMulticast(Gid group, int lid) {
        checkOpen();
        ops.detachMulticast(handle, Objects.requireNonNull(group, "group"), lid);
        synchronized (memberships) {
            memberships.remove(new Membership(group, lid));
        }
    }

    /**
     * {@return what a peer must know to connect to this queue pair over port 1: its number, the GID that
     * {@link RdmaContext#preferredGid} names, the port's MTU, and a random PSN that is drawn once}
     */
    public synchronized ConnectionInfo localInfo() {
        checkOpen();
        if (localInfo == null) {
            localInfo = new ConnectionInfo(number(), handle.firstPsn(), context().preferredGid(Connecting.PORT).gid(),
                    context().queryPort(Connecting.PORT).activeMtu());
        }
        return localInfo;
    }

    /**
     * Connects this RC or UC queue pair, in RESET or INIT, to a peer and brings it to RTS: port 1, P_Key index 0, the smaller of
     * both MTUs, all remote access that regions allow, up to 16 outstanding READs and atomics, RNR timer 0.64 ms, ACK timeout
     * 67 ms, 7 retries, RNR retries without end. For other values use {@link #modify}.
     *
     * @param remote what the peer's {@link #localInfo()} returned; the peer must do the same with ours
     * @throws VerbsException with EINVAL if the queue pair is UD or in another state
     */
    public void connect(ConnectionInfo remote) {
        checkOpen();
        Connecting.connect(this, localInfo(), Objects.requireNonNull(remote, "remote"));
    }

    /** {@return the protection domain} */
    public ProtectionDomain pd() {
        return pd;
    }

    /** {@return the queue pair number, 24 bits} */
    public int number() {
        return handle.number();
    }

    /** {@return the type} */
    public QpType type() {
        return init.type();
    }

    /** {@return where completions of send requests go} */
    public CompletionQueue sendCq() {
        return init.sendCq();
    }

    /** {@return where completions of receive requests go} */
    public CompletionQueue recvCq() {
        return init.recvCq();
    }

    /** {@return the shared receive queue, or null} */
    public SharedReceiveQueue srq() {
        return init.srq();
    }

    /** {@return what the program attached at creation, or null} */
    public Object userContext() {
        return init.userContext();
    }

    /** {@return the sizes granted, at least those asked for} */
    public QpCapabilities capabilities() {
        return capabilities;
    }

    /** {@return the device's handle, for providers} */
    public Handle.Qp handle() {
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
        return Rank.QUEUE_PAIR;
    }

    @Override
    void destroy() {
        asyncEvents.destroyed(ops.destroyQp(handle).async());
    }

    @Override
    void destroyWithContext() {
        if (!isClosed()) {
            synchronized (memberships) {
                memberships.forEach(membership -> ops.detachMulticast(handle, membership.group(), membership.lid()));
                memberships.clear();
            }
        }
        super.destroyWithContext();
    }

    @Override
    void awaitReturned() {
        asyncEvents.awaitAcknowledged("destroy_qp");
    }

    @Override
    public String toString() {
        return type() + " queue pair" + (handle == null ? "" : " " + Hex.number(number())) + " of "
                + context().device();
    }
}
