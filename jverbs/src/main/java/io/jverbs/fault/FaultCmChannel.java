package io.jverbs.fault;

import io.jverbs.Errno;
import io.jverbs.QpType;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmEventType;
import io.jverbs.fault.AsyncEventFilter.RemainingTime;
import io.jverbs.spi.CmChannelOps;
import io.jverbs.spi.CmEventData;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.CmParameters;
import io.jverbs.spi.ForwardingCmChannel;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An event channel of the connection manager with fault injection. A step that a rule fails is not passed to the
 * device; this channel reports the event of its failure. Thread-safe.
 */
final class FaultCmChannel extends ForwardingCmChannel {
    /** The reason of a REJ that the program of the peer has asked for. */
    private static final int CONSUMER_REJECT = 28;
    /** The status of a SIDR_REP with which the program of the peer has rejected. */
    private static final int SIDR_REJECT = 2;

    private final FaultContext context;
    private final Rules rules;
    private final Map<Integer, TrackedQp> byNumber;
    /** Guards the injected events and the numbers of those that were retrieved; held for a moment only. */
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Injected> injected = new ArrayDeque<>();
    /** How often a wait of the device was ended because of an injected event. */
    private final AtomicInteger wakes = new AtomicInteger();

    private record Injected(FaultCmId id, CmEventData event) {}

    private FaultCmChannel(FaultContext context, Rules rules, Map<Integer, TrackedQp> byNumber, CmChannelOps inner) {
        super(inner);
        this.context = context;
        this.rules = rules;
        this.byNumber = byNumber;
    }

    /**
     * Puts a channel before that of the device, which is closed if that fails.
     *
     * @param byNumber the queue pairs of the context
     */
    static FaultCmChannel before(CmChannelOps inner, FaultContext context, Rules rules,
            Map<Integer, TrackedQp> byNumber) {
        try {
            return new FaultCmChannel(context, rules, byNumber, inner);
        } catch (RuntimeException | Error e) {
            inner.close();
            throw e;
        }
    }

    @Override
    protected Id wrap(CmIdOps id, boolean isRequested) {
        return new FaultCmId(id);
    }

    @Override
    public CmIdOps createId(int portSpace, int qpType, Object owner) {
        FaultCmId id = (FaultCmId) super.createId(portSpace, qpType, owner);
        id.isDatagram = QpType.of(qpType) == QpType.UD;
        return id;
    }

    /** Returns the next injected event, which counts as retrieved; null if there is none. */
    private CmEventData next() {
        lock.lock();
        try {
            Injected first = injected.poll();
            if (first == null) {
                return null;
            }
            first.id.retrieved++;
            return first.event;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public CmEventData await(long nanos) throws InterruptedException {
        RemainingTime left = new RemainingTime(context.device(), nanos);
        while (true) {
            CmEventData event = next();
            if (event == null) {
                event = super.await(left.begin(Long.MAX_VALUE));
                left.end(event == null);
            }
            if (event != null || !wakes(-1)) {
                return event == null ? next() : event;
            }
        }
    }

    /** Adds to the number of wakes; returns false if it would become negative. */
    private boolean wakes(int change) {
        return wakes.getAndUpdate(number -> Math.max(0, number + change)) + change >= 0;
    }

    private void inject(String operation, Injected failure) {
        lock.lock();
        try {
            if (injected.stream().anyMatch(each -> each.id == failure.id)) {
                throw new VerbsException(operation, Errno.EINVAL, "the event of the former step of this ID, which fault"
                        + " injection has failed, was not retrieved: retrieve it first");
            }
            injected.add(failure);
        } finally {
            lock.unlock();
        }
        wakeWaiting();
    }

    /** Takes the events of an ID that comes from another channel. */
    private void take(List<Injected> events) {
        lock.lock();
        try {
            injected.addAll(events);
        } finally {
            lock.unlock();
        }
        wakeWaiting();
    }

    private void wakeWaiting() {
        wakes(1);
        inner().wake();
    }

    /** Removes and returns the injected events of an ID that were not retrieved. */
    private List<Injected> remove(FaultCmId id) {
        lock.lock();
        try {
            List<Injected> removed = new ArrayList<>(injected.size());
            injected.forEach(each -> {
                if (each.id == id) {
                    removed.add(each);
                }
            });
            injected.removeAll(removed);
            return removed;
        } finally {
            lock.unlock();
        }
    }

    /** An ID that reports failures which rules ask for. */
    private final class FaultCmId extends Id {
        private volatile FaultCmChannel channel = FaultCmChannel.this;
        /** The number of injected events that were retrieved. Guarded by the lock of the channel. */
        private int retrieved;
        private volatile boolean isDatagram;
        private volatile boolean isListening;
        /** The route is resolved, or will be soon, and there was no connect since. */
        private volatile boolean mayConnect;

        FaultCmId(CmIdOps inner) {
            super(inner);
        }

        private void fail(String operation, CmEventType type, int status) {
            channel.inject(operation,
                    new Injected(this, new CmEventData(type.code(), this, null, status, null, null, null)));
        }

        @Override
        public void listen(int backlog) {
            super.listen(backlog);
            isListening = true;
        }

        @Override
        public void resolveAddress(InetSocketAddress source, InetSocketAddress destination, long nanos) {
            context.checkDevice("resolve_addr");
            if (isListening || route().remoteGid() != null) {
                // the device refuses it
                super.resolveAddress(source, destination, nanos);
            } else if (rules.at(FaultTarget.RESOLUTION, null,
                    Rules.NO_OPCODE) instanceof Fault.FailResolution failing) {
                fail("resolve_addr", CmEventType.ADDR_ERROR, -failing.errno().code());
            } else {
                super.resolveAddress(source, destination, nanos);
            }
        }

        @Override
        public void resolveRoute(long nanos) {
            super.resolveRoute(nanos);
            mayConnect = true;
        }

        @Override
        public void connect(CmParameters parameters) {
            context.checkDevice("connect");
            if (mayConnect && !isDatagram) {
                parameters.requireQueuePair("connect");
            }
            // otherwise the device refuses it
            if (!mayConnect || !failsConnect(parameters)) {
                super.connect(parameters);
            }
            mayConnect = false;
        }

        /** Reports the failure that a rule asks for; returns whether there is one. */
        private boolean failsConnect(CmParameters parameters) {
            Fault fault = rules.at(FaultTarget.CONNECTION, byNumber.get(parameters.qpNumber()), Rules.NO_OPCODE);
            if (!(fault instanceof Fault.FailConnection failing)) {
                return false;
            }
            boolean isRejected = failing.event() == CmEventType.REJECTED;
            if (isRejected && isDatagram) {
                fail("connect", CmEventType.UNREACHABLE, SIDR_REJECT);
            } else {
                fail("connect", failing.event(), isRejected ? CONSUMER_REJECT : -Errno.ETIMEDOUT.code());
            }
            return true;
        }

        @Override
        public int migrate(CmChannelOps target) {
            int count = super.migrate(target);
            FaultCmChannel next = (FaultCmChannel) target;
            List<Injected> moved = channel.remove(this);
            if (!moved.isEmpty()) {
                next.take(moved);
            }
            channel = next;
            return count + retrieved();
        }

        @Override
        public int destroy() {
            int count = super.destroy();
            channel.remove(this);
            return count + retrieved();
        }

        private int retrieved() {
            FaultCmChannel present = channel;
            present.lock.lock();
            try {
                return retrieved;
            } finally {
                present.lock.unlock();
            }
        }
    }
}
