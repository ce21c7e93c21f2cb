package io.jverbs;

import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.EventCounter;
import io.jverbs.spi.Handle;
import io.jverbs.spi.StackReserve;
import io.jverbs.spi.Waits;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;

/**
 * A queue pair, {@code struct ibv_qp}: a send queue and a receive queue for work requests. See ibv_create_qp(3).
 *
 * <p>
 * {@link ProtectionDomain#createQueuePair} creates a queue pair in the state {@link QpState#RESET}. {@link #connect}
 * moves it to RTS with common attributes, {@link #modify} with attributes that the program chooses.
 *
 * <p>
 * This class is thread-safe. If several threads post to one queue pair, every request is executed exactly once, and the
 * order of requests of different threads is unspecified.
 *
 * <p>
 * One side of a connection, which exchanges {@link ConnectionInfo} with its peer and sends a message:
 *
 * {@snippet :
 * QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build());
 * send(qp.localInfo().toText());               // to the peer, in any way
 * qp.connect(ConnectionInfo.parse(receive()));
 *
 * qp.postReceive(ReceiveWorkRequest.create(1).wrId(1).sge(inbound, 0, 4096));
 * qp.postSend(SendWorkRequest.create(1).wrId(2)
 *         .opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).sge(outbound, 0, 64));
 * WorkCompletions completions = WorkCompletions.create(8);
 * while (cq.poll(completions) == 0) {
 *     Thread.onSpinWait();
 * }
 * }
 */
public final class QueuePair extends Resource {
    private final DataPath dataPath; // first, because each post reads it, the handle and the context: few cache lines
    private final Handle.Qp handle;
    private final ProtectionDomain pd;
    private final ContextOps ops;
    private final QpInitAttributes init;
    private final EventCounter asyncEvents = new EventCounter();
    private final QpCapabilities capabilities;
    /** How many requests of a chain are checked: one more than the queue can hold. */
    private final int sendChain;
    private final int receiveChain;
    private final Set<Membership> memberships = new LinkedHashSet<>();
    private ConnectionInfo localInfo;
    /** How many events the device had delivered when it destroyed its object; null before. */
    private ContextOps.EventsReported reported;

    /** An attachment to a multicast group. */
    private record Membership(Gid group, int lid) {}

    QueuePair(ProtectionDomain pd, QpInitAttributes init) {
        super(pd.context(), pd, checkQueue("sendCq", init.sendCq()), checkQueue("recvCq", init.recvCq()),
                init.srq());
        this.pd = pd;
        this.ops = context().closingOps();
        this.dataPath = ops.dataPath();
        this.init = init;
        try {
            adopt();
            handle = context().ops().createQp(pd.handle(), init, this);
            capabilities = handle.capabilities();
            sendChain = capabilities.maxSendWr() + 1;
            receiveChain = capabilities.maxRecvWr() + 1;
            created();
        } catch (RuntimeException | Error e) {
            abandon(e);
            throw e;
        }
    }

    /** Rejects a null completion queue. */
    private static CompletionQueue checkQueue(String name, CompletionQueue queue) {
        if (queue == null) {
            throw new VerbsException("create_qp", Errno.EINVAL, name + " is missing: set it in QpInitAttributes");
        }
        return queue;
    }

    /**
     * Posts a chain of send requests; see ibv_post_send(3).
     *
     * <p>
     * The requests are copied, so they can be changed and posted again as soon as this method returns. Do not change
     * the memory that they name before they complete. With {@link SendFlags#INLINE} the memory is copied too and can be
     * reused when this method returns. The software device executes requests, as far as possible, before this method
     * returns.
     *
     * <p>
     * A signaled request occupies an entry of the send queue until its completion is polled, an unsignaled request
     * until the completion of a later request is polled. Therefore at least one in every {@link
     * QpCapabilities#maxSendWr} requests must be signaled. Send completions cannot overflow a completion queue that has
     * at least as many entries as all send queues that use it. RESET frees all entries, see {@link #modify}.
     *
     * @param head the first request of the chain
     * @throws VerbsException with ENOMEM if the queue is full, or if an Error, for example for lack of memory, ended
     *         the post after the first requests of the chain; EINVAL if the state of the queue pair, the operation, the
     *         number of elements or the inline length is not valid, EFAULT if the memory of an inline request cannot be
     *         read, EIO if the device failed or was removed; the message names the cause. Requests before the failed
     *         request are posted; {@link SendWorkRequest#failed()} returns the failed request. If a request names an
     *         object of another context, the whole chain fails with EINVAL and no request is posted
     * @throws IllegalStateException if the queue pair, or an object that a request names, is closed
     */
    public void postSend(SendWorkRequest head) {
        long result = send(head);
        if (result != DataPath.POSTED) {
            throw PostFailure.ofSend(this, dataPath, head, result);
        }
    }

