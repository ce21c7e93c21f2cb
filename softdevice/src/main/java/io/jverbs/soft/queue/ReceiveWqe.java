package io.jverbs.soft.queue;

/** A receive request as its consumer holds it: a copy that outlives its place in the ring. */
public final class ReceiveWqe {
    /** Names the request in its completion. */
    public long wrId;
    /** How many elements count. */
    public int sgeCount;
    /** Two words an element, as in {@code ibv_sge}: the address; length and key. */
    public final long[] elements;

    /**
     * @param maxSge how many elements can occur
     */
    public ReceiveWqe(int maxSge) {
        elements = new long[2 * maxSge];
    }
}
