package io.jverbs.rsocket.protocol;

/**
 * The send queue and the send buffer, a ring of bytes that posted requests refer to. Not every request is signaled: a
 * completion frees the bytes of all requests up to its own. The thread that writes posts, and the thread that polls
 * completes.
 */
public final class SendQueue {
    /** A request is signaled at the latest after this part of the requests or of the bytes. */
    private static final int PARTS = 4;

    private final int entries;
    private final int bytes;
    /** The position in the ring after each request; the requests are numbered from 0. */
    private final long[] ends;
    private final Position posted = new Position(0);
    private final Position completed = new Position(0);
    private final Position freed = new Position(0);
    private long taken;
    private int offset;
    private long signaledRequests;
    private long signaledBytes;

    /**
     * Creates a queue.
     *
     * @param entries the number of requests, at least {@link #PARTS}
     * @param bytes the size of the buffer in bytes, at least {@link #PARTS}
     */
    public SendQueue(int entries, int bytes) {
        this.entries = entries;
        this.bytes = bytes;
        this.ends = new long[entries];
    }

    /** {@return how many more requests can be posted} */
    public int freeEntries() {
        return entries - (int) (posted.get() - completed.get());
    }

    /** {@return how many bytes of the buffer are free} */
    public int freeBytes() {
        return bytes - (int) (taken - freed.get());
    }

    /** {@return where the next bytes go in the buffer} */
    public int offset() {
        return offset;
    }

    /** {@return how many bytes are free at {@link #offset} without a wrap} */
    public int contiguousBytes() {
        return Math.min(freeBytes(), bytes - offset);
    }

    /**
     * {@return whether a request has completed, or one after it}
     *
     * @param number the number of the request
     */
    public boolean isCompleted(long number) {
        return completed.get() > number;
    }

    /** {@return the number of the next request} */
    public long next() {
        return posted.get();
    }

    /**
     * Takes a request with bytes at {@link #offset}; the caller has checked that there is room for both.
     *
     * @param count the number of bytes
     * @return whether the request must be signaled
     */
    public boolean take(int count) {
        long number = posted.get();
        taken += count;
        offset = offset + count == bytes ? 0 : offset + count;
        ends[(int) (number % entries)] = taken;
        posted.set(number + 1);
        boolean isSignaled = number + 1 - signaledRequests >= entries / PARTS || taken - signaledBytes >= bytes / PARTS;
        if (isSignaled) {
            signaledRequests = number + 1;
            signaledBytes = taken;
        }
        return isSignaled;
    }

    /**
     * Frees all requests up to one that has completed.
     *
     * @param number the number of the request
     */
    public void completed(long number) {
        // with acquire: after that of its posting, the end of the request is seen
        if (number >= completed.get() && number < posted.get()) {
            freed.set(ends[(int) (number % entries)]);
            completed.set(number + 1);
        }
    }
}
