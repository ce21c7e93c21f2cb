package io.jverbs.soft.device;

import io.jverbs.soft.fabric.Fabric;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A queue of events that the program has not retrieved yet, and the threads that wait for them. It is guarded by its
 * own lock, which is taken with no other lock held. Waiting threads park, so virtual threads may wait.
 *
 * <p>
 * The events are linked to each other, each event at most once, and the queue allocates nothing. Its length is bounded
 * by the number of objects times the event types of an object, even if the program never retrieves an event. Adding
 * and removing an event take constant time.
 */
final class EventQueue {
    /** The longest time a waiting thread parks before it checks again whether the network has work due. */
    private static final long PROGRESS_INTERVAL_NANOS = 1_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private PendingEvent first;
    private PendingEvent last;
    private boolean woken;
    private boolean closed;

    /** Adds an event, unless the queue is closed or the event's owner is destroyed. */
    void add(PendingEvent event) {
        lock.lock();
        try {
            EventForwarder owner = event.owner();
            if (!closed && (owner == null || !owner.isDestroyed())) {
                enqueue(event);
                arrived.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private void enqueue(PendingEvent event) {
        switch (event.repeat) {
            case COUNT -> event.times = Math.max(event.times + 1, event.times);
            case KEEP_POSITION -> event.times = 1;
            case MOVE_TO_END -> {
                event.times = 1;
                unlink(event);
            }
        }
        link(event);
    }

    /** Appends an event, unless it is queued already. */
    private void link(PendingEvent event) {
        if (event.isQueued) {
            return;
        }
        event.isQueued = true;
        event.before = last;
        if (last == null) {
            first = event;
        } else {
            last.after = event;
        }
        last = event;
    }

    private void unlink(PendingEvent event) {
        if (!event.isQueued) {
            return;
        }
        event.isQueued = false;
        if (event.before == null) {
            first = event.after;
        } else {
            event.before.after = event.after;
        }
        if (event.after == null) {
            last = event.before;
        } else {
            event.after.before = event.before;
        }
        event.before = null;
        event.after = null;
    }

    /**
     * Removes and returns the first event, null if the queue is empty. An event that occurred several times is appended
     * again for the remaining occurrences.
     */
    private PendingEvent take() {
        PendingEvent event = first;
        if (event != null) {
            unlink(event);
            event.retrieved++;
            if (--event.times > 0) {
                link(event);
            }
        }
        return event;
    }

    /**
     * Waits for an event and removes it from the queue.
     *
     * @param nanos how long to wait at most; 0 returns immediately
     * @return the event; null on timeout, if the queue is closed, or if {@link #wake} was called
     */
    PendingEvent await(long nanos) throws InterruptedException {
        return await(nanos, true);
    }

    /** Waits; {@code consumesWake} tells whether a pending {@link #wake} is used up. */
    private PendingEvent await(long nanos, boolean consumesWake) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (first == null && !closed && !woken && left > 0) {
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
     */
    PendingEvent await(long nanos, Fabric.Progress progress) throws InterruptedException {
        long start = System.nanoTime();
        long deadline = progress.deadline(nanos);
        PendingEvent event = await(0, false);
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
    void wake() {
        lock.lock();
        try {
            woken = true;
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Discards an event whose owner is destroyed; returns how many times it has been retrieved. */
    int forget(PendingEvent event) {
        lock.lock();
        try {
            unlink(event);
            event.times = 0;
            return event.retrieved;
        } finally {
            lock.unlock();
        }
    }

    /** Discards all events and makes all waiting threads return null. */
    void close() {
        lock.lock();
        try {
            closed = true;
            while (first != null) {
                unlink(first);
            }
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
