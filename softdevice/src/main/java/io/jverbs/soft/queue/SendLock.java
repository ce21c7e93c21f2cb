package io.jverbs.soft.queue;

/**
 * The lock of a requester: its own {@link SpinLock}, or that of the responder of a peer in the same JVM.
 *
 * <p>
 * A message within the JVM needs the locks of both ends. A requester therefore replaces its own lock by that of the
 * peer's responder with the first message ({@link #share}), so that each later message acquires one lock instead of
 * two. A thread replaces the lock only while it holds the former and the new one. A thread that waited for the former
 * lock detects that it was replaced and tries again.
 *
 * <p>
 * Deadlock is excluded: a thread that holds a responder's lock does not wait for another responder's lock, and waits
 * for a requester's own lock only while that lock is not in use.
 */
public abstract class SendLock implements Guarded {
    private final SpinLock own = new SpinLock();
    /** The lock in use: its own lock or that of the peer's responder. */
    private volatile SpinLock lock = own;
    /** Whether the holder of the lock also holds its own lock and releases both; other threads may wait for that. */
    private boolean holdsOwn;

    /** Acquires the lock. It comes before the responder's lock in the lock order. */
    public final void acquire() {
        while (true) {
            SpinLock present = lock;
            present.lock();
            if (present == lock) {
                return;
            }
            present.unlock();
        }
    }

    /** Releases the lock. */
    public final void release() {
        assert isHeldByCurrentThread();
        if (holdsOwn) {
            holdsOwn = false;
            own.unlock();
        }
        lock.unlock();
    }

    /**
     * Acquires this lock and that of the queue pair's own responder. They are one lock if the queue pair is connected
     * to itself.
     *
     * @param receiving the lock of the queue pair's own responder
     */
    public final void acquireBoth(SpinLock receiving) {
        while (true) {
            acquire();
            if (lock == receiving || receiving.tryLock()) {
                return;
            }
            if (lock == own) {
                receiving.lock();
                return;
            }
            // locks of two responders have no order, so this thread must not wait for one while it holds the other
            release();
            receiving.lock();
            receiving.unlock();
        }
    }

    /**
     * Releases what {@link #acquireBoth} has acquired.
     *
     * @param receiving the lock of the queue pair's own responder
     */
    public final void releaseBoth(SpinLock receiving) {
        if (lock != receiving) {
            receiving.unlock();
        }
        release();
    }

    /**
     * Replaces the lock by a responder's, unless that one is in use already. Keys that were looked up under its
     * own lock stay valid, because that lock is released only together with the responder's. The requester's lock is
     * held.
     *
     * @param responders the lock of the peer's responder
     */
    public final void share(SpinLock responders) {
        assert isHeldByCurrentThread();
        if (lock != responders) {
            responders.lock();
            lock = responders;
            holdsOwn = true;
        }
    }

    /**
     * Replaces a responder's lock by its own lock, and releases the responder's. Keys must be looked up again. The
     * requester's lock is held.
     *
     * @return whether a responder's lock was in use
     */
    protected final boolean takeBack() {
        assert isHeldByCurrentThread();
        SpinLock former = lock;
        if (former == own) {
            return false;
        }
        if (holdsOwn) {
            holdsOwn = false;
        } else {
            own.lock();
        }
        lock = own;
        former.unlock();
        return true;
    }

    /**
     * Replaces a responder's lock by its own lock. The locks of both halves are held; they may be the same lock.
     *
     * @param receiving the lock of the queue pair's own responder, which stays held
     */
    protected final void takeBackBoth(SpinLock receiving) {
        assert isHeldByCurrentThread() && receiving.isHeldByCurrentThread();
        SpinLock former = lock;
        if (former != own) {
            own.lock();
            lock = own;
            if (former != receiving) {
                former.unlock();
            }
        }
    }

    @Override
    public final void awaitRelease() {
        lock.awaitRelease();
    }

    @Override
    public final boolean isHeldByCurrentThread() {
        return lock.isHeldByCurrentThread();
    }
}
