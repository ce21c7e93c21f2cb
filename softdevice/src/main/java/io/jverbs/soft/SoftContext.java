package io.jverbs.soft;

import io.jverbs.AhAttributes;
import io.jverbs.AsyncEventType;
import io.jverbs.DeviceAttributes;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.MemoryWindow;
import io.jverbs.MwBind;
import io.jverbs.PortAttributes;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.SrqAttributes;
import io.jverbs.SrqInitAttributes;
import io.jverbs.SrqModification;
import io.jverbs.VerbsException;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.fabric.WayOut;
import io.jverbs.soft.memory.Domain;
import io.jverbs.soft.memory.Region;
import io.jverbs.soft.memory.Window;
import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.SoftSrq;
import io.jverbs.soft.transport.State;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.Handle;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/** An open software device. Objects that are created here are known here, so that device and queue failures reach them. */
final class SoftContext extends SoftDataPath implements ContextOps {
    private final QpModifier modifier;
    private final QpFactory factory;
    private final Set<SoftQp> queuePairs = ConcurrentHashMap.newKeySet();
    private final EventQueue<Notice> asyncEvents = new EventQueue<>(Notice::owner);
    private final AtomicBoolean told = new AtomicBoolean();
    private final WayOut.Progress progress;

    /** An event and whose it is, null for events of a port or the device. */
    private record Notice(Owner owner, Async event) {}

    SoftContext(SoftDevice device) {
        super(device);
        this.modifier = new QpModifier(device);
        this.factory = new QpFactory(device);
        this.progress = device.wire() == null ? null : device.wire().progress();
    }

    void raise(AsyncEventType type, Owner owner) {
        asyncEvents.add(new Notice(owner, new Async(type.code(), owner.object(), 0)));
    }

    void raiseOfPort(AsyncEventType type, int port) {
        asyncEvents.add(new Notice(null, new Async(type.code(), null, port)));
    }

    /** Moves all queue pairs that complete into a broken queue to ERR. */
    void failUsersOf(CompletionQueueCore cq) {
        inOrder().filter(qp -> qp.parts().sendCq() == cq || qp.parts().recvCq() == cq).forEach(SoftQp::failFatally);
    }

    /** The queue pairs in the order of their numbers: what happens to several happens in the same order each time. */
    private Stream<SoftQp> inOrder() {
        return queuePairs.stream().sorted(Comparator.comparingInt(SoftQp::number));
    }