    /**
     * Posts a chain of send requests like {@link #postSend}, but returns the errno instead of throwing {@link
     * VerbsException}. Use it if a full queue is an expected result. Does not allocate.
     *
     * {@snippet :
     * while (qp.tryPostSend(request) == Errno.ENOMEM.code()) {
     *     process(completions, cq.poll(completions));      // polling frees entries of the send queue
     * }
     * }
     *
     * @param head the first request of the chain
     * @return 0 on success, otherwise an errno, a {@link Errno#code()}
     * @throws IllegalStateException if the queue pair, or an object that a request names, is closed
     */
    public int tryPostSend(SendWorkRequest head) {
        return DataPath.errno(send(head));
    }

    private long send(SendWorkRequest head) {
        RdmaContext context = requireOpen();
        boolean own = Objects.requireNonNull(head, "head").check(context, sendChain);
        return PostFailure.store(head, own ? dataPath.postSend(handle, head) : PostFailure.FOREIGN);
    }

    /**
     * Posts a chain of receive requests; see ibv_post_recv(3).
     *
     * <p>
     * The requests are copied, so they can be changed and posted again as soon as this method returns. Do not use the
     * memory that they name before they complete. A request occupies an entry of the receive queue until its completion
     * is polled.
     *
     * @param head the first request of the chain
     * @throws VerbsException with ENOMEM if the queue is full, or if an Error ended the post after the first requests
     *         of the chain; EINVAL if the queue pair is in RESET or has a shared receive queue, or if a request has too
     *         many elements; the message names the cause. Requests before the failed request are posted; {@link
     *         ReceiveWorkRequest#failed()} returns the failed request. If a request names a region of another context,
     *         the whole chain fails with EINVAL and no request is posted
     * @throws IllegalStateException if the queue pair, or an object that a request names, is closed
     */
    public void postReceive(ReceiveWorkRequest head) {
        long result = receive(head);
        if (result != DataPath.POSTED) {
            throw PostFailure.ofReceive(this, dataPath, head, result);
        }
    }

    /**
     * Posts a chain of receive requests like {@link #postReceive}, but returns the errno instead of throwing {@link
     * VerbsException}. Does not allocate.
     *
     * @param head the first request of the chain
     * @return 0 on success, otherwise an errno, a {@link Errno#code()}
     * @throws IllegalStateException if the queue pair, or an object that a request names, is closed
     */
    public int tryPostReceive(ReceiveWorkRequest head) {
        return DataPath.errno(receive(head));
    }

    private long receive(ReceiveWorkRequest head) {
        RdmaContext context = requireOpen();
        boolean own = Objects.requireNonNull(head, "head").check(context, receiveChain);
        return PostFailure.store(head, own ? dataPath.postReceive(handle, head) : PostFailure.FOREIGN);
    }

    /**
     * Posts the bind of a type 1 memory window; see ibv_bind_mw(3). {@link MemoryWindow#rkey()} returns the new key as
     * soon as this method returns.
     *
     * @param window the window
     * @param wrId the work request ID
     * @param sendFlags bits of {@link SendFlags}
     * @param bind the range and the access flags; a length of 0 unbinds the window
     * @throws VerbsException with EINVAL for a type 2 window, or if the window or the region belongs to another
     *         context, EPERM if the window and the region belong to different protection domains; otherwise as for
     *         {@link #postSend}
     * @throws IllegalStateException if the queue pair, the window or the region is closed
     */
    public void bindMemoryWindow(MemoryWindow window, long wrId, int sendFlags, MwBind bind) {
        ContextOps device = operations();
        ForeignObject.refuse("bind_mw", context(), "window", Objects.requireNonNull(window, "window"));
        MemoryRegion region = Objects.requireNonNull(bind, "bind").region();
        ForeignObject.refuse("bind_mw", context(), "bind.region", region);
        window.checkOpen();
        if (region != null) {
            region.checkOpen();
        }
        device.bindMw(handle, window.handle(), wrId, sendFlags, bind);
    }

