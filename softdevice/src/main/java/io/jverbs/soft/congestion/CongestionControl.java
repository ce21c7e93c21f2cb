package io.jverbs.soft.congestion;

/**
 * Decides how much the connections of a path may have in flight together, in the unit of {@link PathWindow#cost}. One
 * object for each {@link PathWindow}, guarded by its lock.
 */
public interface CongestionControl {

    /** {@return the limit of what is in flight} */
    long size();

    /** {@return the capacity that gives the maximum of {@link #size}} */
    PathCapacity capacity();

    /**
     * Records that packets were acknowledged.
     *
     * @param cost the cost of the packets
     */
    void acknowledged(long cost);

    /**
     * Records a round-trip time.
     *
     * @param nanos the round-trip time in nanoseconds
     * @param now the time when it ended, in nanoseconds
     */
    void roundTrip(long nanos, long now);

    /** Records that packets were lost. */
    void lost();

    /**
     * Records that a congestion notification packet (CNP) arrived. Such a packet can be forged; therefore its effect is
     * bounded.
     *
     * @param now the time in nanoseconds
     * @return whether it has an effect
     */
    boolean notified(long now);
}
