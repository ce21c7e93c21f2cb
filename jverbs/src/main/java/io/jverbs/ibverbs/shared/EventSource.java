package io.jverbs.ibverbs.shared;

import io.jverbs.spi.wait.TimedCondition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;

/**
 * A file descriptor from which threads wait for and read events. Reading never blocks in the kernel. The lock guards
 * all fields and is held while an event is read, so {@link #close} returns only after the last read. No thread holds it
 * while it waits for the kernel. Any thread may call any method.
 *
 * <p>
 * A platform thread first waits for the descriptor itself, unless another one does. After a short time without an
 * event, and if it is a virtual thread, it parks, and the {@link EventPoller} wakes it. So a thread that exchanges
 * messages is woken by the kernel, and one that waits for long can be interrupted and causes no work.
 */
public final class EventSource {
    /** How long a platform thread waits for the descriptor itself, in milliseconds. */
    private static final int DIRECT_MILLIS = 20;
    /** How long it does so at most before it checks whether it was interrupted. */
    private static final int SLICE_MILLIS = 1;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final int fd;
    private final ReadableWait direct;
    private final ReentrantLock lock = new ReentrantLock();
    private final TimedCondition ready = new TimedCondition(lock);
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
        this.direct = new ReadableWait(fd);
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
        int directLeft = Thread.currentThread().isVirtual() ? 0 : DIRECT_MILLIS;
        lock.lockInterruptibly();
        try {
            while (!closed) {
                T event = reader.read();
                if (event != null || left <= 0 || woken) {
                    woken = false;
                    return event;
                }
                // less than a millisecond remains for the other wait, which is not rounded
                int millis = (int) Math.min(left / NANOS_PER_MILLI, Math.min(directLeft, SLICE_MILLIS));
                if (millis > 0 && direct.isFree()) {
                    left -= awaitDirectly(millis);
                    directLeft -= millis;
                } else {
                    left = awaitReadable(poller, left);
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for the descriptor in this thread. The caller holds the lock, which is released during the wait. Returns
     * the time that has passed.
     */
    private long awaitDirectly(int millis) throws InterruptedException {
        assert lock.isHeldByCurrentThread();
        long start = System.nanoTime();
        try {
            direct.begin();
            lock.unlock();
            try {
                direct.await(millis);
            } finally {
                lock.lock();
            }
        } finally {
            direct.end();
            if (closed) {
                ready.signalAll();
            }
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return System.nanoTime() - start;
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
    public int callExclusively(IntSupplier call) {
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
            direct.wake();
            ready.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends all waits and prevents further reads; returns when no thread reads or uses the descriptor any more. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            direct.wake();
            ready.signalAll();
            while (direct.isInUse()) {
                ready.awaitUninterruptibly();
            }
            direct.close();
        } finally {
            lock.unlock();
        }
    }
}
