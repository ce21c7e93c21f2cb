package io.jverbs.cm;

import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.CqInitAttributes;
import io.jverbs.Errno;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QueuePair;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.SrqInitAttributes;
import io.jverbs.VerbsException;
import io.jverbs.WorkCompletions;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The objects of an ID besides its queue pair: the protection domain, the completion queues and the shared receive
 * queue, which are the fields {@code pd}, {@code send_cq}, {@code recv_cq} and {@code srq} of {@code struct
 * rdma_cm_id}. The ID creates those that the program does not give to {@link CmId#createQueuePair(QpInitAttributes)},
 * and destroys them. Thread-safe.
 *
 * {@snippet :
 * QueuePair qp = id.createQueuePair(QpInitAttributes.builder(QpType.RC).maxSendWr(32).build());
 * MemoryRegion region = id.resources().pd().allocate(4096, Access.LOCAL_WRITE);
 * id.resources().sendCq().poll(completions);
 * }
 */
public final class CmIdResources {
    /** Why an object of an ID is refused. */
    static final String FOREIGN_DOMAIN = "the protection domain belongs to another context than the ID: create both"
            + " with the same context";

    private final CmId id;
    /** It is held while objects are created and destroyed. */
    private final ReentrantLock lock = new ReentrantLock();
    private final IdQueue send = new IdQueue();
    private final IdQueue receive = new IdQueue();
    private volatile SharedReceiveQueue srq;
    /** The default domain, if the ID uses it. */
    private volatile ProtectionDomain shared;

    /** A completion queue with a channel of its own. The lock guards changes. */
    private static final class IdQueue {
        private volatile CompletionChannel channel;
        private volatile CompletionQueue cq;

        void create(CmId id, int cqe) {
            channel = id.context().createCompletionChannel();
            cq = id.context().createCompletionQueue(new CqInitAttributes(Math.max(1, cqe), channel, 0, id));
        }

        /** Destroys what exists. Can be repeated after a failure. */
        void destroy() {
            if (cq != null) {
                cq.close();
                cq = null;
            }
            if (channel != null) {
                channel.close();
                channel = null;
            }
        }
    }

    CmIdResources(CmId id) {
        this.id = id;
    }

    /**
     * Returns the protection domain of the queue pair; without a queue pair, the default one, which the IDs of a
     * context share. It is allocated with the first use, and closed when the last ID that has used it is closed: close
     * the memory regions in it before. If there are some then, it remains until the context is closed.
     *
     * @return the protection domain
     * @throws VerbsException with EINVAL if the ID is not bound to a device; with the errnos of {@link
     *         io.jverbs.RdmaContext#allocatePd}
     * @throws IllegalStateException if the ID is closed
     */
    public ProtectionDomain pd() {
        QueuePair qp = id.queuePair();
        return qp != null ? qp.pd() : defaultDomain("alloc_pd");
    }

    /** Returns the default domain, which the ID uses from now on. */
    ProtectionDomain defaultDomain(String operation) {
        lock.lock();
        try {
            requireDevice(operation);
            if (shared == null) {
                shared = id.channel().device().acquireDomain();
            }
            return shared;
        } finally {
            lock.unlock();
        }
    }

    void requireDevice(String operation) {
        if (id.port() == 0) {
            throw new VerbsException(operation, Errno.EINVAL, id
                    + " is not bound to a device: bind it to an address of the device, or resolve an address"
                    + stateOf());
        }
    }

    /** Returns what the device says of the state of an ID that cannot have a queue pair, in parentheses. */
    private String stateOf() {
        try {
            id.initQpAttributes(QpState.INIT);
            return "";
        } catch (VerbsException e) {
            return " (" + e.getMessage() + ")";
        }
    }

    /**
     * {@return the completion queue of send requests that was created with the queue pair, with a channel of its own;
     * null if the program has given one or there is no queue pair}
     */
    public CompletionQueue sendCq() {
        return send.cq;
    }

    /**
     * {@return the completion queue of receive requests that was created with the queue pair, with a channel of its
     * own; null if the program has given one or there is no queue pair}
     */
    public CompletionQueue recvCq() {
        return receive.cq;
    }

    /**
     * Waits for a completion of a send request in {@link #sendCq()}, and removes it; see rdma_get_send_comp(3). One
     * thread at a time: a completion wakes one.
     *
     * @param completion receives the completion, at index 0; its previous content is overwritten
     * @param timeout the maximum time to wait; {@link Duration#ZERO} returns immediately
     * @return whether there was a completion before the timeout expired
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws VerbsException with EINVAL if there is no such queue
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException if the queue is destroyed, before or during the wait
     */
    public boolean awaitSend(WorkCompletions completion, Duration timeout) throws InterruptedException {
        return await(send.cq, "send", completion, timeout);
    }

    /**
     * Waits for a completion of a receive request in {@link #recvCq()}, and removes it; see rdma_get_recv_comp(3). One
     * thread at a time: a completion wakes one.
     *
     * @param completion receives the completion, at index 0; its previous content is overwritten
     * @param timeout the maximum time to wait; {@link Duration#ZERO} returns immediately
     * @return whether there was a completion before the timeout expired
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws VerbsException with EINVAL if there is no such queue
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException if the queue is destroyed, before or during the wait
     */
    public boolean awaitReceive(WorkCompletions completion, Duration timeout) throws InterruptedException {
        return await(receive.cq, "receive", completion, timeout);
    }

    private boolean await(CompletionQueue cq, String requests, WorkCompletions completion, Duration timeout)
            throws InterruptedException {
        Objects.requireNonNull(completion, "completion");
        if (Objects.requireNonNull(timeout, "timeout").isNegative()) {
            throw new IllegalArgumentException("timeout " + timeout + " is negative");
        }
        if (cq == null) {
            throw new VerbsException("poll_cq", Errno.EINVAL, id + " has created no completion queue of " + requests
                    + " requests: create its queue pair without one, or use that of the program");
        }
        long start = System.nanoTime();
        while (cq.poll(completion, 1) == 0) {
            cq.requestNotification(false);
            if (cq.poll(completion, 1) != 0) {
                break;
            }
            Duration left = timeout.minusNanos(System.nanoTime() - start);
            CompletionQueue fired = cq.channel().awaitEvent(left.isNegative() ? Duration.ZERO : left);
            if (fired == null) {
                return cq.poll(completion, 1) != 0;
            }
            fired.acknowledgeEvents(1);
        }
        return true;
    }

    /** {@return the shared receive queue that was created with {@link #createSrq}, or null} */
    public SharedReceiveQueue srq() {
        return srq;
    }

    /**
     * Creates the shared receive queue of this ID in the default protection domain; see {@link
     * #createSrq(ProtectionDomain, SrqInitAttributes)}.
     *
     * @param attributes the attributes
     * @return the queue
     */
    public SharedReceiveQueue createSrq(SrqInitAttributes attributes) {
        Objects.requireNonNull(attributes, "attributes");
        return create(null, attributes);
    }

    /**
     * Creates the shared receive queue of this ID; see rdma_create_srq(3). A queue pair that is created afterwards uses
     * it if its attributes have no other one. {@link #destroySrq} or the close of the ID destroys it.
     *
     * @param pd the protection domain
     * @param attributes the attributes
     * @return the queue
     * @throws VerbsException with EINVAL if the ID has a shared receive queue or is not bound to a device, or if the
     *         protection domain belongs to another context; with the errnos of {@link
     *         ProtectionDomain#createSharedReceiveQueue}
     */
    public SharedReceiveQueue createSrq(ProtectionDomain pd, SrqInitAttributes attributes) {
        Objects.requireNonNull(pd, "pd");
        return create(pd, Objects.requireNonNull(attributes, "attributes"));
    }

    private SharedReceiveQueue create(ProtectionDomain given, SrqInitAttributes attributes) {
        lock.lock();
        try {
            requireDevice("create_srq");
            if (srq != null) {
                throw new VerbsException("create_srq", Errno.EINVAL, id + " has a shared receive queue already");
            }
            if (given != null && given.context() != id.context()) {
                throw new VerbsException("create_srq", Errno.EINVAL, FOREIGN_DOMAIN);
            }
            ProtectionDomain pd = given == null ? defaultDomain("create_srq") : given;
            srq = pd.createSharedReceiveQueue(attributes);
            return srq;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Destroys the shared receive queue of this ID, if it has one; see rdma_destroy_srq(3).
     *
     * @throws VerbsException with EBUSY if a queue pair uses it
     */
    public void destroySrq() {
        lock.lock();
        try {
            if (srq != null) {
                srq.close();
                srq = null;
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns attributes with queues of this ID in place of those that the program has not given; {@link
     * #destroyQueues} destroys these.
     */
    QpInitAttributes complete(QpInitAttributes given) {
        lock.lock();
        try {
            destroyQueues();
            QpInitAttributes.Builder all = given.toBuilder();
            SharedReceiveQueue receives = given.srq() == null ? srq : given.srq();
            all.srq(receives);
            if (given.sendCq() == null) {
                send.create(id, given.maxSendWr());
                all.sendCq(send.cq);
            }
            if (given.recvCq() == null) {
                // as many requests of the shared queue can complete at a time
                receive.create(id, receives == null
                        ? given.maxRecvWr()
                        : Math.min(receives.query().maxWr(), id.context().queryDevice().maxCqe()));
                all.recvCq(receive.cq);
            }
            return all.build();
        } finally {
            lock.unlock();
        }
    }

    /** Destroys the completion queues of the queue pair, which is destroyed. Can be repeated after a failure. */
    void destroyQueues() {
        lock.lock();
        try {
            send.destroy();
            receive.destroy();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the use of the default domain. Can be repeated after a failure. */
    void releaseDomain() {
        lock.lock();
        try {
            if (shared != null) {
                id.channel().device().releaseDomain();
                shared = null;
            }
        } finally {
            lock.unlock();
        }
    }
}
