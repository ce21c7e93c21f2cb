package io.jverbs.soft.transport;

import io.jverbs.SendWorkRequest;

/** Executes simple requests when they are posted, without the send queue. Guarded by the requester's lock. */
public abstract class FastPath {
    /** Executes nothing: every request is queued. */
    public static final FastPath NONE = new FastPath() {
        @Override
        public boolean execute(SendWorkRequest request) {
            return false;
        }
    };

    /**
     * Executes and completes a request. The send queue is empty and has room.
     *
     * @param request the request
     * @return false, with nothing changed, if the request must be queued
     */
    public abstract boolean execute(SendWorkRequest request);
}
