package io.jverbs.fault;

import io.jverbs.spi.Handle;

/**
 * The state that fault injection tracks for a queue pair. Guarded by the lock of the context, except for final fields
 * and {@link #created}.
 */
final class TrackedQp extends AsyncEventFilter.Source {
    /** Why a send request is refused for which the device has room. */
    static final String SEND_QUEUE_FULL = "the send queue is full: requests whose completions fault injection holds or"
            + " delays occupy it";

    private final Handle.Qp handle;
    private final int number;
    /** Volatile, because it is read for each packet without the lock. */
    private volatile int created;
    private final TrackedCq sendCq;
    private final TrackedCq recvCq;
    private final AsyncEventFilter.Source srq;
    private final boolean signalAll;
    private RequestLog sends = new RequestLog();
    private RequestLog receives = new RequestLog();
    private boolean failed;
    /** The next of the queue pairs that {@link CompletionFilter} has yet to flush; null for none. */
    private TrackedQp nextToFlush;

    /**
     * Starts without requests.
     *
     * @param srq its shared receive queue, null if it has none
     */
    TrackedQp(Handle.Qp handle, Object owner, TrackedCq sendCq, TrackedCq recvCq, AsyncEventFilter.Source srq,
            boolean signalAll) {
        super(owner);
        this.handle = handle;
        this.number = handle.number();
        this.sendCq = sendCq;
        this.recvCq = recvCq;
        this.srq = srq;
        this.signalAll = signalAll;
    }

    Handle.Qp handle() {
        return handle;
    }

    int number() {
        return number;
    }

    /** Its position in the order of creation, from 1; 0 while it is being created. */
    int created() {
        return created;
    }

    /** Sets its position in the order of creation. */
    void created(int position) {
        created = position;
    }

    TrackedCq sendCq() {
        return sendCq;
    }

    TrackedCq recvCq() {
        return recvCq;
    }

    AsyncEventFilter.Source srq() {
        return srq;
    }

    boolean signalAll() {
        return signalAll;
    }

    RequestLog sends() {
        return sends;
    }

    RequestLog receives() {
        return receives;
    }

    /** Whether it got an injected error. Until its reset, completions in error from the device are then ignored. */
    boolean failed() {
        return failed;
    }

    /** How many more send requests this layer lets it accept. */
    int sendRoom() {
        return room(sends, handle.capabilities().maxSendWr());
    }

    /** How many more receive requests this layer lets it accept. */
    int receiveRoom() {
        return room(receives, handle.capabilities().maxRecvWr());
    }

    private int room(RequestLog log, int capacity) {
        // after an injected error, requests are not posted to the device, so this layer enforces the capacity
        return failed ? Math.min(capacity, log.room(capacity)) : log.room(capacity);
    }

    /** Replaces the oldest request of a queue by its flush completion. */
    void flushOldest(boolean receive) {
        RequestLog log = receive ? receives : sends;
        TrackedCq cq = receive ? recvCq : sendCq;
        cq.pending().addFlushed(log.oldest(), receive, number, log);
        log.takeOldest();
        cq.pendingChanged();
    }

    /** Adds the flush completion of a request. */
    void flushed(long wrId, boolean receive) {
        TrackedCq cq = receive ? recvCq : sendCq;
        cq.pending().addFlushed(wrId, receive, number, receive ? receives : sends);
        cq.pendingChanged();
    }

    void fail() {
        failed = true;
    }

    /** Sets the queue pair that is flushed after this one. */
    void nextToFlush(TrackedQp next) {
        nextToFlush = next;
    }

    /** Returns the queue pair that is flushed after this one and forgets it; null for none. */
    TrackedQp takeNextToFlush() {
        TrackedQp next = nextToFlush;
        nextToFlush = null;
        return next;
    }

    /** Removes all requests and the injected error, as a reset does. */
    void reset() {
        failed = false;
        sends = new RequestLog();
        receives = new RequestLog();
    }
}
