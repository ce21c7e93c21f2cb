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

    /** {@return whether {@link #granted} needs the time} */
    boolean needsTime();

    /** {@return whether packets may have to wait although there is room} */
    boolean isPaced();

    /**
     * {@return how long the next packet has to wait, in nanoseconds}
     *
     * @param now the time in nanoseconds
     */
    long pause(long now);

    /**
     * {@return how long the present rate takes for packets, in nanoseconds; 0 if the rate is not limited}
     *
     * @param cost the cost of the packets
     */
    long nanos(long cost);

    /**
     * Records that packets may be sent.
     *
     * @param cost the cost of the packets; negative if they are not sent after all
     * @param now the time in nanoseconds
     */
    void granted(long cost, long now);
}
