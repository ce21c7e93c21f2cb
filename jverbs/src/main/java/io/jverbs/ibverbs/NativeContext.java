package io.jverbs.ibverbs;

import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.DeviceAttributes;
import io.jverbs.Ece;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.MwBind;
import io.jverbs.PortAttributes;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.SrqAttributes;
import io.jverbs.SrqInitAttributes;
import io.jverbs.SrqModification;
import io.jverbs.ffm.AddressCalls;
import io.jverbs.ffm.DataPathCalls.Critical;
import io.jverbs.ffm.DataPathCalls;
import io.jverbs.ffm.DeviceCalls;
import io.jverbs.ffm.DomainCalls;
import io.jverbs.ffm.ibverbs.ibv_ah_attr;
import io.jverbs.ibverbs.rdmacm.NativeCm;
import io.jverbs.ibverbs.shared.AhStruct;
import io.jverbs.ibverbs.shared.ControlLock;
import io.jverbs.ibverbs.shared.EventPoller;
import io.jverbs.ibverbs.shared.EventSource;
import io.jverbs.ibverbs.shared.Failure;
import io.jverbs.spi.CmChannelOps;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.Handle;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * An open device of libibverbs, a {@code struct ibv_context}. It delegates each operation to the class for its kind of
 * object. Its fields do not change; any thread may call any method, as {@link ContextOps} requires. Each control path
 * call holds the {@link ControlLock} of the context and of the objects that it uses, so none of them is destroyed
 * meanwhile. Waits for events hold none: closing the {@link EventSource} ends them.
 */
final class NativeContext implements ContextOps {
    private final long address;
    private final EventPoller poller;
    private final Queries queries;
    private final DeviceAttributes device;
    private final Registrations registrations;
    private final CompletionQueues completionQueues;
    private final AsyncEvents asyncEvents;
    private final QueuePairs queuePairs;
    private final SharedReceiveQueues sharedReceiveQueues;
    private final NativeDataPath dataPath;
    private final NativeCm connectionManager;
    private final ControlLock controlLock = new ControlLock();
    /** Closes the device. It exists before, because the close must succeed without memory. */
    private final IntSupplier closing;

    NativeContext(String name, long address) {
        this(name, address, device -> Drivers.of(name, device).critical());
    }

    /** Opens the context with a choice of the data path verbs that are called as critical functions. */
    NativeContext(String name, long address, Function<DeviceAttributes, Critical> critical) {
        this.address = address;
        closing = () -> DeviceCalls.closeDevice(address);
        poller = new EventPoller(name);
        connectionManager = new NativeCm(address, poller);
        asyncEvents = new AsyncEvents(address, poller);
        queries = new Queries(address);
        device = queries.device();
        completionQueues = new CompletionQueues(this, poller);
        queuePairs = new QueuePairs(this);
        sharedReceiveQueues = new SharedReceiveQueues(this);
        Drivers.Unbinding unbinding = Drivers.of(name, device).unbinding();
        registrations = new Registrations(unbinding);
        dataPath = new NativeDataPath(new DataPathCalls(address, critical.apply(device)), unbinding);
    }

    long address() {
        return address;
    }

    /** Makes a call that uses objects, which may be null or named twice, and returns its result. */
    private <T> T call(Supplier<T> call, Handle... used) {
        controlLock.enter();
        int entered = 0;
        try {
            for (; entered < used.length; entered++) {
                if (used[entered] != null) {
                    NativeHandle.controlLock(used[entered]).enter();
                }
            }
            return call.get();
        } finally {
            while (--entered >= 0) {
                if (used[entered] != null) {
                    NativeHandle.controlLock(used[entered]).leave();
                }
            }
            controlLock.leave();
        }
    }

    /** Makes a call that uses objects and has no result. */
    private void run(Runnable call, Handle... used) {
        call(() -> {
            call.run();
            return null;
        }, used);
    }

    private static Handle handle(CompletionQueue queue) {
        return queue == null ? null : queue.handle();
    }

    AsyncEvents asyncEvents() {
        return asyncEvents;
    }

    @Override
    public DeviceAttributes queryDevice() {
        return device;
    }

    @Override
    public PortAttributes queryPort(int port) {
        return call(() -> queries.port(port));
    }

    @Override
    public Gid queryGid(int port, int index) {
        return call(() -> queries.gid(port, index));
    }

    @Override
    public GidEntry queryGidEntry(int port, int index) {
        return call(() -> queries.gidEntry(port, index));
    }

    @Override
    public List<GidEntry> queryGidTable() {
        return call(queries::gidTable);
    }

    @Override
    public int queryPkey(int port, int index) {
        return call(() -> queries.pkey(port, index));
    }

    @Override
    public Handle.Pd allocatePd() {
        return call(() -> NativeHandle.create(() -> DomainCalls.allocPd(address),
                pd -> new NativeHandle.Pd(
                        Failure.pointer("alloc_pd", pd, "the device could not allocate a protection domain")),
                DomainCalls::deallocPd));
    }

    @Override
    public void deallocatePd(Handle.Pd pd) {
        run(() -> Failure.check("dealloc_pd", NativeHandle.destroy(pd, DomainCalls::deallocPd)));
    }

    @Override
    public Handle.Mr registerMemory(Handle.Pd pd, MemorySegment segment, int access, long iova) {
        return call(() -> registrations.register(pd, segment, access, iova), pd);
    }

