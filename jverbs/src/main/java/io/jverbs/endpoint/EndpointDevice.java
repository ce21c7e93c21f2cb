package io.jverbs.endpoint;

import io.jverbs.Errno;
import io.jverbs.ProtectionDomain;
import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import io.jverbs.endpoint.BufferPool.ConnectionBuffers;
import io.jverbs.endpoint.EndpointException.Reason;
import io.jverbs.endpoint.WorkQueues.SendQueue;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What all endpoints and listeners of a context share: the protection domain, the buffers, and the processors of
 * completions and events with their threads. It exists while there are endpoints or listeners. Thread-safe.
 */
final class EndpointDevice {
    private static final ReentrantLock LOCK = new ReentrantLock();
    /** The devices in use; guarded by the lock, as is the number of users. */
    private static final Map<RdmaContext, EndpointDevice> IN_USE = new HashMap<>();

    private static final int FIRST_PORT = 1;

    private final RdmaContext context;
    private final ProtectionDomain pd;
    private final BufferPool pool;
    private final CompletionProcessor completions;
    private final EventProcessor events;
    private final CountDownLatch closed = new CountDownLatch(1);
    /** Closes this object if its last user must not, or if an Error has ended the last user's attempt. */
    private final Thread closer = Thread.ofPlatform().daemon().name("jverbs-endpoint-end").unstarted(this::close);
    private int users;
    /** Whether the last user, or the thread above, destroys this object. */
    private final AtomicBoolean ending = new AtomicBoolean();

    /**
     * What a connection uses of its device: buffers, and a place among the connections whose completions are processed.
     * Used by one thread at a time.
     */
    static final class ConnectionResources {
        private final EndpointDevice device;
        private final int entries;
        private final ConnectionBuffers buffers;
        private int token;
        private Held held = Held.BUFFERS;

        /**
         * What is not given back yet.
         * <pre>
         * held                 addToProcessor       giveBack, first step    giveBack, second step
         * BUFFERS              BUFFERS_AND_PLACE    -                       NOTHING
         * BUFFERS_AND_PLACE    -                    BUFFERS                 -
         * NOTHING              -                    -                       -
         * </pre>
         */
        private enum Held {
            NOTHING, BUFFERS, BUFFERS_AND_PLACE
        }

        ConnectionResources(EndpointDevice device, EndpointOptions options) {
            this.device = device;
            this.entries = SendQueue.capacity(options.sendBuffers()) + options.receiveBuffers() + Credits.CONTROL;
            this.buffers = device.pool.take(ConnectionBuffers.Shape.of(options));
        }

        ConnectionBuffers buffers() {
            return buffers;
        }

        /** Adds the connection to the processor of completions, and returns the token of its work requests. */
        int addToProcessor(Connection connection) {
            token = device.completions.add(connection, entries);
            held = Held.BUFFERS_AND_PLACE;
            return token;
        }

        /**
         * Gives back what is held. After an Error, the next call does what is left.
         *
         * @param reusable whether neither the program nor the device uses the buffers
         */
        void giveBack(boolean reusable) {
            if (held == Held.BUFFERS_AND_PLACE) {
                device.completions.remove(token, entries);
                held = Held.BUFFERS;
            }
            if (held == Held.BUFFERS) {
                device.pool.give(buffers, reusable);
                held = Held.NOTHING;
            }
        }
    }

    private EndpointDevice(RdmaContext context) {
        this.context = context;
        EventProcessor madeEvents = new EventProcessor(context);
        ProtectionDomain madePd = null;
        CompletionProcessor madeCompletions = null;
        BufferPool madePool = null;
        try {
            madePd = context.allocatePd();
            madeCompletions = new CompletionProcessor(context);
            madePool = new BufferPool(madePd);
        } finally {
            if (madePool == null) {
                madeEvents.close();
                if (madeCompletions != null) {
                    madeCompletions.close();
                }
                if (madePd != null) {
                    madePd.close();
                }
            }
        }
        events = madeEvents;
        pd = madePd;
        completions = madeCompletions;
        pool = madePool;
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
            }
            device.users++;
            return device;
        } finally {
            LOCK.unlock();
        }
    }

    private void start() {
        boolean isStarted = false;
        try {
            completions.start();
            events.start();
            IN_USE.put(context, this);
            isStarted = true;
        } finally {
            if (!isStarted) {
                closer.start();
            }
        }
    }

    /**
     * Ends a use. Does not wait: the last user's thread may be one of this object. After an Error, the user calls this
     * again.
     */
    void release() {
        boolean isLast;
        LOCK.lock();
        try {
            isLast = users <= 1;
            if (isLast) {
                IN_USE.remove(context, this);
            }
            // last: without users, threads wait for the end of this object
            users = Math.max(0, users - 1);
        } finally {
            LOCK.unlock();
        }
        if (isLast) {
            end();
        }
    }

    /** Destroys this object, in this thread if it may. If an Error ends that, another thread does what is left. */
    private void end() {
        if (!ending.compareAndSet(false, true)) {
            return;
        }
        boolean isDone = false;
        try {
            completions.stop();
            events.stop();
            if (!completions.isOwner() && !events.isOwner()) {
                destroy();
                isDone = true;
            }
        } finally {
            if (isDone) {
                closed.countDown();
            } else {
                closer.start();
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
        if (isUnused) {
            // unless the last user has, before an Error
            end();
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

    /** Destroys this object, in a thread that nobody waits for before. */
    private void close() {
        try {
            destroy();
        } catch (Error e) {
            // what is left
            destroy();
        } finally {
            closed.countDown();
        }
    }

    /** Ends the threads and destroys all objects. After an Error, the next call destroys what is left. */
    private void destroy() {
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
        }
    }

    /** Returns whether the calling thread is polling, so that it cannot wait until another thread does. */
    boolean isPolling() {
        return completions.isOwner();
    }

    /**
     * Returns the failure of the device, of which an ID at the wildcard address gets no event; null if the device
     * works, or the ID is bound to another address.
     *
     * @param held the lock that the caller holds; it is released meanwhile, because the device may take long
     */
    EndpointException failure(InetSocketAddress bound, Listener listener, ReentrantLock held) {
        if (!bound.getAddress().isAnyLocalAddress() || context.isClosed()) {
            return null;
        }
        held.unlock();
        try {
            context.queryPort(FIRST_PORT);
            return null;
        } catch (VerbsException e) {
            return e.error() == Errno.EIO || e.error() == Errno.ENODEV
                    ? new EndpointException(Reason.DEVICE_FAILED, listener.toString(), e.getMessage(), e)
                    : null;
        } catch (IllegalStateException e) {
            // the context was closed meanwhile
            return null;
        } finally {
            held.lock();
        }
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
