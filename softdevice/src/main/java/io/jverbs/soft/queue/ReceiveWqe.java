package io.jverbs.soft.queue;

/**
 * A copy of a receive request, which stays valid when the request's slot in the {@link ReceiveRing} is used again.
 * Guarded by the lock of the responder that owns it.
 */
public final class ReceiveWqe {
    /** Padding: keeps the fields off the cache lines that the posting side writes. */
    @SuppressWarnings("unused")
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
    /** The number of the request in its ring, or -1 for none. A request is copied only once. */
    long number = -1;
    /** The request's {@code wr_id}. */
    public long wrId;
    /** The number of scatter elements. A long, because the JVM would lay an int out before the padding. */
    public long sgeCount;
    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7;
    /** Two words for each scatter element, as in {@code ibv_sge}: the address; the length and the lkey. */
    public final long[] elements;

    /**
     * Makes a copy of no request.
     *
     * @param maxSge the maximum number of scatter elements
     */
    public ReceiveWqe(int maxSge) {
        elements = new long[2 * maxSge];
    }
}
