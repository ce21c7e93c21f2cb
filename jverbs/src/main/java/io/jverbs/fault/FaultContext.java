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
import io.jverbs.spi.CmChannelOps;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A context with fault injection. It tracks the queues of the context and evaluates the rules before it calls the
 * device. One lock guards its state; no thread waits for an event with the lock held. Thread-safe.
 */
final class FaultContext extends DeviceFailureContext {
    private static final Logger LOG = LoggerFactory.getLogger(FaultContext.class);

    private final ProviderDevice device;
    private final Rules rules;
    private final Consumer<FaultContext> onClose;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Handle.Cq, TrackedCq> completionQueues = new HashMap<>();
    private final Map<Handle.Qp, TrackedQp> queuePairs = new HashMap<>();
    private final Map<Handle.Srq, AsyncEventFilter.Source> sharedQueues = new HashMap<>();
    private final Map<Handle.Channel, TrackedChannel> channels = new ConcurrentHashMap<>();
    /** Also read for each packet, with locks of the device held, so it is a concurrent map. */
    private final Map<Integer, TrackedQp> byNumber = new ConcurrentHashMap<>();
    private final FailureActions failures;
    private final CompletionFilter filter;
    private final FaultDataPath dataPath;
    private final CompletionEventFilter completionEvents;
    private final AsyncEventFilter asyncEvents;
    private final ArrivalFaults arrivals;

    /**
     * Wraps a context.
     *
     * @param onClose called when the context closes
     */
    FaultContext(ProviderDevice device, ContextOps inner, Rules rules, Consumer<FaultContext> onClose) {
        super(inner);
        this.device = device;
        this.rules = rules;
        this.onClose = onClose;
        this.asyncEvents = new AsyncEventFilter(device, inner, lock);
        this.failures = new FailureActions(inner, queuePairs.values(), asyncEvents, this::failDevice, lock);
        this.filter = new CompletionFilter(device, inner.dataPath(), rules, byNumber, failures::fail, lock);
        this.dataPath = new FaultDataPath(this, inner.dataPath(), rules, filter, failures);
        this.completionEvents = new CompletionEventFilter(device, inner, lock, filter);
        this.arrivals = new ArrivalFaults(device, number -> {
            TrackedQp qp = byNumber.get(number);
            return qp != null && rules.at(FaultTarget.PACKET, qp, Rules.NO_OPCODE) != null;
        }, rules.messages());
    }

    ReentrantLock lock() {
        return lock;
    }

