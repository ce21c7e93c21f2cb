package io.jverbs.soft.queue;

/** What is done under a lock. */
public interface Guarded {
    /** Waits until whoever holds the lock at this moment has released it once; returns at once if nobody does. */
    void awaitRelease();
}
