package io.jverbs.soft.congestion;

import io.jverbs.soft.protocol.Psns;

/**
 * Measures the round-trip time of a reliable connection, one packet at a time, and computes the time after which its
 * packets are sent again, as RFC 6298 does: the smoothed round-trip time plus four times its variance. By Karn's rule,
 * packets that were sent twice are not measured, because their acknowledgement may be that of either. Guarded by the
 * requester's lock.
 */
public final class RoundTripTime {
    /** In place of a time: there is none. */
    public static final long NONE = -1;
    private static final int SMOOTHED_SHIFT = 3;
    private static final int VARIANCE_SHIFT = 2;

    /**
     * Whether a packet is measured.
     * <pre>
     * state      sent      acknowledged                        nakReceived  retransmitted
     * IDLE       MEASURED  -                                   -            REPEATING
     * MEASURED   -         IDLE if the packet is acknowledged  IDLE         REPEATING
     * REPEATING  -         IDLE if no packet was sent twice    -            REPEATING
     * </pre>
     */
    private enum State {
        /** No packet is measured. */
        IDLE,
        /** A packet is measured. */
        MEASURED,
        /** Packets are sent again. */
        REPEATING
    }

    private State state = State.IDLE;
    /** The PSN of the packet that is measured; in REPEATING, the first PSN that was not sent before. */
    private int psn;
    private boolean response;
    private long since;
    /** When the latest measurement ended. */
    private long measuredAt;
    private long smoothed = NONE;
    private long variance;

    /** Forgets all measurements. */
    public void clear() {
        state = State.IDLE;
        smoothed = NONE;
    }

    /** {@return whether no packet is measured, so that the next one can be} */
    public boolean isIdle() {
        return state == State.IDLE;
    }

    /**
     * Records that a packet was sent, which is measured if no other is.
     *
     * @param sent its PSN, or the first PSN of the response that it requests
     * @param read whether it requests a response with data
     * @param now the time in nanoseconds
     */
    public void sent(int sent, boolean read, long now) {
        if (state == State.IDLE) {
            state = State.MEASURED;
            psn = sent;
            response = read;
            since = now;
        }
    }

    /**
     * Records that packets are sent again.
     *
     * @param next the first PSN that was not sent before
     */
    public void retransmitted(int next) {
        state = State.REPEATING;
        psn = next;
    }

    /**
     * Records an acknowledgement; returns the round-trip time in nanoseconds if it is that of the measured packet,
     * otherwise {@link #NONE}.
     *
     * @param unacknowledged the oldest PSN that is not acknowledged
     * @param now the time in nanoseconds
     */
    public long acknowledged(int unacknowledged, long now) {
        int beyond = Psns.difference(unacknowledged, psn);
        if (state == State.IDLE || beyond < 0 || beyond == 0 && state != State.REPEATING) {
            return NONE;
        }
        boolean measured = state == State.MEASURED;
        state = State.IDLE;
        if (!measured) {
            return NONE;
        }
        long sample = Math.max(0, now - since);
        measuredAt = now;
        add(sample);
        return sample;
    }

    /**
     * Records a NAK for a missing packet, which ends the measurement. A packet that was sent with the measured one,
     * perhaps later, has caused it; so its time counts only if there is no other: without that, a connection that loses
     * packets in its first round trip would have none.
     *
     * @param now the time in nanoseconds
     * @param oldest how long the oldest packet that is not acknowledged has been in flight, in nanoseconds
     */
    public void nakReceived(long now, long oldest) {
        if (state == State.MEASURED) {
            state = State.IDLE;
            if (smoothed == NONE) {
                add(Math.max(oldest, now - since));
            }
        }
    }

    /** {@return when the latest round trip that was measured ended, in nanoseconds} */
    public long measuredAt() {
        return measuredAt;
    }

    /** {@return whether the latest packet that was measured has requested a response with data} */
    public boolean isOfRead() {
        return response;
    }

    private void add(long sample) {
        if (smoothed == NONE) {
            smoothed = sample;
            variance = sample / 2;
        } else {
            variance += Math.abs(smoothed - sample) - variance >> VARIANCE_SHIFT;
            smoothed += sample - smoothed >> SMOOTHED_SHIFT;
        }
    }

    /** {@return the time after which packets are sent again in nanoseconds, or {@link #NONE} before a measurement} */
    public long timeout() {
        return smoothed == NONE ? NONE : smoothed + (variance << VARIANCE_SHIFT);
    }
}
