package io.jverbs.endpoint;

import io.jverbs.ProtectionDomain;
import io.jverbs.RdmaContext;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What all endpoints and listeners of a context share: the protection domain, the buffers, and the processors of
 * completions and events with their threads. It exists while there are endpoints or listeners. Thread-safe.
 */
final class EndpointDevice {
    private static final ReentrantLock LOCK = new ReentrantLock();
    /** The devices in use; guarded by the lock, as is the number of users. */
    private static final Map<RdmaContext, EndpointDevice> IN_USE = new HashMap<>();

    private final RdmaContext context;
    private final ProtectionDomain pd;
    private final BufferPool pool;
    private final CompletionProcessor completions;
    private final EventProcessor events;
    private final CountDownLatch closed = new CountDownLatch(1);
    private int users;

    private EndpointDevice(RdmaContext context) {
        this.context = context;
        EventProcessor madeEvents = new EventProcessor(context);
        ProtectionDomain madePd = null;
        CompletionProcessor madeCompletions = null;
        try {
            madePd = context.allocatePd();
            madeCompletions = new CompletionProcessor(context);
        } finally {
            if (madeCompletions == null) {
                madeEvents.close();
                if (madePd != null) {
                    madePd.close();
                }
            }
        }
        events = madeEvents;
        pd = madePd;
        completions = madeCompletions;
        pool = new BufferPool(pd);
    }

    /** Returns the device of a context for a new user, which calls {@link #release} at its end. */
    static EndpointDevice acquire(RdmaContext context) {
        Objects.requireNonNull(context, "context");
        LOCK.lock();
        try {
            IN_USE.keySet().removeIf(RdmaContext::isClosed);
            EndpointDevice device = IN_USE.get(context);
            if (device == null) {
                device = new EndpointDevice(context);
                device.start();
                IN_USE.put(context, device);
            }
            device.users++;
            return device;
        } finally {
            LOCK.unlock();
        }
    }

    private void start() {
        Thread closer = Thread.ofPlatform().daemon().name("jverbs-endpoint-end").unstarted(this::close);
        boolean isStarted = false;
        try {
            completions.start();
            events.start();
            isStarted = true;
        } finally {
            if (!isStarted) {
                closer.start();
            }
        }
    }

    /** Ends a use. Does not wait: the last user's thread may be one of this object. */
    void release() {
        boolean isLast;
        LOCK.lock();
        try {
            isLast = users == 1;
            if (isLast) {
                IN_USE.remove(context, this);
            }
            // last: without users, threads wait for the end of this object
            users--;
        } finally {
            LOCK.unlock();
        }
        if (isLast) {
            completions.stop();
            events.stop();
            if (completions.isOwner() || events.isOwner()) {
                Thread.ofPlatform().daemon().name("jverbs-endpoint-end").start(this::close);
            } else {
                close();
            }
        }
    }

    /** Waits until everything is destroyed, if there are no users. Not for threads that poll. */
    void awaitClosed() {
        boolean isUnused;
        LOCK.lock();
        try {
            isUnused = users == 0;
        } finally {
            LOCK.unlock();
        }
        boolean interrupted = false;
        while (isUnused && closed.getCount() > 0) {
            try {
                closed.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void close() {
        try {
            completions.stop();
            events.stop();
            completions.awaitEnd();
            events.awaitEnd();
            completions.seize();
            events.seize();
            if (!context.isClosed()) {
                events.close();
                completions.close();
                pool.close();
                pd.close();
            }
        } catch (IllegalStateException e) {
            if (!context.isClosed()) {
                throw e;
            }
        } finally {
            closed.countDown();
        }
    }

    /** Returns whether the calling thread is polling, so that it cannot wait until another thread does. */
    boolean isPolling() {
        return completions.isOwner();
    }

    RdmaContext context() {
        return context;
    }

    ProtectionDomain pd() {
        return pd;
    }

    BufferPool pool() {
        return pool;
    }

    CompletionProcessor completions() {
        return completions;
    }

    EventProcessor events() {
        return events;
    }
}
