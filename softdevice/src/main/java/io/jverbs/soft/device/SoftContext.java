package io.jverbs.soft.device;

import io.jverbs.AhAttributes;
import io.jverbs.AsyncEventType;
import io.jverbs.DeviceAttributes;
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
import io.jverbs.soft.device.PendingEvent.Repeat;
import io.jverbs.soft.fabric.EventWait;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.memory.SoftMr;
import io.jverbs.soft.memory.SoftMw;
import io.jverbs.soft.memory.SoftPd;
import io.jverbs.soft.protocol.QpStateCode;
import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.transport.SoftAh;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.SoftSrq;
import io.jverbs.spi.CmChannelOps;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.Handle;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * An open software device. It keeps the queue pairs that are created on it, so that the failure of a completion queue
 * or the removal of the device can move them to ERR. Thread-safe.
 */
final class SoftContext extends SoftDataPath implements ContextOps, OpenContext {
    /** {@code IBV_REREG_MR_CHANGE_TRANSLATION}. */
    private static final int CHANGE_TRANSLATION = 1;

    private final QpModifier modifier;
    private final QpFactory factory;
    private final Set<SoftQp> queuePairs = ConcurrentHashMap.newKeySet();
    private final EventQueue asyncEvents = new EventQueue();
    /** The port events that have occurred, by type. Guarded by itself. */
    private final Map<AsyncEventType, PendingEvent> portEvents = new EnumMap<>(AsyncEventType.class);
    private final AtomicBoolean removalReported = new AtomicBoolean();
    private final EventWait eventWait;
    private final EventWait completionWait;
    /** Whether this context was removed from the device. Used by the thread that closes it. */
    private boolean closed;

    SoftContext(DeviceCore device) {
        super(device);
        DataPathClasses.initialize();
        this.modifier = new QpModifier(device);
        this.factory = new QpFactory(device);
        this.eventWait = device.fabric().eventWait();
        this.completionWait = device.fabric().completionWait();
    }

    /** Queues an asynchronous event of an object. */
    void raise(PendingEvent event) {
        asyncEvents.add(event);
    }

    /** Queues an asynchronous event of the port. The latest events are last and describe the present state. */
    @Override
    public void raisePortEvent(AsyncEventType type, int port) {
        PendingEvent event;
        synchronized (portEvents) {
            event = portEvents.computeIfAbsent(type,
                    first -> new PendingEvent(null, new Async(type.code(), null, port), Repeat.MOVE_TO_END));
        }
        asyncEvents.add(event);
    }

    /** Moves all queue pairs that use a failed completion queue to ERR. */
    void failUsersOf(CompletionQueueCore cq) {
        queuePairsByNumber().filter(qp -> qp.parts().sendCq() == cq || qp.parts().recvCq() == cq)
                .forEach(SoftQp::failFatally);
    }

    /** Returns the queue pairs ordered by number, so that operations on several of them are repeatable. */
    private Stream<SoftQp> queuePairsByNumber() {
        return queuePairs.stream().sorted(Comparator.comparingInt(SoftQp::number));
    }

    /** Can be repeated after an Error. */
    @Override
    public void deviceRemoved() {
        if (!removalReported.get()) {
            queuePairsByNumber().forEach(SoftQp::failFatally);
            reportRemoval(new PendingEvent(null, new Async(AsyncEventType.DEVICE_FATAL.code(), null, 0),
                    Repeat.KEEP_POSITION));
        }
        runDeferred();
    }

    private void reportRemoval(PendingEvent event) {
        if (removalReported.compareAndSet(false, true)) {
            try {
                asyncEvents.add(event);
            } catch (Error e) {
                removalReported.set(false);
                throw e;
            }
        }
    }

    @Override
    public DataPath dataPath() {
        return this;
    }

    @Override
    public DeviceAttributes queryDevice() {
        device().checkPresent("query_device");
        return device().attributes();
    }

