package io.jverbs.rsocket.protocol;

/**
 * The part of the send queue that is kept for what needs no credit of the peer: SGL messages and keep-alives, of which
 * at most {@link #ENTRIES} are posted at a time, as in librdmacm; and SHUTDOWN and DISCONNECT, which a stream sends at
 * most once each. These two have entries of their own, so they never wait. The lock of the completion queue guards it.
 */
public final class ControlQueue {
    /** The number of SGL messages and keep-alives. */
    public static final int ENTRIES = 4;
    /** The number of requests, with SHUTDOWN and DISCONNECT. */
    public static final int REQUESTS = ENTRIES + 2;

    private int posted;
    private int next;

    /** Creates an empty queue. */
    public ControlQueue() {
        // nothing else to initialize
    }

    /** {@return whether another SGL message or keep-alive can be posted} */
    public boolean isFree() {
        return posted < ENTRIES;
    }

    /** {@return the index of the next request, 0 to {@link #ENTRIES} - 1, which no other posted one has} */
    public int next() {
        return next;
    }

    /** Notes that the next request was posted. */
    public void take() {
        next = (next + 1) % ENTRIES;
        posted++;
    }

    /** Notes that the oldest request has completed. */
    public void completed() {
        posted--;
    }
}
