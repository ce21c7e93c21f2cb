package io.jverbs.fault;

import io.jverbs.spi.Handle;

/** What is known of a queue pair. Guarded by the context's lock, but for what never changes. */
final class TrackedQp {
    private final Handle.Qp handle;
    private final Object owner;
    private final int number;
    private final int created;
    private final TrackedCq sendCq;
    private final TrackedCq recvCq;
    private final Object srqOwner;
    private final boolean signalAll;
    private RequestLog sends = new RequestLog();
    private RequestLog receives = new RequestLog();
    private boolean failed;

    /**
     * @param created its place in the order of creation, from 1
     * @param srqOwner what the API calls its shared receive queue, null if it has none
     */
    TrackedQp(Handle.Qp handle, Object owner, int created, TrackedCq sendCq, TrackedCq recvCq, Object srqOwner,
            boolean signalAll) {
        this.handle = handle;
        this.owner = owner;
        this.number = handle.number();
        this.created = created;
        this.sendCq = sendCq;
        this.recvCq = recvCq;
        this.srqOwner = srqOwner;
        this.signalAll = signalAll;
    }

    Handle.Qp handle() {
        return handle;
    }

    Object owner() {
        return owner;
    }

    int number() {
        return number;
    }

    int created() {
        return created;
    }

    TrackedCq sendCq() {
        return sendCq;
    }

    TrackedCq recvCq() {
        return recvCq;
    }

    Object srqOwner() {
        return srqOwner;
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

    /** Whether a completion of it was made an error: the device's word about it counts no more until it is reset. */
    boolean failed() {
        return failed;
    }

    /** How many more send requests it takes, as far as this layer is concerned. */
    int sendRoom() {
        return room(sends, handle.capabilities().maxSendWr());
    }

    /** How many more receive requests it takes, as far as this layer is concerned. */
    int receiveRoom() {
        return room(receives, handle.capabilities().maxRecvWr());
    }

    private int room(RequestLog log, int capacity) {
        // the device gets none of those that are posted to one that failed
        return failed ? Math.min(capacity, log.room(capacity)) : log.room(capacity);
    }

    /** Notes the flush of a request. */
    void flushed(long wrId, boolean receive) {
        TrackedCq cq = receive ? recvCq : sendCq;
        cq.pending().addFlushed(wrId, receive, number, receive ? receives : sends);
        cq.pendingChanged();
    }

    void fail() {
        failed = true;
    }

    /** Forgets what was posted, as a reset does. */
    void reset() {
        failed = false;
        sends = new RequestLog();
        receives = new RequestLog();
    }
}
