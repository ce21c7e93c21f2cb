package io.jverbs.spi;

import io.jverbs.AhAttributes;
import io.jverbs.DeviceAttributes;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.MwBind;
import io.jverbs.PortAttributes;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.SrqAttributes;
import io.jverbs.SrqInitAttributes;
import io.jverbs.SrqModification;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * An open device: the control path, and the way to the data path. The API has checked for null, for closed objects, for
 * parents with children and for objects of another context before it calls; the device checks all else and reports it as
 * {@link io.jverbs.VerbsException} with the errno that verbs give.
 *
 * <p>
 * {@code owner} arguments are opaque to the device; it returns them in events.
 */
public interface ContextOps {

    /**
     * How many events of a destroyed object had been retrieved by the program: so many must be acknowledged.
     *
     * @param completion completion events
     * @param async asynchronous events
     */
    record EventsReported(int completion, int async) {
        /** No event was retrieved. */
        public static final EventsReported NONE = new EventsReported(0, 0);
    }

    /**
     * An asynchronous event on its way to the program.
     *
     * @param type the number of the event, {@code enum ibv_event_type}
     * @param owner the owner of the object concerned, null for events of a port or the device
     * @param port the port concerned, otherwise 0
     */
    record Async(int type, Object owner, int port) {}

    /** {@return the operations that post and poll, always the same object} */
    DataPath dataPath();

    /** {@return the device's attributes} */
    DeviceAttributes queryDevice();

    /**
     * {@return the attributes of a port}
     *
     * @param port the port's number, from 1
     */
    PortAttributes queryPort(int port);

    /**
     * {@return an entry of the GID table, all zero when empty}
     *
     * @param port the port's number, from 1
     * @param index the place in the table
     */
    Gid queryGid(int port, int index);

    /**
     * {@return an entry of the GID table; ENODATA when empty}
     *
     * @param port the port's number, from 1
     * @param index the place in the table
     */
    GidEntry queryGidEntry(int port, int index);

    /** {@return the entries of all ports that are not empty} */
    List<GidEntry> queryGidTable();

    /**
     * {@return an entry of the P_Key table, 0 when empty}
     *
     * @param port the port's number, from 1
     * @param index the place in the table
     */
    int queryPkey(int port, int index);

    /** {@return a new protection domain} */
    Handle.Pd allocatePd();

    /**
     * Gives a protection domain back.
     *
     * @param pd the domain
     */
    void deallocatePd(Handle.Pd pd);

    /**
     * Registers memory.
     *
     * @param pd the protection domain
     * @param segment the memory: native or mapped, accessible from every thread
     * @param access bits of {@link io.jverbs.Access}
     * @param iova the address by which local and remote requests name its first byte
     * @return the region
     */
    Handle.Mr registerMemory(Handle.Pd pd, MemorySegment segment, int access, long iova);

    /**
     * Changes a region; arguments count only where their bit is in {@code flags}. A failure changes nothing.
     *
     * @param mr the region
     * @param flags {@code IBV_REREG_MR_CHANGE_TRANSLATION} 1, {@code _PD} 2, {@code _ACCESS} 4
     * @param segment the new memory
     * @param iova the address of its first byte
     * @param pd the new protection domain
     * @param access the new access bits
     */
    void reregisterMemory(Handle.Mr mr, int flags, MemorySegment segment, long iova, Handle.Pd pd, int access);

    /**
     * Ends a registration. The device touches the memory no more once this returns.
     *
     * @param mr the region
     */
    void deregisterMemory(Handle.Mr mr);

    /**
     * {@return a new memory window}
     *
     * @param pd the protection domain
     * @param type {@code enum ibv_mw_type}
     */
    Handle.Mw allocateMw(Handle.Pd pd, int type);

    /**
     * Gives a memory window back; a bound one is invalidated.
     *
     * @param mw the window
     */
    void deallocateMw(Handle.Mw mw);

    /**
     * Posts the bind of a type 1 window; see ibv_bind_mw(3).
     *
     * @param qp the queue pair that carries it out
     * @param mw the window
     * @param wrId returned in the completion
     * @param sendFlags bits of {@link io.jverbs.SendFlags}
     * @param bind the range, or a length of 0 to unbind
     */
    void bindMw(Handle.Qp qp, Handle.Mw mw, long wrId, int sendFlags, MwBind bind);

    /** {@return a new completion channel} */
    Handle.Channel createChannel();