    /**
     * Changes the state and other attributes, all or none; see ibv_modify_qp(3). {@link QpTransitions} says which
     * attributes a transition requires and accepts.
     *
     * <p>
     * The transition to {@link QpState#RESET} discards all requests and frees their entries of the queues. It may also
     * remove completions of this queue pair that were not polled: the software device and the drivers mlx4 and mlx5 do.
     * Other devices, for example Linux rxe, keep them until they are polled. A program that needs its completions, or
     * must run on every device, polls them before: in ERR every request completes.
     *
     * @param attributes the attributes to change
     * @throws VerbsException with EINVAL if the transition is not legal, required attributes are missing, other
     *         attributes are present, or a value is out of range; also if the packets of a connection cannot have the
     *         destination of the path: a multicast group, the broadcast or the unspecified address, or an address of
     *         another family than the source. The message names the cause
     */
    public void modify(QpAttributes attributes) {
        operations().modifyQp(handle, Objects.requireNonNull(attributes, "attributes"));
    }

    /** {@return the present state and all attributes that were set so far; see ibv_query_qp(3)} */
    public QpAttributes query() {
        return operations().queryQp(handle);
    }

    /** {@return the present state} */
    public QpState state() {
        return operations().queryQpState(handle);
    }

    /** Returns the operations of the device, for a call that needs stack; throws if this queue pair is closed. */
    private ContextOps operations() {
        StackReserve.check();
        checkOpen();
        return ops;
    }

    /** {@return the options of ECE; see ibv_query_ece(3)} Fails with EOPNOTSUPP if the device has none. */
    public Ece queryEce() {
        return operations().queryEce(handle);
    }

    /**
     * Sets the options of enhanced connection establishment, which later transitions use; see ibv_set_ece(3).
     *
     * @param ece the options, with the vendor of the device
     * @throws VerbsException with EOPNOTSUPP if the device has none, EINVAL if it does not have these
     */
    public void setEce(Ece ece) {
        operations().setEce(handle, Objects.requireNonNull(ece, "ece"));
    }

    /**
     * Attaches this UD queue pair to a multicast group; see ibv_attach_mcast(3). A second attachment to the same group
     * has no effect.
     *
     * @param group the GID of the group
     * @param lid the LID of the group; 0 on Ethernet
     * @throws VerbsException with EINVAL if this is not a UD queue pair or the GID is not a multicast GID, ENOMEM if a
     *         limit of the device is reached
     */
    public void attachMulticast(Gid group, int lid) {
        StackReserve.check();
        Membership membership = new Membership(Objects.requireNonNull(group, "group"), lid);
        synchronized (memberships) {
            // here, because the close of the context detaches a closed queue pair under this lock
            checkOpen();
            boolean isNew = memberships.add(membership);
            try {
                ops.attachMulticast(handle, group, lid);
            } catch (RuntimeException e) {
                // not after an Error: the queue pair may be attached then
                if (isNew) {
                    memberships.remove(membership);
                }
                throw e;
            }
        }
    }

    /**
     * Detaches this queue pair from a multicast group; see ibv_detach_mcast(3).
     *
     * @param group the GID of the group
     * @param lid the LID of the group; 0 on Ethernet
     * @throws VerbsException with EINVAL if this queue pair is not attached to the group
     */
    public void detachMulticast(Gid group, int lid) {
        Membership membership = new Membership(Objects.requireNonNull(group, "group"), lid);
        operations().detachMulticast(handle, group, lid);
        synchronized (memberships) {
            memberships.remove(membership);
        }
    }

    /**
     * {@return the data that a peer needs to connect to this queue pair over port 1: the queue pair number, the GID
     * that {@link RdmaContext#preferredGid} selects, the active MTU of the port, and a random PSN} The first call
     * determines the values, and later calls return the same values.
     */
    public synchronized ConnectionInfo localInfo() {
        checkOpen();
        if (localInfo == null) {
            localInfo = new ConnectionInfo(number(), handle.firstPsn(), context().preferredGid(Connector.PORT).gid(),
                    context().queryPort(Connector.PORT).activeMtu());
        }
        return localInfo;
    }

