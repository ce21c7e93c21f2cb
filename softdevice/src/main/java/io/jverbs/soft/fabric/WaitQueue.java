package io.jverbs.soft.fabric;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A queue of events that the program has not retrieved yet, and the threads that wait for them. It is guarded by its
 * own lock, which is taken with no other lock of a queue pair held. Waiting threads park, so virtual threads may wait.
 * Subclasses keep the events.
 *
 * @param <E> the type of the events
 */
public abstract class WaitQueue<E> {
    /** The longest time a waiting thread parks before it checks again whether the network has work due. */
    private static final long PROGRESS_INTERVAL_NANOS = 1_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private boolean woken;
    private boolean closed;

    /** Creates an empty queue. */
    protected WaitQueue() {}

    /** {@return whether the queue has no event} The lock is held. */
    protected abstract boolean isEmpty();

    /** {@return the first event, which is removed; null if there is none} The lock is held. */
    protected abstract E take();

    /** Discards all events. The lock is held. */
    protected abstract void clear();

    /** Takes the lock. */
    protected final void lock() {
        lock.lock();
    }

    /** Releases the lock. */
    protected final void unlock() {
        lock.unlock();
    }

    /** {@return whether the calling thread holds the lock} For assertions alone. */
    protected final boolean isLocked() {
        return lock.isHeldByCurrentThread();
    }

    /** Wakes a thread that waits, because an event was added. The lock is held. */
    protected final void signal() {
        assert isLocked();
        arrived.signal();
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

    /** Waits; {@code consumesWake} tells whether a pending {@link #wake} is used up. */
    private E await(long nanos, boolean consumesWake) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (isEmpty() && !closed && !woken && left > 0) {
                left = arrived.awaitNanos(left);
            }
            woken &= !consumesWake;
            return take();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits as {@link #await(long)}, and drives the network meanwhile. The wait times out when {@code nanos} have
     * passed both in real time, during which other threads may act, and by the network's clock.
     *
     * @param nanos how long to wait at most; 0 performs at most one step of the network and returns
     * @param progress the network's work that waiting threads perform
     * @return the event; null on timeout, if the queue is closed, or if {@link #wake} was called
     * @throws InterruptedException if the thread is interrupted
     */
    public final E await(long nanos, Fabric.Progress progress) throws InterruptedException {
        long start = System.nanoTime();
        long deadline = progress.deadline(nanos);
        E event = await(0, false);
        if (nanos == 0 && event == null) {
            // like a poll of an empty completion queue
            progress.step(Long.MAX_VALUE);
            return await(0);
        }
        while (event == null && !mustReturn()) {
            long left = nanos - (System.nanoTime() - start);
            if (progress.step(deadline)) {
                event = await(0, false);
            } else if (left > 0) {
                // another thread may be about to post or send
                event = await(Math.min(left, PROGRESS_INTERVAL_NANOS), false);
            } else if (progress.elapsed(deadline)) {
                return await(0);
            }
        }
        return event;
    }

    /** Returns whether the wait must end: the queue is closed, or {@link #wake} was called, which is used up. */
    private boolean mustReturn() {
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
        lock.lock();
        try {
            woken = true;
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Discards all events and makes all waiting threads return null. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            clear();
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