    @Override
    public PortAttributes queryPort(int port) {
        checkPort("query_port", port);
        return PortView.attributes(device().port());
    }

    private void checkPort(String operation, int port) {
        device().checkPresent(operation);
        Limits.check(operation, "port", port, SoftPort.NUMBER, SoftPort.NUMBER);
    }

    @Override
    public Gid queryGid(int port, int index) {
        checkPort("query_gid", port);
        Gid gid = device().port().gid(Limits.check("query_gid", "index", index, 0, SoftPort.GIDS - 1));
        return gid == null ? Gid.ZERO : gid;
    }

    @Override
    public GidEntry queryGidEntry(int port, int index) {
        checkPort("query_gid_ex", port);
        Limits.check("query_gid_ex", "index", index, 0, SoftPort.GIDS - 1);
        return device().port().gidTable().stream().filter(entry -> entry.index() == index).findFirst()
                .orElseThrow(() -> new VerbsException("query_gid_ex", Errno.ENODATA,
                        "GID table entry " + index + " is empty"));
    }

    @Override
    public List<GidEntry> queryGidTable() {
        device().checkPresent("query_gid_table");
        return device().port().gidTable();
    }

    @Override
    public int queryPkey(int port, int index) {
        checkPort("query_pkey", port);
        return device().port().pkey(Limits.check("query_pkey", "index", index, 0, SoftPort.PKEYS - 1));
    }

    @Override
    public Handle.Pd allocatePd() {
        device().checkPresent("alloc_pd");
        return device().usage().claim(Usage.Kind.PD, () -> new SoftPd(device().numbers()::addressOf));
    }

    @Override
    public void deallocatePd(Handle.Pd pd) {
        device().usage().release(Usage.Kind.PD);
    }

    @Override
    public Handle.Mr registerMemory(Handle.Pd pd, MemorySegment segment, int access, long iova) {
        device().checkPresent("reg_mr");
        return device().keyTable().register((SoftPd) pd, segment, access, iova);
    }

    @Override
    public void reregisterMemory(Handle.Mr mr, int flags, MemorySegment segment, long iova, Handle.Pd pd, int access) {
        device().checkPresent("rereg_mr");
        device().keyTable().reregister((SoftMr) mr, (SoftPd) pd, segment, access, iova,
                (flags & CHANGE_TRANSLATION) != 0);
    }

    @Override
    public void deregisterMemory(Handle.Mr mr) {
        device().keyTable().deregister((SoftMr) mr);
    }

    @Override
    public Handle.Mw allocateMw(Handle.Pd pd, int type) {
        device().checkPresent("alloc_mw");
        return device().keyTable().allocateWindow((SoftPd) pd, type);
    }

    @Override
    public void deallocateMw(Handle.Mw mw) {
        device().keyTable().deallocateWindow((SoftMw) mw);
    }

    @Override
    public void bindMw(Handle.Qp qp, Handle.Mw mw, long wrId, int sendFlags, MwBind bind) {
        device().checkPresent("bind_mw");
        WindowBinding.post((SoftQp) qp, mw, wrId, sendFlags, bind, device().keyTable());
    }

    @Override
    public Handle.Channel createChannel() {
        device().checkPresent("create_comp_channel");
        return new SoftChannel();
    }

    @Override
    public void destroyChannel(Handle.Channel channel) {
        ((SoftChannel) channel).events().close();
    }

    @Override
    public Object awaitEvent(Handle.Channel channel, long nanos) throws InterruptedException {
        PendingEvent event = completionWait.await(((SoftChannel) channel).events(), nanos);
        return event == null ? null : event.owner().object();
    }

