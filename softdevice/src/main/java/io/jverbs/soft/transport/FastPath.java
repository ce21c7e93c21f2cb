package io.jverbs.soft.transport;

import io.jverbs.SendWorkRequest;

/** Executes simple requests when they are posted, without the send queue. */
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
     * {@return whether {@link #executeNow} may succeed} Reads what that method reads first: the cache misses overlap
     * here, while those after the lock's compare-and-set would follow those before it. The caller need not hold the
     * lock, so the result is a hint.
     */
    boolean isReady();

    /**
     * Executes and completes a request. The send queue is empty and has room. The requester's lock is held.
     *
     * @param request the request
     * @return false, with nothing changed, if the request must be queued
     */
    boolean executeNow(SendWorkRequest request);
}
