package io.jverbs.fault;

import io.jverbs.fault.ActiveRule.Place;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.Handle;
import java.util.Collection;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Completion events between the device and the program: the device's own, unless there is nothing to see; and those of
 * completions that became visible later than the device thinks.
 */
final class CompletionEventDesk {
    /** How long a wait goes by without a look at what became visible. */
    static final long LOOK_NANOS = 1_000_000;

    private final ContextOps inner;
    private final ReentrantLock lock;
    private final Rules rules;
    private final CompletionFilter filter;
    private final Collection<TrackedCq> queues;

    /**
     * @param queues the queues of the context, guarded by the lock
     */
    CompletionEventDesk(ContextOps inner, ReentrantLock lock, Rules rules, CompletionFilter filter,
            Collection<TrackedCq> queues) {
        this.inner = inner;
        this.lock = lock;
        this.rules = rules;
        this.filter = filter;
        this.queues = queues;
    }

    /** As {@link ContextOps#awaitEvent}. */
    Object await(TrackedChannel channel, long nanos) throws InterruptedException {
        long start = System.nanoTime();
        while (true) {
            long left = nanos - (System.nanoTime() - start);
            Object due = due(channel.handle());
            if (due != null) {
                return due;
            }
            Object owner = inner.awaitEvent(channel.handle(), Math.clamp(left, 0, LOOK_NANOS));
            if (owner != null) {
                if (passes(owner)) {
                    return owner;
                }
            } else if (left <= 0 || channel.isDestroyed()) {
                return null;
            }
        }
    }

    private Object due(Handle.Channel channel) {
        lock.lock();
        try {
            long now = System.nanoTime();
            for (TrackedCq cq : queues) {
                if (cq.channel() == channel && cq.isDue(now)) {
                    cq.added();
                    return cq.owner();
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private boolean passes(Object owner) {
        lock.lock();
        try {
            for (TrackedCq cq : queues) {
                if (cq.owner() == owner) {
                    return passes(cq);
                }
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean passes(TrackedCq cq) {
        if (cq.takeSurplus()) {
            cq.discarded();
            return false;
        }
        if (cq.pending().isEmpty() && !rules.has(Place.COMPLETION)) {
            cq.passed();
            return true;
        }
        filter.drain(cq);
        if (cq.hasNews(System.nanoTime())) {
            cq.passed();
            return true;
        }
        cq.swallowed();
        if (cq.pending().isEmpty()) {
            // what it was raised for is gone; what comes next must raise one, and may have come just now
            inner.dataPath().requestNotification(cq.handle(), cq.solicitedOnly());
            filter.drain(cq);
        }
        return false;
    }
}
