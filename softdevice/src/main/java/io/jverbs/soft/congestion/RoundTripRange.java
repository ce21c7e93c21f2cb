package io.jverbs.soft.congestion;

/**
 * The shortest and the longest recent round-trip time of a path; their difference is the time that packets wait in
 * queues. All times are in nanoseconds. Guarded by the lock of the {@link PathWindow}.
 *
 * <p>
 * A path that begins while others fill a queue never sees it empty, and would take too long a time for the shortest
 * one. Therefore each path that leaves the host measures the shortest time: in each period, its window is small for
 * about four round trips. A path whose period is more than half over also does so when a round trip becomes short,
 * because other paths measure then. So all paths through a queue soon measure at the same time, and find the same time.
 * The time that counts is the shorter one of two periods. A path does not measure while it is mostly idle, or has no
 * queue. {@link RoundTripNoise} determines which differences are not those of a queue.
 *
 * <p>
 * On a path within the host, both times slowly approach the latest round trip instead.
 */
final class RoundTripRange {
    /** The least time between two measurements. */
    static final long PERIOD_NANOS = 50_000_000;
    /** The time from the first round trip to the first measurement, which paths that begin together make together. */
    private static final long FIRST_NANOS = 6_000_000;
    /** The least number of round trips in a period. */
    private static final int ROUND_TRIPS = 128;
    private static final int SMOOTHED_SHIFT = 3;
    private static final int AGING_SHIFT = 8;
    private static final int SHORTEST_AGING_SHIFT = 12;
    /** In place of it at the least size, where a shortest time that is no longer possible would keep the window. */
    private static final int SHORTEST_AGING_SHIFT_AT_MIN = 9;

    private final boolean withinHost;
    private final RoundTripNoise noise = new RoundTripNoise();
    private boolean isKnown;
    /** When the first round trip ended. */
    private long knownAt;
    /** The shortest time since the latest measurement began, and of the period before. */
    private long shortest;
    private long shortestBefore = Long.MAX_VALUE;
    /** When the period began. */
    private long periodAt;
    /** When the latest measurement ended. */
    private long measuredAt;
    /** Whether the period begins with the next round trip: nothing has told the time since the measurement ended. */
    private boolean begins;
    private long period = PERIOD_NANOS;
    /** The round-trip times of the windows acknowledged in this period, all together. */
    private long busy;
    private boolean measuring;
    /** When the packets that were in flight as the measurement began have arrived. */
    private long drainedAt;
    /** The measurement ends with the first packet that is sent after this time. */
    private long measuringUntil;
    /** The shortest time of the packets that were sent after {@link #drainedAt}, or the largest number. */
    private long found;
    /** The cost of the packets acknowledged in the measurement since a round trip ended. */
    private long untimed;
    /** The smoothed time of round trips that are not of a measurement. */
    private long smoothed;
    private long longest;
    private long longestBefore;
    private long longestSince;
    /** The number of periods for which packets count as lost recently. */
    private int periodsSinceLoss;

    /** @param withinHost whether the path does not leave the host */
    RoundTripRange(boolean withinHost) {
        this.withinHost = withinHost;
    }

    /** {@return whether the window must be small, so that the queues run empty} */
    boolean isMeasuring() {
        return measuring;
    }

    /** {@return the shortest time; 0 before the first} */
    long shortest() {
        return Math.min(shortest, shortestBefore);
    }

    /** {@return the longest time} */
    long longest() {
        return Math.max(longest, longestBefore);
    }

    /** {@return how much longer than the shortest time a round trip may be without a queue, because of jitter} */
    long jitter() {
        return noise.allowance();
    }

    /**
     * Records that packets were acknowledged in a measurement, and ends it if no round trip ends for many of them.
     *
     * @param cost the cost of the packets
     * @param most how much may be acknowledged without the end of a round trip
     * @return whether the measurement has ended
     */
    boolean acknowledged(long cost, long most) {
        untimed += cost;
        begins = untimed >= most;
        if (begins) {
            endMeasurement();
        }
        return begins;
    }