    /**
     * Connects this RC or UC queue pair to a peer: moves it from RESET or INIT to RTS. The attributes are port 1, P_Key
     * index 0, the smaller MTU of both sides, access flags for all remote operations, so that the memory regions decide
     * what peers can access, up to 16 outstanding READ and atomic operations in each direction, minimum RNR NAK timer
     * 0.64 ms, acknowledgement timeout 67 ms, 7 retries, and unlimited RNR retries. For other attributes use {@link
     * #modify}.
     *
     * <p>
     * The peer must do the same with the {@link #localInfo()} of this queue pair. It can send as soon as it is
     * connected. To post receive requests before, move this queue pair to INIT with {@link #modify} first.
     *
     * @param remote the {@link #localInfo()} of the queue pair of the peer
     * @throws VerbsException with EINVAL if this is a UD queue pair or it is in another state
     */
    public void connect(ConnectionInfo remote) {
        checkOpen();
        Connector.connect(this, localInfo(), Objects.requireNonNull(remote, "remote"));
    }

    /** {@return the protection domain of this queue pair} */
    public ProtectionDomain pd() {
        return pd;
    }

    /** {@return the queue pair number, 24 bits} */
    public int number() {
        return handle.number();
    }

    /** {@return the type of this queue pair} */
    public QpType type() {
        return init.type();
    }

    /** {@return the completion queue of send requests} */
    public CompletionQueue sendCq() {
        return init.sendCq();
    }

    /** {@return the completion queue of receive requests} */
    public CompletionQueue recvCq() {
        return init.recvCq();
    }

    /** {@return the shared receive queue, or null} */
    public SharedReceiveQueue srq() {
        return init.srq();
    }

    /** {@return the user context given at creation, or null} */
    public Object userContext() {
        return init.userContext();
    }

    /** {@return the granted sizes, at least the requested ones} */
    public QpCapabilities capabilities() {
        return capabilities;
    }

    /** {@return the device's handle of this object, for service providers} */
    public Handle.Qp handle() {
        return handle;
    }

    /** {@return the number of asynchronous events of this queue pair that were retrieved but not acknowledged} */
    public int unacknowledgedEvents() {
        StackReserve.check();
        return asyncEvents.outstanding();
    }

    EventCounter asyncEvents() {
        return asyncEvents;
    }

    /**
     * Destroys the queue pair; see ibv_destroy_qp(3). Outstanding requests are discarded without completions, and
     * completions that were not polled may be removed, as in RESET, see {@link #modify}. Waits until all retrieved
     * events are acknowledged.
     *
     * <p>
     * On a native device, no other thread may post to the queue pair meanwhile: the driver takes no lock against that
     * and would access freed memory, which can crash the JVM. All other calls are safe.
     *
     * @throws VerbsException with EBUSY if the queue pair is attached to a multicast group; with EINTR if the thread is
     *         interrupted during the wait: acknowledge the events and call this method again
     */
    @Override
    public void close() {
        super.close();
    }

    @Override
    Rank rank() {
        return Rank.QUEUE_PAIR;
    }

    @Override
    void destroy() {
        if (reported == null) {
            reported = ops.destroyQp(handle);
        }
        asyncEvents.destroyed(reported.async(), reported.isLogged());
    }

    /** Detaches this queue pair from its multicast groups: the device refuses to destroy an attached queue pair. */
    @Override
    void prepareDestroyWithContext() {
        if (reported != null) {
            return;
        }
        synchronized (memberships) {
            for (Membership membership : memberships) {
                try {
                    ops.detachMulticast(handle, membership.group(), membership.lid());
                } catch (VerbsException e) {
                    // EINVAL: it is not attached, because an Error ended the attachment or the detachment
                }
            }
            memberships.clear();
        }
    }

    @Override
    void awaitEventsAcknowledged() {
        asyncEvents.awaitAcknowledged("destroy_qp", "asynchronous event", this);
    }

    @Override
    public String toString() {
        return type() + " queue pair" + (handle == null ? "" : " " + Hex.number(number())) + " of "
                + context().device();
    }
}
