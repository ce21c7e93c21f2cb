package io.jverbs.fault;

import io.jverbs.AsyncEventType;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.ContextOps.Async;
import io.jverbs.spi.ContextOps.EventsReported;
import io.jverbs.spi.ProviderDevice;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Delivers asynchronous events to the program: those of the device and injected ones. Guarded by the lock of the
 * context.
 */
final class AsyncEventFilter {
    private static final int PORT = 1;

    private final ProviderDevice device;
    private final ContextOps inner;
    private final ReentrantLock lock;
    /**
     * Injected events that were not retrieved, oldest first, with their object, which is null for a port or the device.
     * An event is kept once, so the map has a bound: objects times types.
     */
    private final Map<Async, Source> raised = new LinkedHashMap<>();
    private int waiters;
    private volatile boolean closed;

    /**
     * A queue pair, completion queue or shared receive queue, which can have injected events. Guarded by the lock of
     * the context, except for the final field.
     */
    static class Source {
        private final Object owner;
        /** How many injected events the program has retrieved. */
        private int retrieved;
        private EventsReported reported;

        /**
         * Starts without events.
         *
         * @param owner the API object
         */
        Source(Object owner) {
            this.owner = owner;
        }

        /** The API object. */
        final Object owner() {
            return owner;
        }

        /** Records that the device has destroyed the object, and the events of the device. */
        final void destroyed(EventsReported ofDevice) {
            reported = ofDevice;
        }

        /**
         * Whether the device has destroyed the object. It is tracked longer if an Error has prevented the rest of its
         * destruction.
         */
        final boolean isDestroyed() {
            return reported != null;
        }

        /**
         * Returns the events that the program has retrieved, of the device and injected ones.
         *
         * @param completions how many more completion events than those of the device
         */
        final EventsReported total(int completions) {
            return new EventsReported(reported.completion() + completions, reported.async() + retrieved,
                    reported.isLogged());
        }
    }

    AsyncEventFilter(ProviderDevice device, ContextOps inner, ReentrantLock lock) {
        this.device = device;
        this.inner = inner;
        this.lock = lock;
    }

    /** Whether an event requires a queue pair with a shared receive queue. */
    static boolean needsSrq(AsyncEventType event) {
        return switch (event) {
            case SRQ_ERR, SRQ_LIMIT_REACHED, QP_LAST_WQE_REACHED -> true;
            default -> false;
        };
    }

    /** Raises an event of a queue pair, or of its queues, port or device. The lock is held. */
    void raise(AsyncEventType event, TrackedQp qp) {
        assert lock.isHeldByCurrentThread();
        switch (event) {
            case QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR, COMM_EST, SQ_DRAINED, PATH_MIG, PATH_MIG_ERR,
                    QP_LAST_WQE_REACHED ->
                add(event, qp);
            case CQ_ERR -> add(event, qp.sendCq());
            case SRQ_ERR, SRQ_LIMIT_REACHED -> add(event, qp.srq());
            case PORT_ACTIVE, PORT_ERR, LID_CHANGE, PKEY_CHANGE, SM_CHANGE, CLIENT_REREGISTER, GID_CHANGE,
                    DEVICE_SPEED_CHANGE -> {
                Async ofPort = new Async(event.code(), null, PORT);
                // moved to the end: of PORT_ACTIVE and PORT_ERR, the program must see the later one last
                raised.remove(ofPort);
                raised.put(ofPort, null);
            }
            case DEVICE_FATAL -> raised.put(new Async(event.code(), null, 0), null);
            case WQ_FATAL, UNKNOWN -> throw new AssertionError(event + " is rejected when the fault is created");
        }
        wake();
    }

    private void add(AsyncEventType event, Source source) {
        raised.put(new Async(event.code(), source.owner(), 0), source);
    }

    /** As {@link ContextOps#awaitAsync}. */
    Async await(long nanos) throws InterruptedException {
        RemainingTime patience = new RemainingTime(device, nanos);
        waiters(1);
        try {
            Async event = take();
            boolean waited = false;
            while (event == null && !closed && !(waited && patience.isOver())) {
                event = inner.awaitAsync(patience.begin(Long.MAX_VALUE));
                patience.end(event == null);
                waited = true;
                event = event == null ? take() : event;
            }
            return event;
        } finally {
            waiters(-1);
        }
    }

    private void waiters(int more) {
        lock.lock();
        try {
            waiters += more;
            if (more < 0) {
                // another waiting thread takes an event that this one was woken for
                wake();
            }
        } finally {
            lock.unlock();
        }
    }

    private void wake() {
        if (waiters > 0 && !closed) {
            inner.wake(null);
        }
    }

    private Async take() {
        lock.lock();
        try {
            Iterator<Map.Entry<Async, Source>> oldest = raised.entrySet().iterator();
            if (!oldest.hasNext()) {
                return null;
            }
            Map.Entry<Async, Source> entry = oldest.next();
            Async event = entry.getKey();
            Source source = entry.getValue();
            oldest.remove();
            // last: the program must get, and acknowledge, every event that is counted
            if (source != null) {
                source.retrieved++;
            }
            return event;
        } finally {
            lock.unlock();
        }
    }

    /** Discards the events of a destroyed object that the program has not retrieved. The lock is held. */
    void discard(Source source) {
        assert lock.isHeldByCurrentThread();
        for (AsyncEventType type : AsyncEventType.values()) {
            raised.remove(new Async(type.code(), source.owner(), 0));
        }
    }

    void close() {
        closed = true;
    }

    /**
     * The remaining time of a wait that consists of several waits on the device, by the clock of the device. Not
     * thread-safe.
     */
    static final class RemainingTime {
        private final ProviderDevice device;
        private long left;
        private long most;
        private long began;
        private long beganReal;

        RemainingTime(ProviderDevice device, long nanos) {
            this.device = device;
            this.left = nanos;
        }

        boolean isOver() {
            return left <= 0;
        }

        /** Starts a wait on the device; returns its timeout, at most {@code atMost}. */
        long begin(long atMost) {
            most = Math.clamp(atMost, 0, left);
            began = device.nanoTime();
            beganReal = System.nanoTime();
            return most;
        }

        /** Ends the wait on the device. */
        void end(boolean timedOut) {
            long passed = device.nanoTime() - began;
            // a virtual clock may not advance during a wait that times out, so real time counts too
            boolean whole = timedOut && System.nanoTime() - beganReal >= most;
            left -= whole ? most : Math.clamp(passed, 0, most);
        }
    }
}
