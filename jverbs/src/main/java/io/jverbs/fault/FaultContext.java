package io.jverbs.fault;

import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.MwBind;
import io.jverbs.QpAttribute;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.SrqInitAttributes;
import io.jverbs.VerbsException;
import io.jverbs.WrOpcode;
import io.jverbs.control.PacketLoss;
import io.jverbs.fault.ActiveRule.Place;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.ForwardingContext;
import io.jverbs.spi.Handle;
import io.jverbs.spi.ProviderDevice;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A context with faults: knows its queues, and asks the rules before the device. One lock guards all; nobody waits with it held. */
final class FaultContext extends ForwardingContext {
    private static final Logger LOG = LoggerFactory.getLogger(FaultContext.class);

    private final ProviderDevice device;
    private final Rules rules;
    private final Consumer<FaultContext> atClose;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Handle.Cq, TrackedCq> completionQueues = new HashMap<>();
    private final Map<Handle.Qp, TrackedQp> queuePairs = new HashMap<>();
    private final Map<Handle.Srq, Object> srqOwners = new HashMap<>();
    private final Map<Handle.Channel, TrackedChannel> channels = new ConcurrentHashMap<>();
    /** For packets too, which come with locks of the device held. */
    private final Map<Integer, TrackedQp> byNumber = new ConcurrentHashMap<>();
    private final CompletionFilter filter;
    private final FaultDataPath dataPath;
    private final CompletionEventDesk completionEvents;
    private final AsyncDesk asyncEvents;
    private final IntPredicate losses;
    private PacketLoss lossy;
    private boolean dead;

    /**
     * @param atClose told when the context closes
     */
    FaultContext(ProviderDevice device, ContextOps inner, Rules rules, Consumer<FaultContext> atClose) {
        super(inner);
        this.device = device;
        this.rules = rules;
        this.atClose = atClose;
        this.filter = new CompletionFilter(inner.dataPath(), rules, byNumber, this::fail);
        this.dataPath = new FaultDataPath(this, inner.dataPath(), rules, filter);
        this.completionEvents = new CompletionEventDesk(inner, lock, rules, filter, completionQueues.values());
        this.asyncEvents = new AsyncDesk(inner, lock);
        this.losses = number -> {
            TrackedQp qp = byNumber.get(number);
            return qp != null && rules.at(Place.PACKET, qp, Rules.NO_OPCODE) != null;
        };
    }

    ReentrantLock lock() {
        return lock;
    }

    TrackedQp tracked(Handle.Qp qp) {
        return queuePairs.get(qp);
    }

    TrackedCq tracked(Handle.Cq cq) {
        return completionQueues.get(cq);
    }

    /** How many requests a shared receive queue holds, 0 if the device does not tell: then it takes none either. */
    int places(Handle.Srq srq) {
        try {
            return inner().querySrq(srq).maxWr();
        } catch (VerbsException e) {
            LOG.debug("A shared receive queue does not tell its size", e);
            return 0;
        }
    }

    /** Whether the device failed for good, as far as this context is concerned; the lock is held. */
    boolean isDead() {
        return dead;
    }

    private void checkAlive(String operation) {
        if (dead) {
            throw new VerbsException(operation, Errno.EIO, "the device failed, as a fault rule wanted");
        }
    }

    @Override
    public DataPath dataPath() {
        return dataPath;
    }

    @Override
    public Handle.Mr registerMemory(Handle.Pd pd, MemorySegment segment, int access, long iova) {
        lock.lock();
        try {
            checkAlive("reg_mr");
        } finally {
            lock.unlock();
        }
        if (rules.at(Place.REGISTRATION, null, Rules.NO_OPCODE) instanceof Fault.FailRegistration failing) {
            throw new VerbsException("reg_mr", failing.errno(), "as a fault rule wanted");
        }
        return inner().registerMemory(pd, segment, access, iova);
    }

    @Override
    public Handle.Channel createChannel() {
        Handle.Channel channel = inner().createChannel();
        channels.put(channel, new TrackedChannel(channel));
        return channel;
    }

    @Override
    public void destroyChannel(Handle.Channel channel) {
        inner().destroyChannel(channel);
        channels.remove(channel).destroyed();
    }

    @Override
    public Object awaitEvent(Handle.Channel channel, long nanos) throws InterruptedException {
        TrackedChannel tracked = channels.get(channel);
        return tracked == null ? null : completionEvents.await(tracked, nanos);
    }