    @Override
    public Handle.Cq createCq(int cqe, Handle.Channel channel, int completionVector, Object owner) {
        device().checkPresent("create_cq");
        Limits.check("create_cq", "cqe", cqe, 1, Limits.MAX_CQE);
        Limits.check("create_cq", "completion vector", completionVector, 0, Limits.COMPLETION_VECTORS - 1);
        return device().usage().claim(Usage.Kind.CQ,
                () -> new CompletionQueueCore(device().network().deferredQueue(), Limits.capacity(cqe), channel != null,
                        new EventForwarder(this, owner, (SoftChannel) channel)));
    }

    @Override
    public void resizeCq(Handle.Cq cq, int cqe) {
        device().checkPresent("resize_cq");
        Limits.check("resize_cq", "cqe", cqe, 1, Limits.MAX_CQE);
        CompletionQueueCore queue = (CompletionQueueCore) cq;
        if (!queue.resize(Limits.capacity(cqe), cqe)) {
            throw new VerbsException("resize_cq", Errno.EINVAL, "cqe " + cqe + " is less than the " + queue.size()
                    + " completions that the queue holds");
        }
    }

    @Override
    public EventsReported destroyCq(Handle.Cq cq) {
        EventForwarder owner = (EventForwarder) ((CompletionQueueCore) cq).events();
        owner.markDestroyed();
        EventsReported reported = new EventsReported(owner.forgetCompletionEvents(),
                owner.forgetAsyncEvents(asyncEvents));
        // last: the caller repeats this method if something in it throws
        device().usage().release(Usage.Kind.CQ);
        return reported;
    }

    @Override
    public Handle.Qp createQp(Handle.Pd pd, QpInitAttributes attributes, Object owner) {
        device().checkPresent("create_qp");
        SoftQp qp = factory.create((SoftPd) pd, attributes, new EventForwarder(this, owner, null));
        try {
            queuePairs.add(qp);
            return qp;
        } catch (RuntimeException | Error e) {
            factory.destroyed(qp);
            throw e;
        }
    }

    @Override
    public void modifyQp(Handle.Qp qp, QpAttributes attributes) {
        device().checkPresent("modify_qp");
        modifier.modify((SoftQp) qp, attributes, PortView.limits(device().port()));
    }

    @Override
    public QpAttributes queryQp(Handle.Qp qp) {
        device().checkPresent("query_qp");
        return modifier.query((SoftQp) qp);
    }

    @Override
    public QpState queryQpState(Handle.Qp qp) {
        device().checkPresent("query_qp");
        return QpState.of(((SoftQp) qp).state());
    }

    @Override
    public EventsReported destroyQp(Handle.Qp handle) {
        SoftQp qp = (SoftQp) handle;
        // send the acknowledgements that are due, as hardware would have done
        qp.responder().sendResponses();
        qp.lock();
        try {
            device().network().retire(qp, () -> modifier.reset(qp, QpStateCode.DESTROYED));
        } finally {
            qp.unlock();
        }
        // other queue pairs that waited for it can continue
        qp.deferredQueue().run();
        queuePairs.remove(qp);
        EventsReported reported = reported((EventForwarder) qp.events());
        factory.destroyed(qp);
        return reported;
    }

    private EventsReported reported(EventForwarder owner) {
        owner.markDestroyed();
        return new EventsReported(0, owner.forgetAsyncEvents(asyncEvents));
    }

    @Override
    public void attachMulticast(Handle.Qp handle, Gid group, int lid) {
        device().checkPresent("attach_mcast");
        SoftQp qp = (SoftQp) handle;
        if (qp.parts().service().isConnected()) {
            throw new VerbsException("attach_mcast", Errno.EINVAL,
                    "only UD queue pairs can join a multicast group; this queue pair is "
                            + qp.parts().service().type());
        }
        if (!group.isMulticast()) {
            throw new VerbsException("attach_mcast", Errno.EINVAL,
                    "group " + group + " is not a multicast GID; allowed are ff00::/8 and ::ffff:224.0.0.0/100");
        }
        if (device().network().attach(qp, group, Limits.MAX_GROUPS, Limits.MAX_GROUP_MEMBERS)) {
            try {
                device().join(group);
            } catch (RuntimeException | Error e) {
                device().network().detach(qp, group);
                throw e;
            }
        }
    }

