package io.jverbs.fault;

import io.jverbs.AsyncEventType;
import io.jverbs.spi.ContextOps;
import io.jverbs.spi.ContextOps.Async;
import io.jverbs.spi.ProviderDevice;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** Asynchronous events: the device's and those that were raised in its name. */
final class AsyncDesk {
    private static final int PORT = 1;

    private final ProviderDevice device;
    private final ContextOps inner;
    private final ReentrantLock lock;
    private final Deque<Async> raised = new ArrayDeque<>();
    /** How many raised events of each object the program has. */
    private final Map<Object, Integer> retrieved = new IdentityHashMap<>();
    private int waiters;
    private volatile boolean closed;

    AsyncDesk(ProviderDevice device, ContextOps inner, ReentrantLock lock) {
        this.device = device;
        this.inner = inner;
        this.lock = lock;
    }

    static boolean needsSrq(AsyncEventType event) {
        return switch (event) {
            case SRQ_ERR, SRQ_LIMIT_REACHED, QP_LAST_WQE_REACHED -> true;
            default -> false;
        };
    }

    /** Raises an event of what a queue pair leads to. The lock is held. */
    void raise(AsyncEventType event, TrackedQp qp) {
        switch (event) {
            case QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR, COMM_EST, SQ_DRAINED, PATH_MIG, PATH_MIG_ERR,
                    QP_LAST_WQE_REACHED ->
                raised.add(new Async(event.code(), qp.owner(), 0));
            case CQ_ERR -> raised.add(new Async(event.code(), qp.sendCq().owner(), 0));
            case SRQ_ERR, SRQ_LIMIT_REACHED -> raised.add(new Async(event.code(), qp.srqOwner(), 0));
            case PORT_ACTIVE, PORT_ERR, LID_CHANGE, PKEY_CHANGE, SM_CHANGE, CLIENT_REREGISTER, GID_CHANGE,
                    DEVICE_SPEED_CHANGE ->
                raised.add(new Async(event.code(), null, PORT));
            case DEVICE_FATAL -> raised.add(new Async(event.code(), null, 0));
            case WQ_FATAL, UNKNOWN -> throw new AssertionError(event + " is refused when the rule is made");
        }
        wake();
    }

    /** As {@link ContextOps#awaitAsync}. */
    Async await(long nanos) throws InterruptedException {
        Patience patience = new Patience(device, nanos);
        waiters(1);
        try {
            Async event = take();
            boolean looked = false;
            while (event == null && !closed && !(looked && patience.isOver())) {
                event = inner.awaitAsync(patience.begin(Long.MAX_VALUE));
                patience.end(event == null);
                looked = true;
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
                // who still waits looks after what this one would have
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
            Async event = raised.poll();
            if (event != null && event.owner() != null) {
                retrieved.merge(event.owner(), 1, Integer::sum);
            }
            return event;
        } finally {
            lock.unlock();
        }
    }

    /** Discards the events of an object that is gone; returns how many the program has. The lock is held. */
    int forget(Object owner) {
        raised.removeIf(event -> event.owner() == owner);
        Integer count = retrieved.remove(owner);
        return count == null ? 0 : count;
    }

    void close() {
        closed = true;
    }
}
