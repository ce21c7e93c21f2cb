package io.jverbs.fault;

import io.jverbs.spi.ContextOps;
import io.jverbs.spi.ProviderDevice;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Completion events between the device and the program: the device's own, unless there is nothing to see; and those of
 * completions that became visible later than the device thinks.
 */
final class CompletionEventDesk {
    private final ProviderDevice device;
    private final ContextOps inner;
    private final ReentrantLock lock;
    private final CompletionFilter filter;

    CompletionEventDesk(ProviderDevice device, ContextOps inner, ReentrantLock lock, CompletionFilter filter) {
        this.device = device;
        this.inner = inner;
        this.lock = lock;
        this.filter = filter;
    }

    /** As {@link ContextOps#awaitEvent}. */
    Object await(TrackedChannel channel, long nanos) throws InterruptedException {
        enter(channel);
        try {
            Patience patience = new Patience(device, nanos);
            boolean looked = false;
            while (true) {
                long most;
                lock.lock();
                try {
                    long now = device.nanoTime();
                    TrackedCq due = channel.due(now);
                    if (due != null) {
                        due.given();
                        return due.owner();
                    }
                    most = channel.untilNext(now);
                } finally {
                    lock.unlock();
                }
                if (looked && patience.isOver() || channel.isDestroyed()) {
                    return null;
                }
                Object owner = inner.awaitEvent(channel.handle(), patience.begin(most));
                patience.end(owner == null);
                if (owner != null && passes(channel, owner)) {
                    return owner;
                }
                // behind an event that does not pass there may be another
                looked = owner == null;
            }
        } finally {
            leave(channel);
        }
    }

    private void enter(TrackedChannel channel) {
        lock.lock();
        channel.enter();
        lock.unlock();
    }

    private void leave(TrackedChannel channel) {
        lock.lock();
        try {
            channel.leave();
        } finally {
            lock.unlock();
        }
    }

    private boolean passes(TrackedChannel channel, Object owner) {
        lock.lock();
        try {
            for (TrackedCq cq : channel.queues()) {
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
        filter.manages(cq);
        if (cq.passes()) {
            return true;
        }
        filter.drain(cq);
        if (cq.isEventWasted(device.nanoTime())) {
            // what comes next must raise one, and may have come just now
            inner.dataPath().requestNotification(cq.handle(), cq.solicitedOnly());
            filter.drain(cq);
            cq.rearmed();
        }
        return false;
    }
}