    @Override
    public void detachMulticast(Handle.Qp qp, Gid group, int lid) {
        device().network().detach((SoftQp) qp, group);
        try {
            device().leave(group);
        } catch (Error e) {
            // again, because no later call does it once the queue pair is detached
            device().leave(group);
        }
    }

    @Override
    public Handle.Srq createSrq(Handle.Pd pd, SrqInitAttributes attributes, Object owner) {
        device().checkPresent("create_srq");
        Limits.check("create_srq", "maxWr", attributes.maxWr(), 1, Limits.MAX_WR);
        Limits.check("create_srq", "maxSge", attributes.maxSge(), 0, Limits.MAX_SGE);
        Limits.check("create_srq", "limit", attributes.limit(), 0, attributes.maxWr());
        return device().usage().claim(Usage.Kind.SRQ,
                () -> new SoftSrq(device().network().deferredQueue(), (SoftPd) pd, Limits.capacity(attributes.maxWr()),
                        attributes.maxSge(), attributes.limit(), new EventForwarder(this, owner, null)));
    }

    @Override
    public void modifySrq(Handle.Srq handle, SrqModification change) {
        device().checkPresent("modify_srq");
        SoftSrq srq = (SoftSrq) handle;
        int maxWr = change.maxWr().orElse(srq.maxWr());
        Limits.check("modify_srq", "maxWr", maxWr, 1, Limits.MAX_WR);
        if (change.limit().isPresent()) {
            Limits.check("modify_srq", "limit", change.limit().getAsInt(), 0, maxWr);
        }
        if (change.maxWr().isPresent() && srq.resize(Limits.capacity(maxWr), maxWr) != 0) {
            throw new VerbsException("modify_srq", Errno.EINVAL,
                    "maxWr " + maxWr + " is less than the number of receive requests posted");
        }
        change.limit().ifPresent(srq::arm);
    }

    @Override
    public SrqAttributes querySrq(Handle.Srq handle) {
        device().checkPresent("query_srq");
        SoftSrq srq = (SoftSrq) handle;
        return new SrqAttributes(srq.maxWr(), srq.maxSge(), srq.limit());
    }

    @Override
    public EventsReported destroySrq(Handle.Srq srq) {
        EventsReported reported = reported((EventForwarder) ((SoftSrq) srq).events());
        device().usage().release(Usage.Kind.SRQ);
        return reported;
    }

    @Override
    public Handle.Ah createAh(Handle.Pd pd, AhAttributes attributes) {
        device().checkPresent("create_ah");
        SoftAh path = modifier.path("create_ah", (SoftPd) pd, attributes);
        try {
            device().usage().claim(Usage.Kind.AH);
        } catch (RuntimeException | Error e) {
            modifier.release(path);
            throw e;
        }
        return path;
    }

    @Override
    public void destroyAh(Handle.Ah ah) {
        modifier.release((SoftAh) ah);
        device().usage().release(Usage.Kind.AH);
    }

    @Override
    public CmChannelOps createCmChannel() {
        device().checkPresent("create_event_channel");
        return device().connectionManager().createChannel();
    }

    @Override
    public Async awaitAsync(long nanos) throws InterruptedException {
        PendingEvent event = eventWait.await(asyncEvents, nanos);
        return event == null ? null : event.event();
    }

    @Override
    public void wake(Handle.Channel channel) {
        if (channel == null) {
            asyncEvents.wake();
        } else {
            ((SoftChannel) channel).events().wake();
        }
    }

    @Override
    public void close() {
        asyncEvents.close();
        if (!closed) {
            device().closed(this);
            // last, so that the call can be repeated after an Error
            closed = true;
        }
    }
}
