package io.jverbs.strict;

import io.jverbs.AhAttributes;
import io.jverbs.MwBind;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.SrqInitAttributes;
import io.jverbs.spi.CmChannelOps;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.ForwardingContext;
import io.jverbs.spi.Handle;
import io.jverbs.spi.StackReserve;
import io.jverbs.strict.tracking.MemoryKeys;
import io.jverbs.strict.tracking.Region;
import io.jverbs.strict.tracking.WatchedMemory;
import io.jverbs.strict.tracking.Windows;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * A context in strict mode. It tracks the objects of the context, and checks attributes and requests before it passes
 * them to the device. Thread-safe.
 */
final class StrictContext extends ForwardingContext {
    private static final AtomicLong OPENED = new AtomicLong();

    private final long number = OPENED.incrementAndGet();
    private final StackTraceElement place = CallSites.caller();
    private final String device;
    private final Object network;
    private final StrictMode mode;
    private final TrackingState tracking;
    private final DeferredReports deferred;
    private final StrictDataPath dataPath;
    private final OpenObjects creations;
    private final MemoryKeys keys = new MemoryKeys();
    private final Windows windows = new Windows(keys);
    private final WatchedMemory memory = new WatchedMemory();
    private final Map<Handle.Mr, Region> regions = new ConcurrentHashMap<>();
    private final Map<Handle.Cq, StrictCq> completionQueues = new ConcurrentHashMap<>();
    private final Map<Handle.Qp, StrictQp> queuePairs = new ConcurrentHashMap<>();
    private final Map<Integer, StrictQp> byNumber = new ConcurrentHashMap<>();
    private final Map<Handle.Srq, SharedReceives> sharedQueues = new ConcurrentHashMap<>();
    /** Whether the context below is closed; the API calls {@link #close} in one thread at a time. */
    private boolean isInnerClosed;

    /**
     * Wraps a context.
     *
     * @param network the network within which queue pair numbers and GIDs are unique; compared by identity
     */
    StrictContext(String device, Object network, ContextOps inner, StrictMode mode) {
        super(inner);
        this.device = device;
        this.network = network;
        this.mode = mode;
        this.tracking = new TrackingState(describe());
        this.deferred = new DeferredReports(mode);
        this.dataPath = new StrictDataPath(this, inner.dataPath(), mode, tracking, deferred);
        this.creations = new OpenObjects(mode, tracking, deferred);
    }

    /** The sequence number of the context, from 1, in the order of opening. */
    long number() {
        return number;
    }

    StrictMode mode() {
        return mode;
    }

    private String describe() {
        return "context of " + device;
    }

    /** Whether strict mode has stopped checking this context. */
    boolean isDisabled() {
        return tracking.isDisabled();
    }

    /** This context, followed by its open objects. */
    Stream<StrictMode.OpenObject> open() {
        return Stream.concat(Stream.of(new StrictMode.OpenObject(describe(), place)), creations.open().stream());
    }

    void reportNeverClosed() {
        creations.neverClosed(describe(), place);
    }

    Object network() {
        return network;
    }

    MemoryKeys keys() {
        return keys;
    }

    WatchedMemory memory() {
        return memory;
    }

    Windows windows() {
        return windows;
    }

    StrictQp tracked(Handle.Qp qp) {
        return queuePairs.get(qp);
    }

    StrictQp numbered(int number) {
        return byNumber.get(number);
    }

    StrictCq tracked(Handle.Cq cq) {
        return completionQueues.get(cq);
    }

    SharedReceives tracked(Handle.Srq srq) {
        return sharedQueues.get(srq);
    }

    /** The state of a queue pair according to the device; ERR if the query fails. */
    QpState state(StrictQp qp) {
        try {
            return inner().queryQpState(qp.handle());
        } catch (RuntimeException e) {
            return QpState.ERR;
        }
    }

    /** The receive requests that messages of an RC queue pair take at its peer; null if the peer is not known. */
    ReceiveCount receivesFor(StrictQp qp) {
        StrictQp peer = qp.type() == QpType.RC ? qp.peer() : null;
        return peer == null || peer.type() != QpType.RC ? null : peer.receiveCount();
    }

    @Override
    public DataPath dataPath() {
        return dataPath;
    }

    @Override
    public Handle.Pd allocatePd() {
        return creations.created("protection domain of ", device, null, inner().allocatePd());
    }

    @Override
    public void deallocatePd(Handle.Pd pd) {
        inner().deallocatePd(pd);
        creations.destroyed(pd);
    }

    @Override
    public Handle.Mr registerMemory(Handle.Pd pd, MemorySegment segment, int access, long iova) {
        long bytes = segment.byteSize();
        Handle.Mr mr = inner().registerMemory(pd, segment, access, iova);
        register(mr, segment, iova, access);
        return creations.created("memory region of ", bytes, " bytes", null, mr);
    }

