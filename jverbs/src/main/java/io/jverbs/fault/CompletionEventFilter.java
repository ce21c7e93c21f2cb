package io.jverbs.fault;

import io.jverbs.spi.ContextOps;
import io.jverbs.spi.ProviderDevice;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Delivers completion events to the program: events of the device, unless the program has no completion to see, and
 * events for completions that fault injection has made visible later. Thread-safe; state is guarded by the lock of the
 * context.
 */
final class CompletionEventFilter {
    private final ProviderDevice device;
    private final ContextOps inner;
    private final ReentrantLock lock;
    private final CompletionFilter filter;

    CompletionEventFilter(ProviderDevice device, ContextOps inner, ReentrantLock lock, CompletionFilter filter) {
        this.device = device;
        this.inner = inner;
        this.lock = lock;
        this.filter = filter;
    }

    /** As {@link ContextOps#awaitEvent}. */
    Object await(TrackedChannel channel, long nanos) throws InterruptedException {
        enter(channel);
        try {
            AsyncEventFilter.RemainingTime patience = new AsyncEventFilter.RemainingTime(device, nanos);
            boolean deviceHadNone = false;
            while (true) {
                long most;
                lock.lock();
                try {
                    long now = device.nanoTime();
                    TrackedCq due = channel.due(now);
                    if (due != null) {
                        due.eventDelivered();
                        return due.owner();
                    }
                    most = channel.untilNext(now);
                } finally {
                    lock.unlock();
                }
                if (deviceHadNone && patience.isOver() || channel.isDestroyed()) {
                    return null;
                }
                Object owner = inner.awaitEvent(channel.handle(), patience.begin(most));
                patience.end(owner == null);
                if (owner != null && isForProgram(channel, owner)) {
                    return owner;
                }
                // after an event that is not for the program, the device may have another one
                deviceHadNone = owner == null;
            }
        } finally {
            leave(channel);
        }
    }

    private void enter(TrackedChannel channel) {
        lock.lock();
        try {
            channel.enter();
        } finally {
            lock.unlock();
        }
    }

    private void leave(TrackedChannel channel) {
        lock.lock();
        try {
            channel.leave();
        } finally {
            lock.unlock();
        }
    }

    /** Whether an event of the device goes to the program. */
    private boolean isForProgram(TrackedChannel channel, Object owner) {
        lock.lock();
        try {
            TrackedCq cq = channel.of(owner);
            return cq == null || isForProgram(cq);
        } finally {
            lock.unlock();
        }
    }

    private boolean isForProgram(TrackedCq cq) {
        try {
            filter.manages(cq);
        } catch (RuntimeException | Error e) {
            // the program does not get this event, so closing the queue must not wait for its acknowledgement
            cq.deviceEventLost();
            throw e;
        }
        if (cq.deviceRaisedEvent()) {
            return true;
        }
        filter.drain(cq);
        if (cq.mustRearm(device.nanoTime())) {
            // the next completion must raise an event; it may have arrived before the queue was armed again
            inner.dataPath().requestNotification(cq.handle(), cq.solicitedOnly());
            filter.drain(cq);
            cq.rearmed();
        }
        return false;
    }
}