    @Override
    public Handle.Cq createCq(int cqe, Handle.Channel channel, int completionVector, Object owner) {
        lock.lock();
        try {
            checkAlive("create_cq");
            Handle.Cq cq = inner().createCq(cqe, channel, completionVector, owner);
            completionQueues.put(cq, new TrackedCq(cq, owner, channel));
            return cq;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void resizeCq(Handle.Cq cq, int cqe) {
        lock.lock();
        try {
            int waiting = tracked(cq).pending().size();
            if (cqe < waiting) {
                throw new VerbsException("resize_cq", Errno.EINVAL,
                        "cqe " + cqe + " is less than the " + waiting + " completions that the queue holds");
            }
            inner().resizeCq(cq, cqe);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public EventsReported destroyCq(Handle.Cq cq) {
        lock.lock();
        try {
            EventsReported reported = inner().destroyCq(cq);
            TrackedCq gone = completionQueues.remove(cq);
            return new EventsReported(reported.completion() + gone.eventDifference(),
                    reported.async() + asyncEvents.forget(gone.owner()));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Handle.Qp createQp(Handle.Pd pd, QpInitAttributes attributes, Object owner) {
        lock.lock();
        try {
            checkAlive("create_qp");
            Handle.Qp qp = inner().createQp(pd, attributes, owner);
            TrackedQp tracked = new TrackedQp(qp, owner, rules.nextCreated(),
                    tracked(attributes.sendCq().handle()), tracked(attributes.recvCq().handle()),
                    attributes.srq() == null ? null : srqOwners.get(attributes.srq().handle()), attributes.signalAll());
            queuePairs.put(qp, tracked);
            byNumber.put(tracked.number(), tracked);
            return qp;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void modifyQp(Handle.Qp qp, QpAttributes attributes) {
        lock.lock();
        try {
            checkAlive("modify_qp");
            inner().modifyQp(qp, attributes);
            if (attributes.present(QpAttribute.STATE) && attributes.state() == QpState.RESET) {
                tracked(qp).reset();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public EventsReported destroyQp(Handle.Qp qp) {
        lock.lock();
        try {
            EventsReported reported = inner().destroyQp(qp);
            TrackedQp gone = queuePairs.remove(qp);
            byNumber.remove(gone.number(), gone);
            return new EventsReported(reported.completion(), reported.async() + asyncEvents.forget(gone.owner()));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void bindMw(Handle.Qp qp, Handle.Mw mw, long wrId, int sendFlags, MwBind bind) {
        lock.lock();
        try {
            checkAlive("bind_mw");
            TrackedQp tracked = tracked(qp);
            Fault fault = rules.at(Place.SEND, tracked, WrOpcode.BIND_MW.code());
            if (fault instanceof Fault.FailSend failing) {
                throw new VerbsException("bind_mw", failing.errno(), "as a fault rule wanted");
            }
            if (fault != null) {
                carryOut(fault, tracked);
            }
            if (!tracked.failed()) {
                inner().bindMw(qp, mw, wrId, sendFlags, bind);
            }
            FaultDataPath.note(tracked, wrId, sendFlags);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Handle.Srq createSrq(Handle.Pd pd, SrqInitAttributes attributes, Object owner) {
        lock.lock();
        try {
            checkAlive("create_srq");
            Handle.Srq srq = inner().createSrq(pd, attributes, owner);
            srqOwners.put(srq, owner);
            return srq;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public EventsReported destroySrq(Handle.Srq srq) {
        lock.lock();
        try {
            EventsReported reported = inner().destroySrq(srq);
            return new EventsReported(reported.completion(),
                    reported.async() + asyncEvents.forget(srqOwners.remove(srq)));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Async awaitAsync(long nanos) throws InterruptedException {
        return asyncEvents.await(nanos);
    }

    @Override
    public void close() {
        asyncEvents.close();
        if (lossy != null) {
            lossy.remove(losses);
        }
        try {
            inner().close();
        } finally {
            atClose.accept(this);
        }
    }

    /** Has packets lost where rules want that. */
    void losePackets() {
        lock.lock();
        try {
            if (lossy == null) {
                lossy = device.capability(PacketLoss.class)
                        .orElseThrow(() -> new IllegalArgumentException("fault rule \"lose\": " + device.name()
                                + " loses no packets at our word; only software devices do"));
                lossy.add(losses);
            }
        } finally {
            lock.unlock();
        }
    }

    void release() {
        lock.lock();
        try {
            completionQueues.values().forEach(cq -> cq.pending().release());
        } finally {
            lock.unlock();
        }
    }

    int held() {
        lock.lock();
        try {
            long now = System.nanoTime();
            return completionQueues.values().stream().map(TrackedCq::pending)
                    .mapToInt(pending -> pending.size() - pending.ready(now)).sum();
        } finally {
            lock.unlock();
        }
    }

    boolean knows(Handle.Qp qp) {
        lock.lock();
        try {
            return queuePairs.containsKey(qp);
        } finally {
            lock.unlock();
        }
    }

    void flush(Handle.Qp qp) {
        inner().modifyQp(qp, QpAttributes.builder().state(QpState.ERR).build());
    }

    void raise(Fault.RaiseEvent fault, Handle.Qp qp) {
        lock.lock();
        try {
            TrackedQp tracked = tracked(qp);
            if (tracked != null) {
                carryOut(fault, tracked);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Does what a rule wants done before a post; the lock is held. */
    void carryOut(Fault fault, TrackedQp qp) {
        switch (fault) {
            case Fault.Flush flush -> fail(qp);
            case Fault.RaiseEvent raised -> {
                breakWhatFailed(raised.event(), qp);
                asyncEvents.raise(raised.event(), qp);
            }
            default -> throw new AssertionError(fault + " is nothing to do before a post");
        }
    }

    private void breakWhatFailed(AsyncEventType event, TrackedQp qp) {
        switch (event) {
            case QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR -> fail(qp);
            case CQ_ERR -> queuePairs.values().stream()
                    .filter(each -> each.sendCq() == qp.sendCq() || each.recvCq() == qp.sendCq()).forEach(this::fail);
            case SRQ_ERR -> queuePairs.values().stream()
                    .filter(each -> each.srqOwner() != null && each.srqOwner() == qp.srqOwner()).forEach(this::fail);
            case DEVICE_FATAL -> {
                queuePairs.values().forEach(this::fail);
                dead = true;
            }
            default -> {
                // tells of no failure
            }
        }
    }

    /** Moves a queue pair to ERR, unless it is in RESET, where it has nothing to flush, or the device is gone. */
    private void fail(TrackedQp qp) {
        try {
            if (inner().queryQp(qp.handle()).state() != QpState.RESET) {
                flush(qp.handle());
            }
        } catch (VerbsException e) {
            LOG.debug("Queue pair {} does not go to ERR", qp.number(), e);
        }
    }
}
