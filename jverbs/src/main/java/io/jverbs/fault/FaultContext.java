package io.jverbs.fault;

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
final class FaultContext extends MortalContext {
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
    private final Failures failures;
    private final CompletionFilter filter;
    private final FaultDataPath dataPath;
    private final CompletionEventDesk completionEvents;
    private final AsyncDesk asyncEvents;
    private final IntPredicate losses;
    private PacketLoss lossy;

    /**
     * @param atClose told when the context closes
     */
    FaultContext(ProviderDevice device, ContextOps inner, Rules rules, Consumer<FaultContext> atClose) {
        super(inner);
        this.device = device;
        this.rules = rules;
        this.atClose = atClose;
        this.asyncEvents = new AsyncDesk(device, inner, lock);
        this.failures = new Failures(inner, queuePairs.values(), asyncEvents, this::die);
        this.filter = new CompletionFilter(device, inner.dataPath(), rules, byNumber, failures::fail);
        this.dataPath = new FaultDataPath(this, inner.dataPath(), rules, filter);
        this.completionEvents = new CompletionEventDesk(device, inner, lock, filter);
        this.losses = number -> {
            TrackedQp qp = byNumber.get(number);
            return qp != null && rules.at(Place.PACKET, qp, Rules.NO_OPCODE) != null;
        };
    }

    ReentrantLock lock() {
        return lock;
    }

    long now() {
        return device.nanoTime();
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

    @Override
    public DataPath dataPath() {
        return dataPath;
    }

    @Override
    public Handle.Mr registerMemory(Handle.Pd pd, MemorySegment segment, int access, long iova) {
        checkAlive("reg_mr");
        if (rules.at(Place.REGISTRATION, null, Rules.NO_OPCODE) instanceof Fault.FailRegistration failing) {
            throw new VerbsException("reg_mr", failing.errno(), "as a fault rule wanted");
        }
        return inner().registerMemory(pd, segment, access, iova);
    }

    @Override
    public Handle.Channel createChannel() {
        checkAlive("create_comp_channel");
        Handle.Channel channel = inner().createChannel();
        channels.put(channel, new TrackedChannel(inner(), channel));
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
            TrackedChannel events = channel == null ? null : channels.get(channel);
            TrackedCq tracked = new TrackedCq(cq, owner, events);
            completionQueues.put(cq, tracked);
            if (events != null) {
                events.queues().add(tracked);
            }
            return cq;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void resizeCq(Handle.Cq cq, int cqe) {
        lock.lock();
        try {
            checkAlive("resize_cq");
            TrackedCq tracked = tracked(cq);
            if (filter.manages(tracked)) {
                filter.drainAll(tracked);
            }
            int waiting = tracked.pending().size();
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
            if (gone.channel() != null) {
                gone.channel().queues().remove(gone);
            }
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
            TrackedQp tracked = tracked(qp);
            boolean resets = attributes.present(QpAttribute.STATE) && attributes.state() == QpState.RESET;
            if (resets && (filter.manages(tracked.sendCq()) || filter.manages(tracked.recvCq()))) {
                // of the requests that are known now
                filter.drain(tracked);
            }
            inner().modifyQp(qp, attributes);
            if (resets) {
                takeLast(tracked);
                tracked.reset();
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
            takeLast(gone);
            byNumber.remove(gone.number(), gone);
            return new EventsReported(reported.completion(), reported.async() + asyncEvents.forget(gone.owner()));
        } finally {
            lock.unlock();
        }
    }

    /** Drops what the device says at last of a queue pair that was made to fail, as long as that is known. */
    private void takeLast(TrackedQp qp) {
        if (qp.failed()) {
            filter.drain(qp);
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
            if (tracked.sendRoom() == 0) {
                throw new VerbsException("bind_mw", Errno.ENOMEM,
                        "the queue is full of requests whose completions wait");
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
            completionQueues.values().stream().filter(cq -> !cq.pending().isEmpty()).forEach(cq -> {
                cq.pending().release();
                cq.pendingChanged();
            });
        } finally {
            lock.unlock();
        }
    }

    int held() {
        lock.lock();
        try {
            completionQueues.values().stream().filter(filter::manages).forEach(filter::drain);
            long now = now();
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
        failures.flush(qp);
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
        failures.carryOut(fault, qp);
    }
}
