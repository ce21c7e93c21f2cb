package io.jverbs.ibverbs;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A file descriptor that threads wait on and read events from. Reading never blocks; closing waits until nobody reads.
 * Guarded by its own lock, which no thread holds while it waits for the kernel.
 */
final class EventSource {
    private final int fd;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ready = lock.newCondition();
    private long readings;
    private boolean woken;
    private boolean closed;

    EventSource(int fd) {
        this.fd = fd;
    }

    int fd() {
        return fd;
    }

    /** Reads one event, without blocking. */
    interface Reader<T> {
        /** {@return what was read, or null if there is nothing} */
        T read();
    }

    /**
     * Reads an event, waiting for one if there is none.
     *
     * @return the event; null when the time is over, the source was closed, or {@link #wake} was called
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

    /** Waits until the poller finds the descriptor readable; the lock is held, and given up meanwhile. */
    private long awaitReadable(EventPoller poller, long nanos) throws InterruptedException {
        long seen = readings;
        poller.watch(this);
        long left = nanos;
        while (readings == seen && !closed && !woken && left > 0) {
            left = ready.awaitNanos(left);
        }
        // Readable just when the time was over: look once more.
        return readings != seen ? Math.max(left, 1) : left;
    }

    /** Tells whoever waits that there may be something to read. */
    void readable() {
        lock.lock();
        try {
            readings++;
            ready.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Has one thread that waits, or the next one that will, return with nothing. */
    void wake() {
        lock.lock();
        try {
            woken = true;
            ready.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Sends the waiting threads away and lets no reader in again; returns when the last one is out. */
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
