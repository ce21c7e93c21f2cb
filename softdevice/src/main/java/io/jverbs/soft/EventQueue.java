package io.jverbs.soft;

import io.jverbs.soft.fabric.WayOut;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Events on their way to threads that wait for them, with a count of how many of each owner's were retrieved. A leaf lock,
 * taken with no other held; waiting parks, so virtual threads may.
 *
 * @param <E> the events
 */
final class EventQueue<E> {
    /** How long a thread at the most sleeps before it looks whether there is work of the network to do. */
    private static final long LOOK_NANOS = 1_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Deque<E> events = new ArrayDeque<>();
    /** One count each, which events change and do not replace. */
    private final Map<Owner, int[]> retrieved = new IdentityHashMap<>();
    private final Function<E, Owner> ownerOf;
    private boolean woken;
    private boolean closed;

    /**
     * @param ownerOf whose event it is, null if nobody's
     */
    EventQueue(Function<E, Owner> ownerOf) {
        this.ownerOf = ownerOf;
    }

    /** Adds an event, unless its owner is gone. */
    void add(E event) {
        lock.lock();
        try {
            Owner owner = ownerOf.apply(event);
            if (!closed && (owner == null || !owner.isGone())) {
                events.add(event);
                arrived.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The next event; null when the time is over, the queue was closed, or {@link #wake} was called. */
    E await(long nanos) throws InterruptedException {
        return await(nanos, true);
    }

    private E await(long nanos, boolean isWhole) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (events.isEmpty() && !closed && !woken && left > 0) {
                left = arrived.awaitNanos(left);
            }
            woken &= !isWhole;
            E event = events.poll();
            Owner owner = event == null ? null : ownerOf.apply(event);
            if (owner != null) {
                retrieved.computeIfAbsent(owner, first -> new int[1])[0]++;
            }
            return event;
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #await(long)}; meanwhile the thread does the network's work, if there is such: the time is that of the network then. */
    E await(long nanos, WayOut.Progress progress) throws InterruptedException {
        if (progress == null) {
            return await(nanos);
        }
        long start = System.nanoTime();
        long deadline = progress.deadline(nanos);
        E event = await(0, false);
        if (nanos == 0 && event == null) {
            // as a poll of an empty completion queue
            progress.step(Long.MAX_VALUE);
            return await(0);
        }
        while (event == null && !isOver()) {
            long left = nanos - (System.nanoTime() - start);
            if (progress.step(deadline)) {
                event = await(0, false);
            } else if (left > 0) {
                // another thread may be about to do something
                event = await(Math.min(left, LOOK_NANOS), false);
            } else if (progress.elapsed(deadline)) {
                return await(0);
            }
        }
        return event;
    }

    /** Whether who waits is to go, as the queue was closed or {@link #wake} was called. */
    private boolean isOver() {
        lock.lock();
        try {
            boolean over = closed || woken;
            woken = false;
            return over;
        } finally {
            lock.unlock();
        }
    }

    /** Has one thread that waits, or the next one that will, return with nothing. */
    void wake() {
        lock.lock();
        try {
            woken = true;
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Discards the events of an owner that is gone; returns how many had been retrieved. */
    int forget(Owner owner) {
        lock.lock();
        try {
            for (Iterator<E> left = events.iterator(); left.hasNext();) {
                if (ownerOf.apply(left.next()) == owner) {
                    left.remove();
                }
            }
            int[] count = retrieved.remove(owner);
            return count == null ? 0 : count[0];
        } finally {
            lock.unlock();
        }
    }

    /** Lets everybody go who waits. */
    void close() {
        lock.lock();
        try {
            closed = true;
            events.clear();
            arrived.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
