package io.jverbs.soft.queue;

/** A critical section whose end another thread can wait for without taking the lock that guards it. */
public interface Guarded {
    /** Waits until the present holder of the lock has released it once; returns at once if the lock is free. */
    void awaitRelease();

    /**
     * {@return whether the calling thread holds the lock} For assertions alone: false if assertions are disabled.
     */
    boolean isHeldByCurrentThread();
}