    /** Fails everything and says so, once. */
    void deviceRemoved() {
        if (told.compareAndSet(false, true)) {
            inOrder().forEach(SoftQp::failFatally);
            asyncEvents.add(new Notice(null, new Async(AsyncEventType.DEVICE_FATAL.code(), null, 0)));
            runAgenda();
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
                .orElseThrow(() -> new VerbsException("query_gid_ex", Errno.ENODATA, "entry " + index + " is empty"));
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
        device().usage().claim(Usage.Kind.PD);
        return new Domain(device().numbering()::addressOf);
    }

    @Override
    public void deallocatePd(Handle.Pd pd) {
        device().usage().release(Usage.Kind.PD);
    }

    @Override
    public Handle.Mr registerMemory(Handle.Pd pd, MemorySegment segment, int access, long iova) {
        device().checkPresent("reg_mr");
        return device().regions().register((Domain) pd, segment, access, iova);
    }

    @Override
    public void reregisterMemory(Handle.Mr mr, int flags, MemorySegment segment, long iova, Handle.Pd pd, int access) {
        device().checkPresent("rereg_mr");
        device().regions().reregister((Region) mr, (Domain) pd, segment, access, iova);
    }

    @Override
    public void deregisterMemory(Handle.Mr mr) {
        device().regions().deregister((Region) mr);
    }

    @Override
    public Handle.Mw allocateMw(Handle.Pd pd, int type) {
        device().checkPresent("alloc_mw");
        return device().regions().allocateWindow((Domain) pd, type);
    }

    @Override
    public void deallocateMw(Handle.Mw mw) {
        device().regions().deallocateWindow((Window) mw);
    }

    @Override
    public void bindMw(Handle.Qp qp, Handle.Mw mw, long wrId, int sendFlags, MwBind bind) {
        device().checkPresent("bind_mw");
        WindowBinding.post((SoftQp) qp, (Window) mw, wrId, sendFlags, bind, MemoryWindow.incrementRkey(mw.rkey()));
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
        Owner owner = ((SoftChannel) channel).events().await(nanos, progress);
        return owner == null ? null : owner.object();
    }

    @Override
    public Handle.Cq createCq(int cqe, Handle.Channel channel, int completionVector, Object owner) {
        device().checkPresent("create_cq");
        Limits.check("create_cq", "cqe", cqe, 1, Limits.MAX_CQE);
        Limits.check("create_cq", "completion vector", completionVector, 0, Limits.COMPLETION_VECTORS - 1);
        device().usage().claim(Usage.Kind.CQ);
        return new CompletionQueueCore(device().network().agenda(), Limits.capacity(cqe), channel != null,
                new Owner(this, owner, (SoftChannel) channel));
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
        Owner owner = (Owner) ((CompletionQueueCore) cq).events();
        owner.leave();
        device().usage().release(Usage.Kind.CQ);
        int completion = owner.channel() == null ? 0 : owner.channel().events().forget(owner);
        return new EventsReported(completion, asyncEvents.forget(owner));
    }

    @Override
    public Handle.Qp createQp(Handle.Pd pd, QpInitAttributes attributes, Object owner) {
        device().checkPresent("create_qp");
        SoftQp qp = factory.create((Domain) pd, attributes, new Owner(this, owner, null));
        queuePairs.add(qp);
        return qp;
    }

    @Override
    public void modifyQp(Handle.Qp qp, QpAttributes attributes) {
        device().checkPresent("modify_qp");
        modifier.modify((SoftQp) qp, attributes, PortView.attributes(device().port()));
    }

    @Override
    public QpAttributes queryQp(Handle.Qp qp) {
        device().checkPresent("query_qp");
        return modifier.query((SoftQp) qp);
    }

    @Override
    public EventsReported destroyQp(Handle.Qp handle) {
        SoftQp qp = (SoftQp) handle;
        // of what has come, a card would have said so at once
        qp.responder().pump();
        qp.lock();
        try {
            device().network().retire(qp, () -> modifier.reset(qp, State.GONE));
        } finally {
            qp.unlock();
        }
        // what waited behind it goes on
        qp.agenda().run();
        queuePairs.remove(qp);
        factory.destroyed(qp);
        return reported((Owner) qp.events());
    }

    private EventsReported reported(Owner owner) {
        owner.leave();
        return new EventsReported(0, asyncEvents.forget(owner));
    }

    @Override
    public void attachMulticast(Handle.Qp handle, Gid group, int lid) {
        device().checkPresent("attach_mcast");
        SoftQp qp = (SoftQp) handle;
        if (qp.parts().type() != QpType.UD) {
            throw new VerbsException("attach_mcast", Errno.EINVAL, "only UD queue pairs join groups, this one is "
                    + qp.parts().type());
        }
        if (!group.isMulticast()) {
            throw new VerbsException("attach_mcast", Errno.EINVAL,
                    group + " is no multicast GID: ff00::/8 or ::ffff:224.0.0.0/100");
        }
        if (device().network().attach(qp, group, Limits.MAX_GROUPS, Limits.MAX_GROUP_MEMBERS)) {
            try {
                device().join(group);
            } catch (VerbsException e) {
                device().network().detach(qp, group);
                throw e;
            }
        }
    }

    @Override
    public void detachMulticast(Handle.Qp qp, Gid group, int lid) {
        device().network().detach((SoftQp) qp, group);
        device().leave(group);
    }

    @Override
    public Handle.Srq createSrq(Handle.Pd pd, SrqInitAttributes attributes, Object owner) {
        device().checkPresent("create_srq");
        Limits.check("create_srq", "maxWr", attributes.maxWr(), 1, Limits.MAX_WR);
        Limits.check("create_srq", "maxSge", attributes.maxSge(), 0, Limits.MAX_SGE);
        Limits.check("create_srq", "limit", attributes.limit(), 0, attributes.maxWr());
        device().usage().claim(Usage.Kind.SRQ);
        return new SoftSrq(device().network().agenda(), (Domain) pd, Limits.capacity(attributes.maxWr()),
                attributes.maxSge(),
                attributes.limit(), new Owner(this, owner, null));
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
                    "maxWr " + maxWr + " is less than the requests that are posted");
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
        device().usage().release(Usage.Kind.SRQ);
        return reported((Owner) ((SoftSrq) srq).events());
    }

    @Override
    public Handle.Ah createAh(Handle.Pd pd, AhAttributes attributes) {
        device().checkPresent("create_ah");
        Handle.Ah path = modifier.path("create_ah", (Domain) pd, attributes);
        device().usage().claim(Usage.Kind.AH);
        return path;
    }

    @Override
    public void destroyAh(Handle.Ah ah) {
        device().usage().release(Usage.Kind.AH);
    }

    @Override
    public Async awaitAsync(long nanos) throws InterruptedException {
        Notice notice = asyncEvents.await(nanos, progress);
        return notice == null ? null : notice.event();
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
        device().closed(this);
    }
}
