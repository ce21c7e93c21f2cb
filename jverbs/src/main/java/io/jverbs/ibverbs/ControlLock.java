package io.jverbs.ibverbs;

import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * Keeps a native object from being destroyed while control path calls use it: libibverbs would read freed memory. Any
 * number of calls may use an object at the same time; its destruction waits for them. A thread that destroys an object
 * takes no further lock of an object, so calls may use several. The data path takes no lock. Thread-safe.
 */
final class ControlLock {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    /** Whether the object is destroyed; guarded by the lock. */
    private boolean destroyed;

    /** Begins a call that uses the object; {@link #leave} ends it. Throws IllegalStateException after destruction. */
    void enter() {
        lock.readLock().lock();
        if (destroyed) {
            lock.readLock().unlock();
            throw closed();
        }
    }

    /** Ends a call that {@link #enter} began. */
    void leave() {
        lock.readLock().unlock();
    }

    /**
     * Destroys the object when no call uses it. If the destruction throws, the object is not destroyed.
     *
     * @throws IllegalStateException if the object is destroyed already
     */
    <T> T destroy(Supplier<T> destruction) {
        lock.writeLock().lock();
        try {
            if (destroyed) {
                throw closed();
            }
            T result = destruction.get();
            destroyed = true;
            return result;
        } finally {
            lock.writeLock().unlock();
        }
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("another thread has closed the object");
    }
}
