package io.jverbs.ibverbs.shared;

import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntSupplier;

/**
 * Keeps a native object from being destroyed while control path calls use it: libibverbs would read freed memory. Any
 * number of calls may use an object at the same time; its destruction waits for them. A thread that destroys an object
 * takes no further lock of an object, so calls may use several. The data path takes no lock. Thread-safe.
 */
public final class ControlLock {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    /** Whether the object is destroyed; guarded by the lock. */
    private boolean destroyed;

    /** Creates the lock of an object that exists. */
    public ControlLock() {
        // all fields have their values
    }

    /** Begins a call that uses the object; {@link #leave} ends it. Throws IllegalStateException after destruction. */
    public void enter() {
        lock.readLock().lock();
        if (destroyed) {
            lock.readLock().unlock();
            throw new IllegalStateException("another thread has closed the object");
        }
    }

    /** Ends a call that {@link #enter} began. */
    public void leave() {
        lock.readLock().unlock();
    }

    /**
     * Destroys the object when no call uses it. Has no effect if the object is destroyed already: a caller repeats the
     * destruction if an Error prevented a step after this one.
     *
     * @param destruction calls the verb and returns 0 or the errno; nothing else that can fail comes after the verb
     * @return 0 or the errno; the object is not destroyed then
     */
    public int destroy(IntSupplier destruction) {
        lock.writeLock().lock();
        try {
            if (destroyed) {
                return 0;
            }
            int errno = destruction.getAsInt();
            destroyed = errno == 0;
            return errno;
        } finally {
            lock.writeLock().unlock();
        }
    }
}
