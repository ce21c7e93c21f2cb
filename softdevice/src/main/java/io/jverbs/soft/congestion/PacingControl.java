package io.jverbs.soft.congestion;

/** A congestion control that also limits the rate at which the packets of a path are sent. */
interface PacingControl extends CongestionControl {

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
