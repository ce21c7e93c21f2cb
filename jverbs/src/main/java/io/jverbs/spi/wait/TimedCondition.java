package io.jverbs.spi.wait;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A condition of a lock for waits that usually end long before their time is over, such as those for an event. The JDK
 * sets a timer for each timed wait of a virtual thread and cancels it afterwards, which wakes another thread and takes
 * longer than the exchange of a message. Here all conditions share the {@link SharedTimer}, which looks at the time
 * only when the earliest of the waits could be over.
 *
 * <p>
 * All methods must be called with the lock held; otherwise they throw {@link IllegalMonitorStateException}.
 */
public final class TimedCondition {
    /** A shorter wait sets a timer of its own. */
    private static final long MIN_SHARED_NANOS = 10_000_000;
    /** The longest wait until the thread looks at the time again, so that differences of times do not overflow. */
    static final long MAX_SHARED_NANOS = 86_400_000_000_000L;

    private final ReentrantLock lock;
    private final Condition condition;
    // the lock guards the fields below
    /** How many threads wait without a timer of their own. */
    private int sharing;
    /** When the shared timer wakes them: not later than the time of any of them is over. */
    private long deadline;
    /** Whether the shared timer has this condition in its list. */
    private boolean watched;

    /**
     * Creates a condition.
     *
     * @param lock the lock
     */
    public TimedCondition(ReentrantLock lock) {
        this.lock = lock;
        this.condition = lock.newCondition();
    }

    /**
     * Waits until another thread signals, or the time is over. May return earlier for no reason, as
     * {@link Condition#awaitNanos} may.
     *
     * @param nanos how long to wait, in nanoseconds; {@link Long#MAX_VALUE} for no limit
     * @return the time left, not positive if the time is over
     * @throws InterruptedException if the thread is interrupted
     */
    public long awaitNanos(long nanos) throws InterruptedException {
        if (nanos == Long.MAX_VALUE) {
            condition.await();
            return nanos;
        }
        if (nanos < MIN_SHARED_NANOS || !Thread.currentThread().isVirtual()) {
            return condition.awaitNanos(nanos);
        }
        long start = System.nanoTime();
        watch(start + Math.min(nanos, MAX_SHARED_NANOS));
        sharing++;
        try {
            condition.await();
        } finally {
            sharing--;
        }
        return nanos - (System.nanoTime() - start);
    }

    /** Waits until another thread signals, and ignores interrupts. */
    public void awaitUninterruptibly() {
        condition.awaitUninterruptibly();
    }

    /** Wakes one thread that waits. */
    public void signal() {
        condition.signal();
    }

    /** Wakes all threads that wait. */
    public void signalAll() {
        condition.signalAll();
    }

    /** Makes the shared timer wake the threads not later than at a time. */
    private void watch(long end) {
        assert lock.isHeldByCurrentThread();
        if (!watched) {
            deadline = end;
            SharedTimer.add(this, end);
            watched = true;
        } else if (end - deadline < 0) {
            // first, so that a later wait does it if this fails
            SharedTimer.expireAt(end);
            deadline = end;
        }
    }

    /**
     * Wakes the threads whose time is over, together with the others, which wait again. Called by the shared timer.
     *
     * @param now the time
     * @return the time until the next call, at least 1; {@link SharedTimer#NO_WAITS} if no thread waits, after which
     *         the next one that does adds this condition again
     */
    long expire(long now) {
        lock.lock();
        try {
            if (sharing == 0) {
                watched = false;
                return SharedTimer.NO_WAITS;
            }
            if (deadline - now <= 0) {
                condition.signalAll();
                deadline = now + MAX_SHARED_NANOS;
            }
            return deadline - now;
        } finally {
            lock.unlock();
        }
    }
}