    @Override
    public void reregisterMemory(Handle.Mr mr, int flags, MemorySegment segment, long iova, Handle.Pd pd, int access) {
        int lkey = mr.lkey();
        int rkey = mr.rkey();
        inner().reregisterMemory(mr, flags, segment, iova, pd, access);
        deregister(mr, lkey, rkey, "its memory region was re-registered at ");
        register(mr, segment, iova, access);
    }

    private void register(Handle.Mr mr, MemorySegment segment, long address, int access) {
        try {
            Region region = new Region(segment, address, access);
            regions.put(mr, region);
            if (region.isShared()) {
                memory.addWritable(segment.address(), segment.byteSize());
            }
            keys.registered(mr.lkey(), mr.rkey(), region);
        } catch (RuntimeException | Error e) {
            tracking.disable(e);
        }
    }

    private void deregister(Handle.Mr mr, int lkey, int rkey, String how) {
        try {
            Region region = regions.remove(mr);
            // first, because the program may unmap the memory after this
            region.end();
            keys.deregistered(lkey, rkey, region, how + CallSites.caller());
            if (region.isShared()) {
                memory.removeWritable(region.segment().address(), region.segment().byteSize());
            }
        } catch (RuntimeException | Error e) {
            tracking.disable(e);
        }
    }

    @Override
    public void deregisterMemory(Handle.Mr mr) {
        int lkey = mr.lkey();
        int rkey = mr.rkey();
        inner().deregisterMemory(mr);
        deregister(mr, lkey, rkey, "its memory region was deregistered at ");
        creations.destroyed(mr);
    }

    @Override
    public Handle.Mw allocateMw(Handle.Pd pd, int type) {
        Handle.Mw mw = inner().allocateMw(pd, type);
        try {
            windows.allocated(mw, type);
        } catch (RuntimeException | Error e) {
            tracking.disable(e);
        }
        return creations.created("memory window", null, mw);
    }

    @Override
    public void deallocateMw(Handle.Mw mw) {
        inner().deallocateMw(mw);
        try {
            windows.deallocated(mw, "its memory window was deallocated at " + CallSites.caller());
        } catch (RuntimeException | Error e) {
            tracking.disable(e);
        }
        creations.destroyed(mw);
    }

    @Override
    public void bindMw(Handle.Qp qp, Handle.Mw mw, long wrId, int sendFlags, MwBind bind) {
        if (isDisabled()) {
            inner().bindMw(qp, mw, wrId, sendFlags, bind);
            return;
        }
        StackReserve.check();
        StrictQp tracked = tracked(qp);
        boolean completes = tracked.completes(sendFlags);
        boolean isUnbind = bind.length() == 0;
        List<Violation> found;
        tracked.lock().lock();
        try {
            new PostChecks(mode, tracked).checkQueueRoom(completes);
            inner().bindMw(qp, mw, wrId, sendFlags, bind);
            // a thread that polls its completion waits for the lock
            trackBind(tracked, mw, wrId, completes, isUnbind);
            found = dataPath.checkAccepted(tracked);
        } finally {
            tracked.lock().unlock();
        }
        deferred.report(found);
    }

    private void trackBind(StrictQp qp, Handle.Mw mw, long wrId, boolean completes, boolean isUnbind) {
        try {
            Windows.Change change = isUnbind
                    ? windows.unbound(mw, mw.rkey(), "its memory window was unbound at " + CallSites.caller())
                    : windows.bound(mw, mw.rkey(), StrictDataPath.howBound());
            qp.posted(new Request(wrId, completes, null, null, null, null, change));
        } catch (RuntimeException | Error e) {
            tracking.disable(e);
        }
    }

    @Override
    public CmChannelOps createCmChannel() {
        return StrictCmChannel.before(inner().createCmChannel(), this, creations, deferred);
    }

    @Override
    public Handle.Channel createChannel() {
        return creations.created("completion channel", null, inner().createChannel());
    }

    @Override
    public void destroyChannel(Handle.Channel channel) {
        inner().destroyChannel(channel);
        creations.destroyed(channel);
    }

    @Override
    public Handle.Cq createCq(int cqe, Handle.Channel channel, int completionVector, Object owner) {
        Handle.Cq cq = inner().createCq(cqe, channel, completionVector, owner);
        try {
            completionQueues.put(cq, new StrictCq(cq));
        } catch (RuntimeException | Error e) {
            tracking.disable(e);
        }
        return creations.created("completion queue of ", cqe, " entries", owner, cq);
    }

