package io.jverbs.nio;

import java.util.concurrent.locks.LockSupport;

/**
 * A thread that waits for a notification, which this object is. A bare permit of the thread would not do: a lock that
 * the thread waits for between the request and the wait consumes it. Thread-safe.
 */
final class NotifiedThread implements Runnable {
    private final Thread thread = Thread.currentThread();
    private volatile boolean notified;

    @Override
    public void run() {
        notified = true;
        LockSupport.unpark(thread);
    }

    /** Forgets earlier notifications, before the thread requests the next one; returns this object. */
    NotifiedThread renewed() {
        notified = false;
        return this;
    }

    /**
     * Waits until a notification, or an interrupt; may return earlier.
     *
     * @param hasLimit whether there is a deadline
     * @param deadline the time of {@link System#nanoTime}
     * @return false after the deadline
     */
    boolean await(Object blocker, boolean hasLimit, long deadline) {
        long left = deadline - System.nanoTime();
        if (hasLimit && left <= 0) {
            return false;
        }
        if (!notified) {
            if (hasLimit) {
                LockSupport.parkNanos(blocker, left);
            } else {
                LockSupport.park(blocker);
            }
        }
        return true;
    }
}