    ProviderDevice device() {
        return device;
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

    /** The capacity of a shared receive queue; 0 if the query fails, in which case posts fail too. */
    int capacity(Handle.Srq srq) {
        try {
            return inner().querySrq(srq).maxWr();
        } catch (VerbsException e) {
            LOG.debug("Cannot query the capacity of a shared receive queue", e);
            return 0;
        }
    }

    @Override
    public DataPath dataPath() {
        return dataPath;
    }

    @Override
    public Handle.Mr registerMemory(Handle.Pd pd, MemorySegment segment, int access, long iova) {
        checkDevice("reg_mr");
        if (rules.at(FaultTarget.REGISTRATION, null, Rules.NO_OPCODE) instanceof Fault.FailRegistration failing) {
            throw new VerbsException("reg_mr", failing.errno(), InjectedFailures.reason(failing));
        }
        return inner().registerMemory(pd, segment, access, iova);
    }

    @Override
    public CmChannelOps createCmChannel() {
        return FaultCmChannel.before(super.createCmChannel(), this, rules, byNumber);
    }

    @Override
    public Handle.Channel createChannel() {
        checkDevice("create_comp_channel");
        Handle.Channel channel = inner().createChannel();
        try {
            channels.put(channel, new TrackedChannel(inner(), channel));
            return channel;
        } catch (RuntimeException | Error e) {
            channels.remove(channel);
            inner().destroyChannel(channel);
            throw e;
        }
    }

    @Override
    public void destroyChannel(Handle.Channel channel) {
        TrackedChannel gone = channels.get(channel);
        if (!gone.isDestroyed()) {
            inner().destroyChannel(channel);
            gone.destroyed();
        }
        // last, as in all destroy methods: the API calls this one again if something in it throws
        channels.remove(channel);
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
            checkDevice("create_cq");
            TrackedChannel events = channel == null ? null : channels.get(channel);
            Handle.Cq cq = inner().createCq(cqe, channel, completionVector, owner);
            try {
                TrackedCq tracked = new TrackedCq(cq, owner, events);
                completionQueues.put(cq, tracked);
                if (events != null) {
                    events.add(tracked);
                }
                return cq;
            } catch (RuntimeException | Error e) {
                completionQueues.remove(cq);
                if (events != null) {
                    events.remove(owner);
                }
                inner().destroyCq(cq);
                throw e;
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void resizeCq(Handle.Cq cq, int cqe) {
        lock.lock();
        try {
            checkDevice("resize_cq");
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
            TrackedCq gone = tracked(cq);
            if (!gone.isDestroyed()) {
                gone.destroyed(inner().destroyCq(cq));
            }
            if (gone.channel() != null) {
                gone.channel().remove(gone.owner());
            }
            asyncEvents.discard(gone);
            EventsReported reported = gone.total(gone.eventDifference());
            completionQueues.remove(cq);
            return reported;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Handle.Qp createQp(Handle.Pd pd, QpInitAttributes attributes, Object owner) {
        lock.lock();
        try {
            checkDevice("create_qp");
            Handle.Qp qp = inner().createQp(pd, attributes, owner);
            try {
                TrackedQp tracked = new TrackedQp(qp, owner, tracked(attributes.sendCq().handle()),
                        tracked(attributes.recvCq().handle()),
                        attributes.srq() == null ? null : sharedQueues.get(attributes.srq().handle()),
                        attributes.signalAll());
                queuePairs.put(qp, tracked);
                byNumber.put(tracked.number(), tracked);
                // last: only queue pairs that exist are counted
                tracked.created(rules.nextCreated());
                return qp;
            } catch (RuntimeException | Error e) {
                queuePairs.remove(qp);
                inner().destroyQp(qp);
                byNumber.remove(qp.number());
                throw e;
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void modifyQp(Handle.Qp qp, QpAttributes attributes) {
        lock.lock();
        try {
            checkDevice("modify_qp");
            TrackedQp tracked = tracked(qp);
            boolean resets = attributes.present(QpAttribute.STATE) && attributes.state() == QpState.RESET;
            if (resets && (filter.manages(tracked.sendCq()) || filter.manages(tracked.recvCq()))) {
                // completions of requests that were posted before the reset
                filter.drain(tracked);
            }
            inner().modifyQp(qp, attributes);
            if (resets) {
                dropCompletions(tracked);
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
            TrackedQp gone = tracked(qp);
            if (!gone.isDestroyed()) {
                gone.destroyed(inner().destroyQp(qp));
            }
            dropCompletions(gone);
            byNumber.remove(gone.number(), gone);
            asyncEvents.discard(gone);
            EventsReported reported = gone.total(0);
            queuePairs.remove(qp);
            return reported;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Drops the completions of a queue pair that is reset or destroyed, as drivers do: those that were taken from the
     * device and not polled, and after an injected error also those that the device has.
     */
    private void dropCompletions(TrackedQp qp) {
        if (qp.failed()) {
            filter.drain(qp);
        }
        qp.sendCq().removeCompletions(qp.number());
        qp.recvCq().removeCompletions(qp.number());
    }

    @Override
    public void bindMw(Handle.Qp qp, Handle.Mw mw, long wrId, int sendFlags, MwBind bind) {
        lock.lock();
        try {
            checkDevice("bind_mw");
            TrackedQp tracked = tracked(qp);
            Fault fault = rules.at(FaultTarget.SEND, tracked, WrOpcode.BIND_MW.code());
            if (fault instanceof Fault.FailSend failing) {
                throw new VerbsException("bind_mw", failing.errno(), InjectedFailures.reason(failing));
            }
            if (fault != null) {
                failures.perform(fault, tracked);
            }
            if (tracked.sendRoom() == 0) {
                throw new VerbsException("bind_mw", Errno.ENOMEM, TrackedQp.SEND_QUEUE_FULL);
            }
            if (tracked.failed()) {
                tracked.flushed(wrId, false);
            } else {
                int maxSendWr = qp.capabilities().maxSendWr();
                tracked.sends().prepare(0, wrId, FaultDataPath.completes(tracked, sendFlags));
                inner().bindMw(qp, mw, wrId, sendFlags, bind);
                tracked.sends().add(1, maxSendWr);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Handle.Srq createSrq(Handle.Pd pd, SrqInitAttributes attributes, Object owner) {
        lock.lock();
        try {
            checkDevice("create_srq");
            Handle.Srq srq = inner().createSrq(pd, attributes, owner);
            try {
                sharedQueues.put(srq, new AsyncEventFilter.Source(owner));
                return srq;
            } catch (RuntimeException | Error e) {
                sharedQueues.remove(srq);
                inner().destroySrq(srq);
                throw e;
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public EventsReported destroySrq(Handle.Srq srq) {
        lock.lock();
        try {
            AsyncEventFilter.Source gone = sharedQueues.get(srq);
            if (!gone.isDestroyed()) {
                gone.destroyed(inner().destroySrq(srq));
            }
            asyncEvents.discard(gone);
            EventsReported reported = gone.total(0);
            sharedQueues.remove(srq);
            return reported;
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
        arrivals.stop();
        try {
            inner().close();
        } finally {
            onClose.accept(this);
        }
    }

    /** The faults of what arrives at the device. */
    ArrivalFaults arrivals() {
        return arrivals;
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
            completionQueues.values().stream().filter(cq -> !cq.isDestroyed() && filter.manages(cq))
                    .forEach(filter::drain);
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
            TrackedQp tracked = tracked(qp);
            return tracked != null && !tracked.isDestroyed();
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
                failures.perform(fault, tracked);
            }
        } finally {
            lock.unlock();
        }
    }
}
