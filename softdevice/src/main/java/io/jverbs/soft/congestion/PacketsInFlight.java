package io.jverbs.soft.congestion;

/**
 * The cost of the packets that the connections of a {@link PathWindow} have in flight. While connections wait, time is
 * divided into periods, and packets that are not acknowledged within one to two periods are assumed to be lost. Guarded
 * by the window's lock.
 */
final class PacketsInFlight {
    /** The cost of all packets of the shares that were active in this period. */
    private long present;
    /** The cost of all packets of the shares that were active in the previous period only. */
    private long before;
    /** The number of the period. */
    private int period;

    /** {@return the cost of all packets in flight} */
    long total() {
        return present + before;
    }

    int period() {
        return period;
    }

    /** Adds a cost, which may be negative, to that of the shares that are active in this period. */
    void add(long cost) {
        present += cost;
    }

    /**
     * Records that a share is active in this period.
     *
     * @param activeIn the period in which it was active last
     * @param cost the cost of its packets
     * @return whether its packets count, and are not assumed to be lost
     */
    boolean renew(int activeIn, long cost) {
        if (activeIn == period - 1) {
            before -= cost;
            present += cost;
        }
        return activeIn == period || activeIn == period - 1;
    }

    /** Ends the period. */
    void endPeriod() {
        before = present;
        present = 0;
        period++;
    }
}
