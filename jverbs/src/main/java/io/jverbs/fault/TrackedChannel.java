package io.jverbs.fault;

import io.jverbs.spi.ContextOps;
import io.jverbs.spi.Handle;
import java.util.ArrayList;
import java.util.List;

/** A completion channel, its queues and who waits there. Guarded by the context's lock, but for what never changes. */
final class TrackedChannel {
    private final ContextOps inner;
    private final Handle.Channel handle;
    private final List<TrackedCq> queues = new ArrayList<>();
    private int waiters;
    /** Who waits must not go on. */
    private volatile boolean destroyed;

    TrackedChannel(ContextOps inner, Handle.Channel handle) {
        this.inner = inner;
        this.handle = handle;
    }

    Handle.Channel handle() {
        return handle;
    }

    List<TrackedCq> queues() {
        return queues;
    }

    void enter() {
        waiters++;
    }

    /** Somebody waits no more; who still does looks after what that one would have. */
    void leave() {
        waiters--;
        changed();
    }

    /** Has somebody who waits look again, at what the device tells nothing of. */
    void changed() {
        if (waiters > 0 && !destroyed) {
            inner.wake(handle);
        }
    }

    /** A queue whose event is due, null if there is none. */
    TrackedCq due(long now) {
        for (TrackedCq cq : queues) {
            if (cq.isDue(now)) {
                return cq;
            }
        }
        return null;
    }

    /** In how many nanoseconds the next completion becomes visible that is late; {@link Long#MAX_VALUE} if none is. */
    long untilNext(long now) {
        long next = Long.MAX_VALUE;
        for (TrackedCq cq : queues) {
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