    @Override
    public void resizeCq(Handle.Cq cq, int cqe) {
        int expected = isDisabled() ? 0 : tracked(cq).expectedWith(0);
        if (expected > cqe) {
            mode.refuse(Violation.Kind.COMPLETION_QUEUE_TOO_SMALL, expected
                    + " completions are expected that the program has not polled, but the completion queue is to be"
                    + " resized to " + cqe + " entries. If it overflows, its queue pairs fail",
                    "Poll these completions before the completion queue is made smaller");
        }
        inner().resizeCq(cq, cqe);
    }

    @Override
    public EventsReported destroyCq(Handle.Cq cq) {
        boolean isLogged = creations.checkEvents(cq);
        EventsReported reported = inner().destroyCq(cq);
        try {
            completionQueues.remove(cq);
        } catch (RuntimeException | Error e) {
            tracking.disable(e);
        }
        return creations.destroyed(cq, reported, isLogged);
    }

    @Override
    public Handle.Qp createQp(Handle.Pd pd, QpInitAttributes attributes, Object owner) {
        Handle.Qp qp = inner().createQp(pd, attributes, owner);
        try {
            StrictQp tracked = new StrictQp(this, qp, attributes.type(), attributes.signalAll(),
                    tracked(attributes.sendCq().handle()), tracked(attributes.recvCq().handle()),
                    attributes.srq() == null ? null : tracked(attributes.srq().handle()));
            queuePairs.put(qp, tracked);
            byNumber.put(tracked.number(), tracked);
            PeerRegistry.add(tracked);
            return creations.created(ConnectionChecks.name(tracked), owner, qp);
        } catch (RuntimeException | Error e) {
            tracking.disable(e);
            return qp;
        }
    }

    @Override
    public void modifyQp(Handle.Qp qp, QpAttributes attributes) {
        if (isDisabled()) {
            inner().modifyQp(qp, attributes);
            return;
        }
        StackReserve.check();
        StrictQp tracked = tracked(qp);
        tracked.lock().lock();
        try {
            QpView next = tracked.view().with(attributes, inner());
            StrictQp peer = ConnectionChecks.peer(tracked, next);
            List<Violation> found = peer == null ? List.of() : ConnectionChecks.check(tracked, next, peer);
            if (mode.isThrowing()) {
                found.forEach(mode::refuse);
            }
            inner().modifyQp(qp, attributes);
            trackModify(tracked, next, peer);
            // after the modify, because a modify that the device rejects needs no report
            deferred.report(found);
        } finally {
            tracked.lock().unlock();
        }
    }

    private void trackModify(StrictQp qp, QpView next, StrictQp peer) {
        try {
            qp.modified(next, peer);
        } catch (RuntimeException | Error e) {
            tracking.disable(e);
        }
    }

    @Override
    public EventsReported destroyQp(Handle.Qp qp) {
        boolean isLogged = creations.checkEvents(qp);
        EventsReported reported = inner().destroyQp(qp);
        trackDestroy(qp);
        return creations.destroyed(qp, reported, isLogged);
    }

    private void trackDestroy(Handle.Qp qp) {
        try {
            StackReserve.check();
            StrictQp removed = queuePairs.remove(qp);
            byNumber.remove(removed.number(), removed);
            PeerRegistry.remove(removed);
            removed.lock().lock();
            try {
                removed.destroyed();
            } finally {
                removed.lock().unlock();
            }
        } catch (RuntimeException | Error e) {
            tracking.disable(e);
        }
    }

    @Override
    public Handle.Srq createSrq(Handle.Pd pd, SrqInitAttributes attributes, Object owner) {
        Handle.Srq srq = inner().createSrq(pd, attributes, owner);
        try {
            sharedQueues.put(srq, new SharedReceives(attributes.maxWr()));
        } catch (RuntimeException | Error e) {
            tracking.disable(e);
        }
        return creations.created("shared receive queue", owner, srq);
    }

    @Override
    public EventsReported destroySrq(Handle.Srq srq) {
        boolean isLogged = creations.checkEvents(srq);
        EventsReported reported = inner().destroySrq(srq);
        try {
            sharedQueues.remove(srq).end();
        } catch (RuntimeException | Error e) {
            tracking.disable(e);
        }
        return creations.destroyed(srq, reported, isLogged);
    }

    @Override
    public Handle.Ah createAh(Handle.Pd pd, AhAttributes attributes) {
        return creations.created("address handle to ", attributes.destination(), null,
                inner().createAh(pd, attributes));
    }

    @Override
    public void destroyAh(Handle.Ah ah) {
        inner().destroyAh(ah);
        creations.destroyed(ah);
    }

    @Override
    public void close() {
        try {
            if (!isInnerClosed) {
                inner().close();
                isInnerClosed = true;
            }
        } finally {
            OpenContexts.remove(this);
            if (isDisabled()) {
                PeerRegistry.removeAll(this);
            }
            creations.closed();
        }
        deferred.rethrow();
    }
}
