package io.jverbs.soft.queue;

/** A receive request as its consumer holds it: a copy that outlives its place in the ring. */
public final class ReceiveWqe {
    /** Keeps it from the cache lines of what the posting side writes. */
    @SuppressWarnings("unused")
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
    /** Which request of its ring it is, or -1: a request is copied once. */
    long number = -1;
    /** Names the request in its completion. */
    public long wrId;
    /** How many elements count; a long, as an int would have its place before the padding. */
    public long sgeCount;
    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7;
    /** Two words an element, as in {@code ibv_sge}: the address; length and key. */
    public final long[] elements;

    /**
     * @param maxSge how many elements can occur
     */
    public ReceiveWqe(int maxSge) {
        elements = new long[2 * maxSge];
    }
}