    /** {@return whether packets were lost recently} */
    boolean hasLost() {
        return periodsSinceLoss > 0;
    }

    /** Records that packets were lost. */
    void lost() {
        periodsSinceLoss = 2;
    }

    /**
     * Records that as many packets were acknowledged as the window holds.
     *
     * @param latest the latest round-trip time
     * @param least whether the window has the least size
     */
    void windowAcknowledged(long latest, boolean least) {
        busy += latest;
        if (withinHost) {
            longest -= longest - latest >> AGING_SHIFT;
            shortest += latest - shortest >> (least ? SHORTEST_AGING_SHIFT_AT_MIN : SHORTEST_AGING_SHIFT);
        }
    }

    /**
     * Records a round-trip time; returns whether it is one of the whole window, and not of a measurement.
     *
     * @param nanos the round-trip time
     * @param now the time when it ended
     * @param congested whether the path is congested
     * @param permitted the time that packets may wait in queues
     */
    boolean add(long nanos, long now, boolean congested, long permitted) {
        // at first, the times differ because the queues run empty
        if (!withinHost && isKnown && now - knownAt > PERIOD_NANOS) {
            noise.add(nanos);
        }
        if (measuring) {
            measure(nanos, now);
            return false;
        }
        if (begins) {
            begins = false;
            periodAt = now;
            measuredAt = now;
        }
        addShortest(nanos, now);
        addLongest(nanos, now);
        if (!withinHost && isDue(nanos, now, permitted)) {
            beginPeriod(nanos, now, congested);
        }
        smoothed += nanos - smoothed >> SMOOTHED_SHIFT;
        return true;
    }

    private void addShortest(long nanos, long now) {
        if (!isKnown) {
            isKnown = true;
            knownAt = now;
            shortest = nanos;
            smoothed = nanos;
            periodAt = now - PERIOD_NANOS + FIRST_NANOS;
            measuredAt = periodAt;
            longestSince = now;
        } else if (nanos <= shortest) {
            shortest = nanos;
            if (now - measuredAt < period / 8) {
                // the others measure a little later: next time at the same time
                periodAt = now;
            }
        }
    }

    private void addLongest(long nanos, long now) {
        if (!withinHost && now - longestSince > PERIOD_NANOS) {
            longestSince = now;
            longestBefore = longest;
            noise.age();
            longest = 0;
            periodsSinceLoss = Math.max(0, periodsSinceLoss - 1);
        }
        longest = Math.max(longest, nanos);
    }

    private boolean isDue(long nanos, long now, long permitted) {
        period = PERIOD_NANOS;
        while (period < ROUND_TRIPS * shortest) {
            // powers of two, so that paths whose times differ also measure together
            period *= 2;
        }
        long passed = now - periodAt;
        return passed > period || passed > period / 2 && nanos < shortest + permitted / 2;
    }

    private void beginPeriod(long nanos, long now, boolean congested) {
        boolean idle = busy < (now - periodAt) / 4;
        busy = 0;
        if (idle || longest() - shortest() < shortest() / 4 + (congested ? 0 : jitter())) {
            shortestBefore = shortest;
            shortest = nanos;
            periodAt = now;
        } else {
            measuring = true;
            found = Long.MAX_VALUE;
            untimed = 0;
            // a single long time is that of a delay of either host
            long time = Math.min(nanos, smoothed);
            drainedAt = now + time;
            measuringUntil = now + 3 * time;
        }
    }

    private void measure(long nanos, long now) {
        untimed = 0;
        long sent = now - nanos;
        if (sent - drainedAt >= 0) {
            found = Math.min(found, nanos);
        }
        if (sent - measuringUntil >= 0) {
            endMeasurement();
            periodAt = now;
            measuredAt = now;
        }
    }

    private void endMeasurement() {
        measuring = false;
        if (found != Long.MAX_VALUE) {
            shortestBefore = shortest;
            shortest = found;
        }
    }
}
