package io.jverbs.soft.simulation;

import java.time.Duration;
import java.util.Locale;

/**
 * The settings of a link: what it does to packets. A setter throws {@link IllegalArgumentException} with the name, the
 * value and the allowed range for an illegal value, and then changes nothing. Not thread-safe.
 */
final class LinkSettings {
    static final int SHORTEST_MTU = 348;
    static final int LONGEST_MTU = 65_535;
    static final long LEAST_BANDWIDTH = 1_000;
    static final long MOST_BANDWIDTH = 1_000_000_000_000L;
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final long DEFAULT_DELAY = 1_000;

    double loss;
    double burstBegin;
    double burstEnd = 1;
    double burstLoss;
    double duplicate;
    double reorder;
    long reorderNanos;
    double corrupt;
    long delayNanos = DEFAULT_DELAY;
    long jitterNanos;
    /** The bandwidth; 0 for no limit. */
    long bitsPerSecond;
    int mtu = LONGEST_MTU;

    /** A link without faults. */
    LinkSettings() {}

    /** A copy of other settings. */
    LinkSettings(LinkSettings from) {
        loss = from.loss;
        burstBegin = from.burstBegin;
        burstEnd = from.burstEnd;
        burstLoss = from.burstLoss;
        duplicate = from.duplicate;
        reorder = from.reorder;
        reorderNanos = from.reorderNanos;
        corrupt = from.corrupt;
        delayNanos = from.delayNanos;
        jitterNanos = from.jitterNanos;
        bitsPerSecond = from.bitsPerSecond;
        mtu = from.mtu;
    }

    void loss(double probability) {
        loss = probability("loss", probability);
    }

    void burst(double begin, double end, double lost) {
        probability("burst begin", begin);
        probability("burst end", end);
        burstLoss = probability("burst loss", lost);
        burstBegin = begin;
        burstEnd = end;
    }

    void duplicate(double probability) {
        duplicate = probability("duplicate", probability);
    }

    void reorder(double probability, Duration by) {
        probability("reorder", probability);
        reorderNanos = nanos("reorder time", by);
        reorder = probability;
    }

    void corrupt(double probability) {
        corrupt = probability("corrupt", probability);
    }

    void delay(Duration time) {
        delayNanos = nanos("delay", time);
    }

    void jitter(Duration most) {
        jitterNanos = nanos("jitter", most);
    }

    void bandwidth(long bits) {
        if (bits != 0 && (bits < LEAST_BANDWIDTH || bits > MOST_BANDWIDTH)) {
            throw new IllegalArgumentException(
                    "bandwidth " + bits + " bits per second: allowed are 0, for no limit, and "
                            + LEAST_BANDWIDTH + " to " + MOST_BANDWIDTH);
        }
        bitsPerSecond = bits;
    }

    void mtu(int bytes) {
        if (bytes < SHORTEST_MTU || bytes > LONGEST_MTU) {
            throw new IllegalArgumentException(
                    "mtu " + bytes + " is not from " + SHORTEST_MTU + " to " + LONGEST_MTU + " bytes");
        }
        mtu = bytes;
    }

    private static double probability(String name, double value) {
        // this form of the condition also rejects NaN
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(
                    String.format(Locale.ROOT, "%s %s is not a probability from 0 to 1", name, value));
        }
        return value;
    }

    private static long nanos(String name, Duration time) {
        if (time.isNegative() || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " " + time + " is not from 0 to " + LONGEST.toHours() + " hour");
        }
        return time.toNanos();
    }
}
