package io.jverbs.ibverbs;

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
import io.jverbs.ffm.AddressCalls;
import io.jverbs.ffm.DataPathCalls;
import io.jverbs.ffm.DataPathCalls.Critical;
import io.jverbs.ffm.DeviceCalls;
import io.jverbs.ffm.DomainCalls;
import io.jverbs.ffm.ibverbs.ibv_ah_attr;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.Handle;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Function;

/**
 * An open device of libibverbs, a {@code struct ibv_context}. It delegates each operation to the class for its kind of
 * object. Its fields do not change; any thread may call any method, as {@link ContextOps} requires.
 */
final class NativeContext implements ContextOps {
    private final long address;
    private final EventPoller poller;
    private final Queries queries;
    private final DeviceAttributes device;
    private final Registrations registrations;
    private final Completions completions;
    private final AsyncEvents asyncEvents;
    private final QueuePairs queuePairs;
    private final SharedReceiveQueues sharedReceiveQueues;
    private final NativeDataPath dataPath;

    NativeContext(String name, long address) {
        this(name, address, device -> Drivers.of(name, device).critical());
    }

    /** Opens the context with a choice of the data path verbs that are called as critical functions. */
    NativeContext(String name, long address, Function<DeviceAttributes, Critical> critical) {
        this.address = address;
        poller = new EventPoller(name);
        asyncEvents = new AsyncEvents(address, poller);
        queries = new Queries(address);
        device = queries.device();
        completions = new Completions(this, poller);
        queuePairs = new QueuePairs(this);
        sharedReceiveQueues = new SharedReceiveQueues(this);
        Drivers.Unbinding unbinding = Drivers.of(name, device).unbinding();
        registrations = new Registrations(this, unbinding);
        dataPath = new NativeDataPath(new DataPathCalls(address, critical.apply(device)), unbinding);
    }

    long address() {
        return address;
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
        return queries.port(port);
    }

    @Override
    public Gid queryGid(int port, int index) {
        return queries.gid(port, index);
    }

    @Override
    public GidEntry queryGidEntry(int port, int index) {
        return queries.gidEntry(port, index);
    }

    @Override
    public List<GidEntry> queryGidTable() {
        return queries.gidTable();
    }

    @Override
    public int queryPkey(int port, int index) {
        return queries.pkey(port, index);
    }

    @Override
    public Handle.Pd allocatePd() {
        return new NativeHandle.Pd(this, Failure.pointer("alloc_pd", DomainCalls.allocPd(address),
                "the device could not allocate a protection domain"));
    }

    @Override
    public void deallocatePd(Handle.Pd pd) {
        Failure.check("dealloc_pd", DomainCalls.deallocPd(NativeHandle.address(pd)));
    }

    @Override
    public Handle.Mr registerMemory(Handle.Pd pd, MemorySegment segment, int access, long iova) {
        return registrations.register(pd, segment, access, iova);
    }

    @Override
    public void reregisterMemory(Handle.Mr mr, int flags, MemorySegment segment, long iova, Handle.Pd pd, int access) {
        registrations.reregister(mr, flags, segment, iova, pd, access);
    }

    @Override
    public void deregisterMemory(Handle.Mr mr) {
        registrations.deregister(mr);
    }

    @Override
    public Handle.Mw allocateMw(Handle.Pd pd, int type) {
        return registrations.allocateMw(pd, type);
    }

    @Override
    public void deallocateMw(Handle.Mw mw) {
        registrations.deallocateMw(mw);
    }

    @Override
    public void bindMw(Handle.Qp qp, Handle.Mw mw, long wrId, int sendFlags, MwBind bind) {
        registrations.bind(qp, mw, wrId, sendFlags, bind);
    }

    @Override
    public Handle.Channel createChannel() {
        return completions.createChannel();
    }

    @Override
    public void destroyChannel(Handle.Channel channel) {
        completions.destroyChannel(channel);
    }

    @Override
    public Object awaitEvent(Handle.Channel channel, long nanos) throws InterruptedException {
        return completions.await(channel, nanos);
    }

    @Override
    public Handle.Cq createCq(int cqe, Handle.Channel channel, int completionVector, Object owner) {
        return completions.create(cqe, channel, completionVector, owner);
    }

    @Override
    public void resizeCq(Handle.Cq cq, int cqe) {
        completions.resize(cq, cqe);
    }

    @Override
    public EventsReported destroyCq(Handle.Cq cq) {
        return completions.destroy(cq);
    }

    @Override
    public Handle.Qp createQp(Handle.Pd pd, QpInitAttributes attributes, Object owner) {
        return queuePairs.create(pd, attributes, owner);
    }

    @Override
    public void modifyQp(Handle.Qp qp, QpAttributes attributes) {
        queuePairs.modify(qp, attributes);
    }

    @Override
    public QpAttributes queryQp(Handle.Qp qp) {
        return queuePairs.query(qp);
    }

    @Override
    public EventsReported destroyQp(Handle.Qp qp) {
        return queuePairs.destroy(qp);
    }

    @Override
    public void attachMulticast(Handle.Qp qp, Gid group, int lid) {
        queuePairs.attach(qp, group, lid);
    }

    @Override
    public void detachMulticast(Handle.Qp qp, Gid group, int lid) {
        queuePairs.detach(qp, group, lid);
    }

    @Override
    public Handle.Srq createSrq(Handle.Pd pd, SrqInitAttributes attributes, Object owner) {
        return sharedReceiveQueues.create(pd, attributes, owner);
    }

    @Override
    public void modifySrq(Handle.Srq srq, SrqModification change) {
        sharedReceiveQueues.modify(srq, change);
    }

    @Override
    public SrqAttributes querySrq(Handle.Srq srq) {
        return sharedReceiveQueues.query(srq);
    }

    @Override
    public EventsReported destroySrq(Handle.Srq srq) {
        return sharedReceiveQueues.destroy(srq);
    }

    @Override
    public Handle.Ah createAh(Handle.Pd pd, AhAttributes attributes) {
        int port = attributes.port();
        attributes.checkRanges("create_ah", device, queryPort(port >= 1 && port <= device.portCount() ? port : 1));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attr = ibv_ah_attr.allocate(arena);
            AhStruct.write(attributes, attr);
            return new NativeHandle.Ah(this, Failure.pointer("create_ah",
                    AddressCalls.createAh(NativeHandle.address(pd), attr),
                    "the device refused " + attributes));
        }
    }

    @Override
    public void destroyAh(Handle.Ah ah) {
        Failure.check("destroy_ah", AddressCalls.destroyAh(NativeHandle.address(ah)));
    }

    @Override
    public Async awaitAsync(long nanos) throws InterruptedException {
        return asyncEvents.await(nanos);
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
        Failure.check("close_device", DeviceCalls.closeDevice(address));
    }

    @Override
    public DataPath dataPath() {
        return dataPath;
    }
}
