package io.jverbs.soft.memory;

import io.jverbs.soft.queue.Guarded;

/**
 * One half of a queue pair as a user of keys. A {@link KeyEntry} records the users that have found it, so that the end
 * of a registration waits for their locks and for no others. Entries may refer to a user after its half was destroyed;
 * the user refers to nothing then.
 */
public final class KeyUser {
    /** The lock under which the half looks keys up and uses memory; null once the half is gone. */
    private volatile Guarded guard;

    /**
     * Sets the lock under which keys are looked up. Called before the first lookup.
     *
     * @param lock the lock, or the object that knows the present lock of the half
     */
    public void guardedBy(Guarded lock) {
        guard = lock;
    }

    /** Marks the half as destroyed: it looks up no key any more and accesses no memory. */
    public void leave() {
        guard = null;
    }

    boolean isGone() {
        return guard == null;
    }

    /** Whether the calling thread holds the lock of the half; for assertions alone. */
    boolean isLocked() {
        Guarded present = guard;
        return present != null && present.isHeldByCurrentThread();
    }

    /** Waits until the present holder of the lock has released it once; returns at once if the half is gone. */
    void awaitRelease() {
        Guarded present = guard;
        if (present != null) {
            present.awaitRelease();
        }
    }
}
