package io.jverbs.strict;

import io.jverbs.AhAttributes;
import io.jverbs.MwBind;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.SrqInitAttributes;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.ForwardingContext;
import io.jverbs.spi.Handle;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** A context in strict mode: knows its objects, and has requests and attributes looked at before the device gets them. */
final class StrictContext extends ForwardingContext {
    private static final AtomicLong OPENED = new AtomicLong();

    private final long number = OPENED.incrementAndGet();
    private final StackTraceElement place = Places.caller();
    private final String device;
    private final Object network;
    private final StrictMode mode;
    private final Owed owed;
    private final StrictDataPath dataPath;
    private final Creations creations;
    private final Keys keys = new Keys();
    private final Windows windows = new Windows(keys);
    private final WatchedMemory memory = new WatchedMemory();
    private final Map<Handle.Mr, Region> regions = new ConcurrentHashMap<>();
    private final Map<Handle.Cq, StrictCq> completionQueues = new ConcurrentHashMap<>();
    private final Map<Handle.Qp, StrictQp> queuePairs = new ConcurrentHashMap<>();
    private final Map<Integer, StrictQp> byNumber = new ConcurrentHashMap<>();
    private final Map<Handle.Srq, SharedReceives> sharedQueues = new ConcurrentHashMap<>();

    /**
     * Stands before a context.
     *
     * @param network in which queue pair numbers and GIDs name things; told from others as an object
     */
    StrictContext(String device, Object network, ContextOps inner, StrictMode mode) {
        super(inner);
        this.device = device;
        this.network = network;
        this.mode = mode;
        this.owed = new Owed(mode);
        this.dataPath = new StrictDataPath(this, inner.dataPath(), mode, owed);
        this.creations = new Creations(mode, owed);
    }

    /** How many were opened before, and this one. */
    long number() {
        return number;
    }

    StrictMode mode() {
        return mode;
    }

    private String describe() {
        return "context of " + device;
    }

    /** This context and what is open of it. */
    Stream<StrictMode.OpenObject> open() {
        return Stream.concat(Stream.of(new StrictMode.OpenObject(describe(), place)), creations.open().stream());
    }

    void reportNeverClosed() {
        creations.neverClosed(describe(), place);
    }

    Object network() {
        return network;
    }

