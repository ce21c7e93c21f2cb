package io.jverbs.ibverbs;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A file descriptor from which threads wait for and read events. Reading never blocks in the kernel. The lock guards
 * all fields and is held while an event is read, so {@link #close} returns only after the last read. No thread holds it
 * while it waits for the kernel. Any thread may call any method.
 */
final class EventSource {
    private final int fd;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ready = lock.newCondition();
    private long timesReadable;
    /** Whether the next wait, or one that is in progress, shall return without an event. */
    private boolean woken;
    private boolean closed;

    EventSource(int fd) {
        this.fd = fd;
    }

    int fd() {
        return fd;
    }

    /** Reads one event without blocking. */
    interface Reader<T> {
        /** {@return the event, or null if there is none} */
        T read();
    }

    /**
     * Reads an event, and waits for one if there is none.
     *
     * @return the event; null if the time has passed, the source was closed, or {@link #wake} was called
     */
    <T> T await(EventPoller poller, Reader<T> reader, long nanos) throws InterruptedException {
        long left = nanos;
        lock.lockInterruptibly();
        try {
            while (!closed) {
                T event = reader.read();
                if (event != null || left <= 0 || woken) {
                    woken = false;
                    return event;
                }
                left = awaitReadable(poller, left);
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until the poller finds the descriptor readable. The caller holds the lock, which is released during the
     * wait. Returns the time left.
     */
    private long awaitReadable(EventPoller poller, long nanos) throws InterruptedException {
        long seen = timesReadable;
        poller.watch(this);
        long left = nanos;
        while (timesReadable == seen && !closed && !woken && left > 0) {
            left = ready.awaitNanos(left);
        }
        // If the descriptor became readable just as the time ran out, the caller must read once more.
        return timesReadable != seen ? Math.max(left, 1) : left;
    }

    /** Wakes all threads that wait: there may be an event to read. */
    void readable() {
        lock.lock();
        try {
            timesReadable++;
            ready.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Makes one thread that waits return null; if none waits, the next wait returns null. */
    void wake() {
        lock.lock();
        try {
            woken = true;
            ready.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends all waits and prevents further reads; returns after the last read. */
    void close() {
        lock.lock();
        try {
            closed = true;
            ready.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
