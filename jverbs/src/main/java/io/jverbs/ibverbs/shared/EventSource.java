package io.jverbs.ibverbs.shared;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;

/**
 * A file descriptor from which threads wait for and read events. Reading never blocks in the kernel. The lock guards
 * all fields and is held while an event is read, so {@link #close} returns only after the last read. No thread holds it
 * while it waits for the kernel. Any thread may call any method.
 */
public final class EventSource {
    private final int fd;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ready = lock.newCondition();
    private long timesReadable;
    /** Whether the next wait, or one that is in progress, shall return without an event. */
    private boolean woken;
    private boolean closed;

    /**
     * Creates a source.
     *
     * @param fd a non-blocking file descriptor
     */
    public EventSource(int fd) {
        this.fd = fd;
    }

    /** {@return the file descriptor} */
    public int fd() {
        return fd;
    }

    /** {@return whether the calling thread holds the lock} For assertions alone. */
    public boolean isHeldByCurrentThread() {
        return lock.isHeldByCurrentThread();
    }

    /**
     * Reads one event without blocking.
     *
     * @param <T> the type of the event
     */
    public interface Reader<T> {
        /** {@return the event, or null if there is none} */
        T read();
    }

    /**
     * Reads an event, and waits for one if there is none.
     *
     * @param <T> the type of the event
     * @param poller the poller of the context
     * @param reader reads an event; called under the lock
     * @param nanos how long to wait; 0 does not wait
     * @return the event; null if the time has passed, the source was closed, or {@link #wake} was called
     * @throws InterruptedException if the thread is interrupted
     */
    public <T> T await(EventPoller poller, Reader<T> reader, long nanos) throws InterruptedException {
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
        assert lock.isHeldByCurrentThread();
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
    public void readable() {
        lock.lock();
        try {
            timesReadable++;
            ready.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Makes a call while no thread reads an event, also if this is closed.
     *
     * @param call returns 0 or the errno
     * @return the result of the call
     */
    public int whileNobodyReads(IntSupplier call) {
        lock.lock();
        try {
            return call.getAsInt();
        } finally {
            lock.unlock();
        }
    }

    /** Makes one thread that waits return null; if none waits, the next wait returns null. */
    public void wake() {
        lock.lock();
        try {
            woken = true;
            ready.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends all waits and prevents further reads; returns after the last read. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            ready.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
