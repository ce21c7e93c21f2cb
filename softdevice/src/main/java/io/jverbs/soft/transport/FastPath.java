package io.jverbs.soft.transport;

import io.jverbs.SendWorkRequest;

/**
 * Executes simple requests when they are posted, without the send queue. Guarded by the requester's lock, except for
 * {@link #isReady}.
 */
public interface FastPath {
    /** Executes nothing: every request is queued. */
    FastPath NONE = new FastPath() {
        @Override
        public boolean isReady() {
            return false;
        }

        @Override
        public boolean executeNow(SendWorkRequest request) {
            return false;
        }
    };

    /**
     * {@return whether {@link #executeNow} may succeed} The caller need not hold the lock, so the result is a hint:
     * {@link #executeNow} checks all of it again; if it is false, the request is queued. The method reads the fields
     * that {@link #executeNow} reads first. Before the lock is taken, the processor waits for several such cache misses
     * at the same time; the compare-and-set of the lock orders reads, so that a miss after it is waited for separately.
     */
    boolean isReady();

    /**
     * Executes and completes a request. The send queue is empty and has room.
     *
     * @param request the request
     * @return false, with nothing changed, if the request must be queued
     */
    boolean executeNow(SendWorkRequest request);
}
