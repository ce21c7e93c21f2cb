package io.jverbs.soft.fabric;

import io.jverbs.soft.queue.ProcessorYield;
import io.jverbs.spi.wait.TimedCondition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A queue of events that the program has not retrieved yet, and the threads that wait for them. It is guarded by its
 * own lock, which is taken with no other lock of a queue pair held. Waiting threads park, so virtual threads may wait.
 * Subclasses keep the events.
 *
 * @param <E> the type of the events
 */
public abstract class WaitQueue<E> {
    /** How often a virtual thread lets other threads have the processor before it parks for the lock. */
    private static final int YIELDS_OF_VIRTUAL_THREADS = 1000;

    private final ReentrantLock lock = new ReentrantLock();
    private final TimedCondition arrived = new TimedCondition(lock);
    private boolean woken;
    private boolean closed;
    /** The latest external waiter; null if there was none. */
    private volatile ExternalWaiter externalWaiter;
    /** Whether that thread must be woken when the lock has been released. */
    private volatile boolean wakeDue;
    /** How many events were added for that thread, which takes only one of them. */
    private int signalsLeft;

    /** A thread that waits for an event without this queue's lock, such as in a poller of sockets. */
    public interface ExternalWaiter {
        /**
         * {@return whether the thread waits for an event of a queue at this moment}
         *
         * @param queue the queue
         */
        boolean waitsFor(WaitQueue<?> queue);

        /** Wakes the thread. Called with no lock of a queue held, by the thread that has added an event. */
        void wake();
    }

    /** Creates an empty queue. */
    protected WaitQueue() {}

    /** {@return whether the queue has no event} The lock is held. */
    protected abstract boolean isEmpty();

    /** {@return the first event, which is removed; null if there is none} The lock is held. */
    protected abstract E take();

    /** Discards all events. The lock is held. */
    protected abstract void clear();

    /**
     * Takes the lock. The caller may have begun deferred work, such as to add an event, which nobody else can perform
     * then. A virtual thread is therefore not unmounted at once if another thread holds the lock.
     */
    protected final void lock() {
        if (!lock.tryLock()) {
            yieldThenLock();
        }
    }

    private void yieldThenLock() {
        if (Thread.currentThread().isVirtual()) {
            long start = System.nanoTime();
            for (int i = 0; i < YIELDS_OF_VIRTUAL_THREADS && ProcessorYield.yieldProcessor(); i++) {
                if (lock.tryLock()) {
                    return;
                }
                if (System.nanoTime() - start > ProcessorYield.MAX_NANOS) {
                    break;
                }
            }
        }
        lock.lock();
    }

    /** Releases the lock. */
    protected final void unlock() {
        lock.unlock();
    }

    /**
     * Wakes the external waiter, if {@link #signal} was called for it. Called after {@link #unlock}: the
     * thread may need a lock of the device to wake. The call can be repeated after an Error. If an Error keeps a thread
     * from calling this, the other one finds the event when its time is over.
     */
    public final void wakeExternalWaiter() {
        ExternalWaiter waiter = externalWaiter;
        if (wakeDue && waiter != null) {
            // wakeDue stays, because another thread that relied on this call could have to wait for this thread to run
            waiter.wake();
        }
    }

    /** {@return whether the calling thread holds the lock} For assertions alone. */
    protected final boolean isLocked() {
        return lock.isHeldByCurrentThread();
    }

    /** Wakes a thread that waits, because an event was added. The lock is held. */
    protected final void signal() {
        assert isLocked();
        ExternalWaiter waiter = externalWaiter;
        if (waiter != null && waiter.waitsFor(this)) {
            wakeDue = true;
            signalsLeft++;
        } else {
            arrived.signal();
        }
    }

    /** {@return whether the queue is closed} The lock is held. */
    protected final boolean isClosed() {
        assert isLocked();
        return closed;
    }

    /**
     * Waits for an event and removes it from the queue.
     *
     * @param nanos how long to wait at most; 0 returns immediately
     * @return the event; null on timeout, if the queue is closed, or if {@link #wake} was called
     * @throws InterruptedException if the thread is interrupted
     */
    public final E await(long nanos) throws InterruptedException {
        return await(nanos, true);
    }

    /**
     * Waits as {@link #await} does, but a {@link #wake} that made it return stays pending.
     *
     * @param nanos how long to wait at most; 0 returns immediately
     * @return the event; null on timeout, if the queue is closed, or if {@link #wake} was called
     * @throws InterruptedException if the thread is interrupted
     */
    public final E awaitKeepingWake(long nanos) throws InterruptedException {
        return await(nanos, false);
    }

    private E await(long nanos, boolean consumesWake) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            E event = park(nanos, true);
            woken &= !consumesWake;
            return event;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until there is an event to take, the queue is closed, or {@link #wake} was called.
     *
     * @param nanos how long to wait at most
     * @throws InterruptedException if the thread is interrupted
     */
    public final void awaitReady(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            park(nanos, false);
        } finally {
            lock.unlock();
        }
    }

    /** Waits, and takes an event if it shall. If this fails, another thread is woken: a signal may be used up. */
    private E park(long nanos, boolean takes) throws InterruptedException {
        assert isLocked();
        boolean isDone = false;
        try {
            long left = nanos;
            while (mustWait() && left > 0) {
                left = arrived.awaitNanos(left);
            }
            E event = takes ? take() : null;
            isDone = true;
            return event;
        } finally {
            if (!isDone) {
                arrived.signal();
            }
        }
    }

    private boolean mustWait() {
        return isEmpty() && !closed && !woken;
    }

    /** {@return whether a wait must end: the queue is closed, or {@link #wake} was called, which is used up} */
    public final boolean takeWake() {
        lock.lock();
        try {
            boolean result = closed || woken;
            woken = false;
            return result;
        } finally {
            lock.unlock();
        }
    }

    /** Makes one waiting thread, or the next one that waits, return null. */
    public final void wake() {
        lock();
        try {
            woken = true;
            signal();
        } finally {
            unlock();
        }
        wakeExternalWaiter();
    }

    /**
     * Notes that the calling thread is the external waiter. While {@link ExternalWaiter#waitsFor} says so, it is woken
     * when an event is added, and when the queue is closed or {@link #wake} is called. It takes the event with
     * {@link #await}, which does not park with a time of 0.
     *
     * @param thread the thread
     */
    public final void beginExternalWait(ExternalWaiter thread) {
        externalWaiter = thread;
    }

    /** Wakes other threads for the events that the calling thread, the external waiter until now, will not take. */
    public final void endExternalWait() {
        lock();
        try {
            wakeDue = false;
            // the calling thread takes one of the events
            for (; signalsLeft > 1; signalsLeft--) {
                arrived.signal();
            }
            signalsLeft = 0;
        } finally {
            unlock();
        }
    }

    /** Wakes the other threads that wait, because this one ends its wait early and may have used up their signals. */
    public final void passOn() {
        lock();
        try {
            if (!isEmpty() || woken) {
                arrived.signalAll();
                // for a thread that has become the external waiter
                signal();
            }
        } finally {
            unlock();
        }
        wakeExternalWaiter();
    }

    /** {@return whether a thread need not wait: there is an event, the queue is closed, or {@link #wake} was called} */
    public final boolean isReady() {
        lock();
        try {
            return !mustWait();
        } finally {
            unlock();
        }
    }

    /** Discards all events and makes all waiting threads return null. */
    public void close() {
        lock();
        try {
            closed = true;
            clear();
            arrived.signalAll();
            wakeDue = externalWaiter != null;
        } finally {
            unlock();
        }
        wakeExternalWaiter();
    }
}
