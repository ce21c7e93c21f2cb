package io.jverbs.fault;

import io.jverbs.spi.ContextOps;
import io.jverbs.spi.Handle;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A completion channel with its completion queues and the number of waiting threads. Guarded by the lock of the
 * context, except for final and volatile fields.
 */
final class TrackedChannel {
    private final ContextOps inner;
    private final Handle.Channel handle;
    /** The completion queues by API object, in the order of creation. */
    private final Map<Object, TrackedCq> queues = new LinkedHashMap<>();
    private int waiters;
    /** Whether the channel was destroyed, so that waits must end. */
    private volatile boolean destroyed;

    TrackedChannel(ContextOps inner, Handle.Channel handle) {
        this.inner = inner;
        this.handle = handle;
    }

    Handle.Channel handle() {
        return handle;
    }

    void add(TrackedCq cq) {
        queues.put(cq.owner(), cq);
    }

    void remove(Object owner) {
        queues.remove(owner);
    }

    /** The queue of an API object; null if there is none. */
    TrackedCq of(Object owner) {
        return queues.get(owner);
    }

    void enter() {
        waiters++;
    }

    /** Records the end of a wait. Another waiting thread takes an event that this one was woken for. */
    void leave() {
        waiters--;
        wakeWaiter();
    }

    /** Wakes a waiting thread, which checks again for events that the device does not raise. */
    void wakeWaiter() {
        if (waiters > 0 && !destroyed) {
            inner.wake(handle);
        }
    }

    /** A queue with an event that is due; null if there is none. */
    TrackedCq due(long now) {
        for (TrackedCq cq : queues.values()) {
            if (cq.isDue(now)) {
                return cq;
            }
        }
        return null;
    }

    /** How many nanoseconds until the next delayed completion becomes visible; {@link Long#MAX_VALUE} if none will. */
    long untilNext(long now) {
        long next = Long.MAX_VALUE;
        for (TrackedCq cq : queues.values()) {
            if (cq.isArmed()) {
                next = Math.min(next, cq.pending().untilNext(now));
            }
        }
        return next;
    }

    boolean isDestroyed() {
        return destroyed;
    }

    void destroyed() {
        destroyed = true;
    }
}
