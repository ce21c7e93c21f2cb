package io.jverbs.fault;

import io.jverbs.AsyncEventType;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.ContextOps.Async;
import io.jverbs.spi.ProviderDevice;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
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
    /** Injected events that were not retrieved. An event is kept once, so the set has a bound: objects times types. */
    private final Set<Async> raised = new LinkedHashSet<>();
    /** How many injected events of each object the program has retrieved. */
    private final Map<Object, Integer> retrieved = new IdentityHashMap<>();
    private int waiters;
    private volatile boolean closed;

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
        switch (event) {
            case QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR, COMM_EST, SQ_DRAINED, PATH_MIG, PATH_MIG_ERR,
                    QP_LAST_WQE_REACHED ->
                raised.add(new Async(event.code(), qp.owner(), 0));
            case CQ_ERR -> raised.add(new Async(event.code(), qp.sendCq().owner(), 0));
            case SRQ_ERR, SRQ_LIMIT_REACHED -> raised.add(new Async(event.code(), qp.srqOwner(), 0));
            case PORT_ACTIVE, PORT_ERR, LID_CHANGE, PKEY_CHANGE, SM_CHANGE, CLIENT_REREGISTER, GID_CHANGE,
                    DEVICE_SPEED_CHANGE -> {
                Async ofPort = new Async(event.code(), null, PORT);
                // moved to the end: of PORT_ACTIVE and PORT_ERR, the program must see the later one last
                raised.remove(ofPort);
                raised.add(ofPort);
            }
            case DEVICE_FATAL -> raised.add(new Async(event.code(), null, 0));
            case WQ_FATAL, UNKNOWN -> throw new AssertionError(event + " is rejected when the fault is created");
        }
        wake();
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
            Iterator<Async> oldest = raised.iterator();
            if (!oldest.hasNext()) {
                return null;
            }
            Async event = oldest.next();
            oldest.remove();
            if (event.owner() != null) {
                retrieved.merge(event.owner(), 1, Integer::sum);
            }
            return event;
        } finally {
            lock.unlock();
        }
    }

    /** Discards the events of a destroyed object; returns how many the program has retrieved. The lock is held. */
    int forget(Object owner) {
        for (AsyncEventType type : AsyncEventType.values()) {
            raised.remove(new Async(type.code(), owner, 0));
        }
        Integer count = retrieved.remove(owner);
        return count == null ? 0 : count;
    }

    void close() {
        closed = true;
    }
}