    @Override
    public void reregisterMemory(Handle.Mr mr, int flags, MemorySegment segment, long iova, Handle.Pd pd, int access) {
        run(() -> registrations.reregister(mr, flags, segment, iova, pd, access), mr, pd);
    }

    @Override
    public void deregisterMemory(Handle.Mr mr) {
        run(() -> registrations.deregister(mr));
    }

    @Override
    public Handle.Mw allocateMw(Handle.Pd pd, int type) {
        return call(() -> registrations.allocateMw(pd, type), pd);
    }

    @Override
    public void deallocateMw(Handle.Mw mw) {
        run(() -> registrations.deallocateMw(mw));
    }

    @Override
    public void bindMw(Handle.Qp qp, Handle.Mw mw, long wrId, int sendFlags, MwBind bind) {
        run(() -> registrations.bind(qp, mw, wrId, sendFlags, bind), qp, mw,
                bind.region() == null ? null : bind.region().handle());
    }

    @Override
    public Handle.Channel createChannel() {
        return call(completionQueues::createChannel);
    }

    @Override
    public void destroyChannel(Handle.Channel channel) {
        run(() -> completionQueues.destroyChannel(channel));
    }

    @Override
    public Object awaitEvent(Handle.Channel channel, long nanos) throws InterruptedException {
        return completionQueues.await(channel, nanos);
    }

    @Override
    public Handle.Cq createCq(int cqe, Handle.Channel channel, int completionVector, Object owner) {
        return call(() -> completionQueues.create(cqe, channel, completionVector, owner), channel);
    }

    @Override
    public void resizeCq(Handle.Cq cq, int cqe) {
        run(() -> completionQueues.resize(cq, cqe), cq);
    }

    @Override
    public EventsReported destroyCq(Handle.Cq cq) {
        return call(() -> completionQueues.destroy(cq));
    }

    @Override
    public Handle.Qp createQp(Handle.Pd pd, QpInitAttributes attributes, Object owner) {
        return call(() -> queuePairs.create(pd, attributes, owner), pd, handle(attributes.sendCq()),
                handle(attributes.recvCq()), attributes.srq() == null ? null : attributes.srq().handle());
    }

    @Override
    public void modifyQp(Handle.Qp qp, QpAttributes attributes) {
        run(() -> queuePairs.modify(qp, attributes), qp);
    }

    @Override
    public QpAttributes queryQp(Handle.Qp qp) {
        return call(() -> queuePairs.query(qp), qp);
    }

    @Override
    public Ece queryEce(Handle.Qp qp) {
        return call(() -> queuePairs.queryEce(qp), qp);
    }

    @Override
    public void setEce(Handle.Qp qp, Ece ece) {
        run(() -> queuePairs.setEce(qp, ece), qp);
    }

    @Override
    public EventsReported destroyQp(Handle.Qp qp) {
        return call(() -> queuePairs.destroy(qp));
    }

    @Override
    public void attachMulticast(Handle.Qp qp, Gid group, int lid) {
        run(() -> queuePairs.attach(qp, group, lid), qp);
    }

    @Override
    public void detachMulticast(Handle.Qp qp, Gid group, int lid) {
        run(() -> queuePairs.detach(qp, group, lid), qp);
    }

    @Override
    public Handle.Srq createSrq(Handle.Pd pd, SrqInitAttributes attributes, Object owner) {
        return call(() -> sharedReceiveQueues.create(pd, attributes, owner), pd);
    }

    @Override
    public void modifySrq(Handle.Srq srq, SrqModification change) {
        run(() -> sharedReceiveQueues.modify(srq, change), srq);
    }

    @Override
    public SrqAttributes querySrq(Handle.Srq srq) {
        return call(() -> sharedReceiveQueues.query(srq), srq);
    }

    @Override
    public EventsReported destroySrq(Handle.Srq srq) {
        return call(() -> sharedReceiveQueues.destroy(srq));
    }

    @Override
    public Handle.Ah createAh(Handle.Pd pd, AhAttributes attributes) {
        int port = attributes.port();
        attributes.checkRanges("create_ah", device, queryPort(port >= 1 && port <= device.portCount() ? port : 1));
        return call(() -> createAhIn(pd, attributes), pd);
    }

    private static Handle.Ah createAhIn(Handle.Pd pd, AhAttributes attributes) {
        MemorySegment attr = ibv_ah_attr.allocate(NativeHandle.arenaForCreation());
        AhStruct.write(attributes, attr);
        return NativeHandle.create(() -> AddressCalls.createAh(NativeHandle.address(pd), attr),
                ah -> new NativeHandle.Ah(Failure.pointer("create_ah", ah, "the device refused " + attributes)),
                AddressCalls::destroyAh);
    }

    @Override
    public void destroyAh(Handle.Ah ah) {
        run(() -> Failure.check("destroy_ah", NativeHandle.destroy(ah, AddressCalls::destroyAh)));
    }

    @Override
    public Async awaitAsync(long nanos) throws InterruptedException {
        return asyncEvents.await(nanos);
    }

    @Override
    public CmChannelOps createCmChannel() {
        return call(connectionManager::createChannel);
    }

    @Override
    public void wake(Handle.Channel channel) {
        if (channel == null) {
            asyncEvents.wake();
        } else {
            ((NativeHandle.Channel) channel).source().wake();
        }
    }

    @Override
    public void close() {
        asyncEvents.close();
        poller.close();
        Failure.check("close_device", controlLock.destroy(closing));
    }

    @Override
    public DataPath dataPath() {
        return dataPath;
    }
}