    /**
     * Destroys a channel; threads that wait on it return.
     *
     * @param channel the channel
     */
    void destroyChannel(Handle.Channel channel);

    /**
     * Waits for a completion event.
     *
     * @param channel the channel
     * @param nanos how long to wait, 0 to look only
     * @return the owner of the completion queue; null when the time is over, the channel was destroyed, or {@link #wake} was
     *         called
     * @throws InterruptedException if the thread is interrupted
     */
    Object awaitEvent(Handle.Channel channel, long nanos) throws InterruptedException;

    /**
     * {@return a new completion queue}
     *
     * @param cqe the least number of completions it must hold
     * @param channel where its events go, or null
     * @param completionVector the completion vector, from 0
     * @param owner returned in events
     */
    Handle.Cq createCq(int cqe, Handle.Channel channel, int completionVector, Object owner);

    /**
     * Changes the size of a completion queue; what it holds stays, in order.
     *
     * @param cq the queue
     * @param cqe the least number of completions it must hold
     */
    void resizeCq(Handle.Cq cq, int cqe);

    /**
     * Destroys a completion queue and discards its events that nobody has retrieved.
     *
     * @param cq the queue
     * @return the events that were retrieved
     */
    EventsReported destroyCq(Handle.Cq cq);

    /**
     * {@return a new queue pair in RESET}
     *
     * @param pd the protection domain
     * @param attributes its queues and sizes
     * @param owner returned in events
     */
    Handle.Qp createQp(Handle.Pd pd, QpInitAttributes attributes, Object owner);

    /**
     * Changes attributes of a queue pair, all or none.
     *
     * @param qp the queue pair
     * @param attributes what to change
     */
    void modifyQp(Handle.Qp qp, QpAttributes attributes);

    /**
     * {@return the present attributes of a queue pair}
     *
     * @param qp the queue pair
     */
    QpAttributes queryQp(Handle.Qp qp);

    /**
     * Destroys a queue pair; it puts no completion after this returns.
     *
     * @param qp the queue pair
     * @return the events that were retrieved
     */
    EventsReported destroyQp(Handle.Qp qp);

    /**
     * Attaches a UD queue pair to a multicast group.
     *
     * @param qp the queue pair
     * @param group the group
     * @param lid the group's LID, 0 on Ethernet
     */
    void attachMulticast(Handle.Qp qp, Gid group, int lid);

    /**
     * Detaches a queue pair from a multicast group.
     *
     * @param qp the queue pair
     * @param group the group
     * @param lid the group's LID, 0 on Ethernet
     */
    void detachMulticast(Handle.Qp qp, Gid group, int lid);

    /**
     * {@return a new shared receive queue}
     *
     * @param pd the protection domain
     * @param attributes its size
     * @param owner returned in events
     */
    Handle.Srq createSrq(Handle.Pd pd, SrqInitAttributes attributes, Object owner);

    /**
     * Changes the size or the limit of a shared receive queue, all or none.
     *
     * @param srq the queue
     * @param change what to change
     */
    void modifySrq(Handle.Srq srq, SrqModification change);

    /**
     * {@return the present attributes of a shared receive queue}
     *
     * @param srq the queue
     */
    SrqAttributes querySrq(Handle.Srq srq);

    /**
     * Destroys a shared receive queue.
     *
     * @param srq the queue
     * @return the events that were retrieved
     */
    EventsReported destroySrq(Handle.Srq srq);

    /**
     * {@return a new address handle}
     *
     * @param pd the protection domain
     * @param attributes the destination
     */
    Handle.Ah createAh(Handle.Pd pd, AhAttributes attributes);

    /**
     * Destroys an address handle.
     *
     * @param ah the handle
     */
    void destroyAh(Handle.Ah ah);

    /**
     * Waits for an asynchronous event.
     *
     * @param nanos how long to wait, 0 to look only
     * @return the event; null when the time is over, the context was closed, or {@link #wake} was called
     * @throws InterruptedException if the thread is interrupted
     */
    Async awaitAsync(long nanos) throws InterruptedException;

    /**
     * Ends a wait for an event early, for layers, which have events of their own: one thread that waits, or else the next one that
     * will, gets null and looks around.
     *
     * @param channel where it waits for completion events, null for asynchronous ones
     */
    void wake(Handle.Channel channel);

    /** Closes the device, whose objects are all destroyed by now; threads that wait return. */
    void close();
}
