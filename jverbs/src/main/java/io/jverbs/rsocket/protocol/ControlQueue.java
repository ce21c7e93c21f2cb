package io.jverbs.rsocket.protocol;

/**
 * The part of the send queue that is kept for control and SGL messages and keep-alives, which need no credit of the
 * peer: at most {@link #ENTRIES} are posted at a time, as in librdmacm. The lock of the completion queue guards it.
 */
public final class ControlQueue {
    /** The number of requests. */
    public static final int ENTRIES = 4;

    private int posted;
    private int next;

    /** Creates an empty queue. */
    public ControlQueue() {
        // nothing else to initialize
    }

    /** {@return whether another request can be posted} */
    public boolean isFree() {
        return posted < ENTRIES;
    }

    /**
     * Takes a request.
     *
     * @return its index, 0 to {@link #ENTRIES} - 1, which no other posted one has
     */
    public int take() {
        int index = next;
        next = (next + 1) % ENTRIES;
        posted++;
        return index;
    }

    /** Notes that the oldest request has completed. */
    public void completed() {
        posted--;
    }
}