    Keys keys() {
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

    /** The state that the device says a queue pair is in; ERR if it says none. */
    QpState state(StrictQp qp) {
        try {
            return inner().queryQp(qp.handle()).state();
        } catch (RuntimeException e) {
            return QpState.ERR;
        }
    }

    /** Counts on a receive of a reliable peer; null where none is known. */
    ReceiveCount claim(StrictQp qp) {
        StrictQp peer = qp.type() == QpType.RC ? qp.peer() : null;
        if (peer == null || peer.type() != QpType.RC) {
            return null;
        }
        peer.receiveCount().claim();
        return peer.receiveCount();
    }

    @Override
    public DataPath dataPath() {
        return dataPath;
    }

    @Override
    public Handle.Pd allocatePd() {
        return creations.made("protection domain of " + device, null, inner().allocatePd());
    }

    @Override
    public void deallocatePd(Handle.Pd pd) {
        inner().deallocatePd(pd);
        creations.destroyed(pd);
    }

    @Override
    public Handle.Mr registerMemory(Handle.Pd pd, MemorySegment segment, int access, long iova) {
        Handle.Mr mr = inner().registerMemory(pd, segment, access, iova);
        register(mr, new Region(segment, iova, access));
        return creations.made("memory region of " + segment.byteSize() + " bytes", null, mr);
    }

    @Override
    public void reregisterMemory(Handle.Mr mr, int flags, MemorySegment segment, long iova, Handle.Pd pd, int access) {
        int lkey = mr.lkey();
        int rkey = mr.rkey();
        inner().reregisterMemory(mr, flags, segment, iova, pd, access);
        deregister(mr, lkey, rkey, "registered anew at " + Places.caller());
        register(mr, new Region(segment, iova, access));
    }

    private void register(Handle.Mr mr, Region region) {
        if (region.isShared()) {
            memory.opened(region.segment().address(), region.segment().byteSize());
        }
        regions.put(mr, region);
        keys.registered(mr.lkey(), mr.rkey(), region);
    }

    private void deregister(Handle.Mr mr, int lkey, int rkey, String how) {
        Region region = regions.remove(mr);
        keys.deregistered(lkey, rkey, region, how);
        region.end();
        if (region.isShared()) {
            memory.closed(region.segment().address(), region.segment().byteSize());
        }
    }

    @Override
    public void deregisterMemory(Handle.Mr mr) {
        int lkey = mr.lkey();
        int rkey = mr.rkey();
        inner().deregisterMemory(mr);
        deregister(mr, lkey, rkey, "deregistered at " + Places.caller());
        creations.destroyed(mr);
    }

    @Override
    public Handle.Mw allocateMw(Handle.Pd pd, int type) {
        Handle.Mw mw = inner().allocateMw(pd, type);
        windows.allocated(mw, type);
        return creations.made("memory window", null, mw);
    }

    @Override
    public void deallocateMw(Handle.Mw mw) {
        inner().deallocateMw(mw);
        windows.deallocated(mw, "in a window that was given back at " + Places.caller());
        creations.destroyed(mw);
    }

    @Override
    public void bindMw(Handle.Qp qp, Handle.Mw mw, long wrId, int sendFlags, MwBind bind) {
        StrictQp tracked = tracked(qp);
        boolean completes = tracked.completes(sendFlags);
        List<Violation> found;
        tracked.lock().lock();
        try {
            new PostChecks(mode, tracked).checkPlace(completes);
            inner().bindMw(qp, mw, wrId, sendFlags, bind);
            Windows.Change change = bind.length() == 0
                    ? windows.unbound(mw, mw.rkey(), "in a window that was unbound at " + Places.caller())
                    : windows.bound(mw, mw.rkey(), Windows.howBound());
            // whoever polls its completion waits for the lock
            tracked.posted(new Request(wrId, completes, null, null, null, change));
            found = PostChecks.taken(tracked);
            tracked.forgetWhatIsOver();
        } finally {
            tracked.lock().unlock();
        }
        found.forEach(owed::report);
    }

    @Override
    public Handle.Channel createChannel() {
        return creations.made("completion channel", null, inner().createChannel());
    }

    @Override
    public void destroyChannel(Handle.Channel channel) {
        inner().destroyChannel(channel);
        creations.destroyed(channel);
    }

    @Override
    public Handle.Cq createCq(int cqe, Handle.Channel channel, int completionVector, Object owner) {
        Handle.Cq cq = inner().createCq(cqe, channel, completionVector, owner);
        completionQueues.put(cq, new StrictCq(cq));
        return creations.made("completion queue of " + cqe + " entries", owner, cq);
    }

    @Override
    public void resizeCq(Handle.Cq cq, int cqe) {
        int expected = tracked(cq).expectedWith(0);
        if (expected > cqe) {
            mode.refuse(Violation.Kind.COMPLETION_QUEUE_TOO_SMALL, expected
                    + " completions are to come that are not polled yet, and the completion queue is to hold " + cqe
                    + ": when it overflows, its queue pairs are lost",
                    "Poll what is to come before the queue is made smaller");
        }
        inner().resizeCq(cq, cqe);
    }

    @Override
    public EventsReported destroyCq(Handle.Cq cq) {
        creations.checkEvents(cq);
        EventsReported reported = inner().destroyCq(cq);
        completionQueues.remove(cq);
        creations.destroyed(cq);
        return reported;
    }

    @Override
    public Handle.Qp createQp(Handle.Pd pd, QpInitAttributes attributes, Object owner) {
        Handle.Qp qp = inner().createQp(pd, attributes, owner);
        StrictQp tracked = new StrictQp(this, qp, attributes.type(), attributes.signalAll(),
                tracked(attributes.sendCq().handle()), tracked(attributes.recvCq().handle()),
                attributes.srq() == null ? null : tracked(attributes.srq().handle()));
        queuePairs.put(qp, tracked);
        byNumber.put(tracked.number(), tracked);
        KnownQueuePairs.add(tracked);
        return creations.made(ConnectionChecks.name(tracked), owner, qp);
    }

    @Override
    public void modifyQp(Handle.Qp qp, QpAttributes attributes) {
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
            tracked.view(next);
            if (next.state() == QpState.RESET) {
                tracked.forget();
                tracked.disconnect();
            } else if (peer != null) {
                tracked.agree(peer);
            }
            // what the device refuses is not worth a report
            found.forEach(owed::report);
        } finally {
            tracked.lock().unlock();
        }
    }

    @Override
    public EventsReported destroyQp(Handle.Qp qp) {
        creations.checkEvents(qp);
        EventsReported reported = inner().destroyQp(qp);
        StrictQp gone = queuePairs.remove(qp);
        byNumber.remove(gone.number(), gone);
        KnownQueuePairs.remove(gone);
        gone.lock().lock();
        try {
            gone.destroyed();
        } finally {
            gone.lock().unlock();
        }
        creations.destroyed(qp);
        return reported;
    }

    @Override
    public Handle.Srq createSrq(Handle.Pd pd, SrqInitAttributes attributes, Object owner) {
        Handle.Srq srq = inner().createSrq(pd, attributes, owner);
        sharedQueues.put(srq, new SharedReceives());
        return creations.made("shared receive queue", owner, srq);
    }

    @Override
    public EventsReported destroySrq(Handle.Srq srq) {
        creations.checkEvents(srq);
        EventsReported reported = inner().destroySrq(srq);
        sharedQueues.remove(srq).end();
        creations.destroyed(srq);
        return reported;
    }

    @Override
    public Handle.Ah createAh(Handle.Pd pd, AhAttributes attributes) {
        return creations.made("address handle to " + attributes.destination(), null, inner().createAh(pd, attributes));
    }

    @Override
    public void destroyAh(Handle.Ah ah) {
        inner().destroyAh(ah);
        creations.destroyed(ah);
    }

    @Override
    public void close() {
        try {
            inner().close();
        } finally {
            OpenContexts.remove(this);
            creations.closed();
        }
        owed.pay();
    }
}
