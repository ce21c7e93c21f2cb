package io.jverbs.spi;

import io.jverbs.AhAttributes;
import io.jverbs.DeviceAttributes;
import io.jverbs.Ece;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.MwBind;
import io.jverbs.PortAttributes;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.SrqAttributes;
import io.jverbs.SrqInitAttributes;
import io.jverbs.SrqModification;
import io.jverbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * An open device, as {@code struct ibv_context}: the operations of the control path, and access to the data path.
 *
 * <p>
 * <b>What the caller has checked.</b> The API refuses null arguments, closed objects, the destruction of an object that
 * other objects use, and parents that belong to another context, before it calls. The device checks everything else. A
 * layer calls the context below it under the same rules. Two kinds of objects may belong to another context or another
 * device: the window and the region of {@link #bindMw}, and the address handles, windows and regions that a work
 * request names.
 *
 * <p>
 * The API also makes sure that enough stack is left for the operation ({@link StackReserve}), so that no {@link
 * StackOverflowError} keeps the device from releasing a lock.
 *
 * <p>
 * <b>Errors.</b> An operation that fails throws {@link io.jverbs.VerbsException} with the errno that the man page of
 * the verb gives, and changes nothing. The message names the value that was refused and what is allowed. After the
 * device was removed, queries and operations that create, change or attach an object fail with EIO ({@link
 * #queryDevice} may succeed, as its result does not change). Operations that destroy or detach an object, the waits and
 * {@link #close} still succeed.
 *
 * <p>
 * <b>Threading.</b> Any thread may call any method, a virtual thread too. Several threads may call at the same time,
 * also for the same handle, and one of them may destroy its object.
 *
 * <p>
 * <b>Java Errors.</b> Any operation may throw an {@link Error} such as {@link OutOfMemoryError}. One that creates an
 * object then leaves no object behind. The API destroys an object once: a second call for the same handle follows only
 * if the first one threw. After an Error, it does what the first call has left, and nothing twice.
 *
 * <p>
 * {@code owner} arguments are opaque to the device. It returns them in events.
 */
public interface ContextOps {

    /**
     * The events of a destroyed object that the program has retrieved. The API waits until the program has acknowledged
     * that many; the device does not wait.
     *
     * @param completion the number of completion events, 0 unless the object is a completion queue
     * @param async the number of asynchronous events
     * @param isLogged whether a layer has logged that some of them are not acknowledged; the API does not log it again
     */
    record EventsReported(int completion, int async, boolean isLogged) {
        /** No event was retrieved. */
        public static final EventsReported NONE = new EventsReported(0, 0);

        /**
         * Creates the numbers of events, of which nothing was logged.
         *
         * @param completion the number of completion events, 0 unless the object is a completion queue
         * @param async the number of asynchronous events
         */
        public EventsReported(int completion, int async) {
            this(completion, async, false);
        }
    }

    /**
     * An asynchronous event; see ibv_get_async_event(3).
     *
     * @param type the number of the event, {@code enum ibv_event_type}
     * @param owner the owner of the object that the event concerns, null for events of a port or of the device
     * @param port the number of the port that the event concerns, 0 for other events
     */
    record Async(int type, Object owner, int port) {}

    /** {@return the operations that post and poll} It is the same object in each call. */
    DataPath dataPath();

    /** {@return the device's attributes and limits; see ibv_query_device(3)} */
    DeviceAttributes queryDevice();

    /**
     * {@return the attributes of a port; see ibv_query_port(3)}
     *
     * @param port the number of the port, from 1
     * @throws io.jverbs.VerbsException with EINVAL if there is no such port
     */
    PortAttributes queryPort(int port);

    /**
     * {@return an entry of a port's GID table, {@link Gid#ZERO} if the entry is empty; see ibv_query_gid(3)}
     *
     * @param port the number of the port, from 1
     * @param index the index in the table, from 0
     * @throws io.jverbs.VerbsException with EINVAL if there is no such port or index
     */
    Gid queryGid(int port, int index);

    /**
     * {@return an entry of a port's GID table with its type; see ibv_query_gid_ex(3)}
     *
     * @param port the number of the port, from 1
     * @param index the index in the table, from 0
     * @throws io.jverbs.VerbsException with ENODATA if the entry is empty, EINVAL if there is no such port or index
     */
    GidEntry queryGidEntry(int port, int index);

    /** {@return the entries in use of the GID tables of all ports; see ibv_query_gid_table(3)} */
    List<GidEntry> queryGidTable();

    /**
     * {@return an entry of a port's P_Key table: 16 bits in host byte order, 0 if the entry is empty; see
     * ibv_query_pkey(3)}
     *
     * @param port the number of the port, from 1
     * @param index the index in the table, from 0
     * @throws io.jverbs.VerbsException with EINVAL if there is no such port or index
     */
    int queryPkey(int port, int index);

    /**
     * {@return a new protection domain; see ibv_alloc_pd(3)}
     *
     * @throws io.jverbs.VerbsException with ENOMEM if the device has no more
     */
    Handle.Pd allocatePd();

    /**
     * Deallocates a protection domain; see ibv_dealloc_pd(3). The API has destroyed everything that belongs to it.
     *
     * @param pd the protection domain
     */
    void deallocatePd(Handle.Pd pd);

    /**
     * Registers memory; see ibv_reg_mr_iova(3). The API has checked that the segment is native or mapped, that it is
     * alive and accessible from every thread, and that it is writable if {@code access} requires that. The API keeps
     * the segment reachable until the region is deregistered.
     *
     * @param pd the protection domain
     * @param segment the memory
     * @param access bits of {@link io.jverbs.Access}
     * @param iova the address by which local and remote requests name the first byte
     * @return the region
     * @throws io.jverbs.VerbsException with EINVAL for access bits that are unknown or not allowed together, for a
     *             range that ends beyond 2^64, and for a length of 0 if the device does not support it; with ENOMEM if
     *             the device has no more regions or cannot pin the memory; with EFAULT if the memory is not accessible
     */
    Handle.Mr registerMemory(Handle.Pd pd, MemorySegment segment, int access, long iova);

    /**
     * Changes a region; see ibv_rereg_mr(3). {@code flags} says which arguments are new. The other arguments carry the
     * region's present values. A failure changes nothing.
     *
     * @param mr the region
     * @param flags {@code IBV_REREG_MR_CHANGE_TRANSLATION} 1, {@code IBV_REREG_MR_CHANGE_PD} 2, {@code
     *            IBV_REREG_MR_CHANGE_ACCESS} 4
     * @param segment the memory, checked as in {@link #registerMemory}; new memory has a length of at least 1
     * @param iova the address of its first byte
     * @param pd the protection domain
     * @param access bits of {@link io.jverbs.Access}
     * @throws io.jverbs.VerbsException with EINVAL and ENOMEM as {@link #registerMemory}, EBUSY if a memory window is
     *             bound to the region, EOPNOTSUPP if the device does not support the change
     */
    void reregisterMemory(Handle.Mr mr, int flags, MemorySegment segment, long iova, Handle.Pd pd, int access);

    /**
     * Ends a registration; see ibv_dereg_mr(3). The device does not access the memory after this returns. Requests that
     * name the region complete in error.
     *
     * @param mr the region
     * @throws io.jverbs.VerbsException with EBUSY if a memory window is bound to the region
     */
    void deregisterMemory(Handle.Mr mr);

    /**
     * {@return a new memory window that is not bound; see ibv_alloc_mw(3)}
     *
     * @param pd the protection domain
     * @param type {@code enum ibv_mw_type}
     * @throws io.jverbs.VerbsException with EINVAL for an unknown type, EOPNOTSUPP if the device has no windows, ENOMEM
     *             if it has no more
     */
    Handle.Mw allocateMw(Handle.Pd pd, int type);

    /**
     * Deallocates a memory window; see ibv_dealloc_mw(3). A window that is bound is invalidated.
     *
     * @param mw the window
     */
    void deallocateMw(Handle.Mw mw);

    /**
     * Posts the bind of a type 1 window; see ibv_bind_mw(3). {@link Handle.Mw#rkey} returns the new key as soon as this
     * returns.
     *
     * @param qp the queue pair that executes the bind
     * @param mw the window
     * @param wrId returned in the completion
     * @param sendFlags bits of {@link io.jverbs.SendFlags}
     * @param bind the range, or a length of 0 to unbind
     * @throws io.jverbs.VerbsException with EINVAL for a window of type 2, and for a range without a region; with EPERM
     *             if window and region belong to different protection domains; with ENOMEM if the send queue is full;
     *             with the other errnos of {@link DataPath#postSend}
     */
    void bindMw(Handle.Qp qp, Handle.Mw mw, long wrId, int sendFlags, MwBind bind);

    /** {@return a new completion channel; see ibv_create_comp_channel(3)} */
    Handle.Channel createChannel();

    /**
     * Destroys a completion channel; see ibv_destroy_comp_channel(3). The API has destroyed the completion queues that
     * use it. Threads that wait in {@link #awaitEvent} return null.
     *
     * @param channel the channel
     */
    void destroyChannel(Handle.Channel channel);

    /**
     * Waits for a completion event; see ibv_get_cq_event(3). The call blocks the calling thread, but not the carrier of
     * a virtual thread. It may come after {@link #destroyChannel} and then returns null.
     *
     * @param channel the channel
     * @param nanos how long to wait, in nanoseconds of the clock {@link ProviderDevice#nanoTime}; 0 does not wait
     * @return the owner of the completion queue; null if the time has passed, the channel was destroyed, or {@link
     *         #wake} was called
     * @throws InterruptedException if the thread is interrupted
     */
    Object awaitEvent(Handle.Channel channel, long nanos) throws InterruptedException;

    /**
     * {@return a new completion queue; see ibv_create_cq(3)}
     *
     * @param cqe the least number of completions that it must hold
     * @param channel the channel to which its events go, or null
     * @param completionVector the completion vector, from 0
     * @param owner returned in events
     * @throws io.jverbs.VerbsException with EINVAL if the size or the vector is out of range, ENOMEM if the device has
     *             no more
     */
    Handle.Cq createCq(int cqe, Handle.Channel channel, int completionVector, Object owner);

    /**
     * Changes the size of a completion queue; see ibv_resize_cq(3). The completions that it holds stay, in order.
     *
     * @param cq the queue
     * @param cqe the least number of completions that it must hold
     * @throws io.jverbs.VerbsException with EINVAL if the size is out of range or less than the number of completions
     *             in the queue
     */
    void resizeCq(Handle.Cq cq, int cqe);

    /**
     * Destroys a completion queue; see ibv_destroy_cq(3). The API has destroyed the queue pairs that use it. Events of
     * the queue that were not retrieved are discarded. The call does not wait for acknowledgements.
     *
     * @param cq the queue
     * @return the events that were retrieved
     */
    EventsReported destroyCq(Handle.Cq cq);

    /**
     * {@return a new queue pair in RESET; see ibv_create_qp(3)}
     *
     * @param pd the protection domain
     * @param attributes its type, completion queues and sizes; the device grants at least the sizes requested
     * @param owner returned in events
     * @throws io.jverbs.VerbsException with EINVAL if a size is beyond the device's limits, EOPNOTSUPP for an unknown
     *             type, ENOMEM if the device has no more
     */
    Handle.Qp createQp(Handle.Pd pd, QpInitAttributes attributes, Object owner);

    /**
     * Changes attributes of a queue pair, all or none; see ibv_modify_qp(3).
     *
     * @param qp the queue pair
     * @param attributes the attributes to change
     * @throws io.jverbs.VerbsException with EINVAL if the transition does not exist, an attribute that it requires is
     *             missing, an attribute is given that it does not allow, or a value is out of range
     */
    void modifyQp(Handle.Qp qp, QpAttributes attributes);

    /**
     * {@return the state of a queue pair and the attributes set since RESET; see ibv_query_qp(3)}
     *
     * @param qp the queue pair
     */
    QpAttributes queryQp(Handle.Qp qp);

    /**
     * {@return the state of a queue pair, as {@link #queryQp} reports it}
     *
     * @param qp the queue pair
     */
    default QpState queryQpState(Handle.Qp qp) {
        return queryQp(qp).state();
    }

    /**
     * {@return the options of ECE of a queue pair; see ibv_query_ece(3)} Throws EOPNOTSUPP if the device has none.
     *
     * @param qp the queue pair
     */
    default Ece queryEce(Handle.Qp qp) {
        throw new VerbsException("query_ece", Errno.EOPNOTSUPP, "the device has no options of ECE");
    }

    /**
     * Sets the options of ECE of a queue pair; see ibv_set_ece(3). Throws EOPNOTSUPP if the device has none.
     *
     * @param qp the queue pair
     * @param ece the options, with the vendor of the device
     */
    default void setEce(Handle.Qp qp, Ece ece) {
        throw new VerbsException("set_ece", Errno.EOPNOTSUPP, "the device has no options of ECE");
    }

    /**
     * Destroys a queue pair in any state; see ibv_destroy_qp(3). The device adds no completion of it after this
     * returns. Asynchronous events that were not retrieved are discarded.
     *
     * @param qp the queue pair
     * @return the events that were retrieved
     * @throws io.jverbs.VerbsException with EBUSY if the queue pair is attached to a multicast group
     */
    EventsReported destroyQp(Handle.Qp qp);

    /**
     * Attaches a UD queue pair to a multicast group; see ibv_attach_mcast(3). Attaching it again has no effect.
     *
     * @param qp the queue pair
     * @param group the GID of the group
     * @param lid the LID of the group, 0 on Ethernet
     * @throws io.jverbs.VerbsException with EINVAL if the queue pair is not UD or the GID is not a multicast GID,
     *             ENOMEM beyond the device's limits
     */
    void attachMulticast(Handle.Qp qp, Gid group, int lid);

    /**
     * Detaches a queue pair from a multicast group; see ibv_detach_mcast(3).
     *
     * @param qp the queue pair
     * @param group the GID of the group
     * @param lid the LID of the group, 0 on Ethernet
     * @throws io.jverbs.VerbsException with EINVAL if the queue pair is not attached to the group
     */
    void detachMulticast(Handle.Qp qp, Gid group, int lid);

    /**
     * {@return a new shared receive queue; see ibv_create_srq(3)}
     *
     * @param pd the protection domain
     * @param attributes its sizes and its limit
     * @param owner returned in events
     * @throws io.jverbs.VerbsException with EINVAL if a value is out of range, ENOMEM if the device has no more
     */
    Handle.Srq createSrq(Handle.Pd pd, SrqInitAttributes attributes, Object owner);

    /**
     * Changes the size or the limit of a shared receive queue, all or none; see ibv_modify_srq(3).
     *
     * @param srq the queue
     * @param change the values to change
     * @throws io.jverbs.VerbsException with EINVAL if a value is out of range, or the size is less than the number of
     *             requests in the queue
     */
    void modifySrq(Handle.Srq srq, SrqModification change);

    /**
     * {@return the sizes and the limit of a shared receive queue, a limit of 0 if it is not armed; see
     * ibv_query_srq(3)}
     *
     * @param srq the queue
     */
    SrqAttributes querySrq(Handle.Srq srq);

    /**
     * Destroys a shared receive queue; see ibv_destroy_srq(3). The API has destroyed the queue pairs that use it.
     * Events of the queue that were not retrieved are discarded.
     *
     * @param srq the queue
     * @return the events that were retrieved
     */
    EventsReported destroySrq(Handle.Srq srq);

    /**
     * {@return a new address handle; see ibv_create_ah(3)}
     *
     * @param pd the protection domain
     * @param attributes the destination
     * @throws io.jverbs.VerbsException with EINVAL if the port, the source GID or the destination does not exist or
     *             cannot be used, ENOMEM if the device has no more
     */
    Handle.Ah createAh(Handle.Pd pd, AhAttributes attributes);

    /**
     * Destroys an address handle; see ibv_destroy_ah(3).
     *
     * @param ah the address handle
     */
    void destroyAh(Handle.Ah ah);

    /**
     * {@return a new event channel of the connection manager; see rdma_create_event_channel(3)} By default, a device
     * has no connection manager.
     *
     * @throws io.jverbs.VerbsException with EOPNOTSUPP if the device has no connection manager
     */
    default CmChannelOps createCmChannel() {
        throw new VerbsException("create_event_channel", Errno.EOPNOTSUPP, "the device has no connection manager");
    }

    /**
     * Waits for an asynchronous event; see ibv_get_async_event(3). The call blocks the calling thread, but not the
     * carrier of a virtual thread. It may come after {@link #close} and then returns null.
     *
     * @param nanos how long to wait, in nanoseconds of the clock {@link ProviderDevice#nanoTime}; 0 does not wait
     * @return the event; null if the time has passed, the context was closed, or {@link #wake} was called
     * @throws InterruptedException if the thread is interrupted
     */
    Async awaitAsync(long nanos) throws InterruptedException;

    /**
     * Ends a wait for an event early. Layers that inject events of their own call this. One thread that waits returns
     * null; if none waits, the next wait returns null at once. A wait that finds an event returns the event.
     *
     * @param channel the channel on which to end a wait for completion events; null to end a wait for asynchronous
     *            events
     */
    void wake(Handle.Channel channel);

    /**
     * Closes the device; see ibv_close_device(3). The API calls it after it has destroyed the objects of the context,
     * also if the device has refused to destroy one of them. The API calls it again only if it threw; a call has no
     * effect if the device is closed. Threads that wait in {@link #awaitAsync} return null.
     */
    void close();
}
