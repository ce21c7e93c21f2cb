package io.jverbs.samples.perftest.run;

import io.jverbs.samples.perftest.exchange.BandwidthMessage;

/**
 * The bandwidth of a test, as perftest computes it. The peak is that of the fastest interval from a post to the
 * completion of the same or a later message.
 *
 * @param size the length of a message in bytes
 * @param iterations the number of messages sent
 * @param peak the peak in bytes per second, 0 if it was not determined
 * @param average the average in bytes per second
 * @param rate the average in messages per second
 */
public record BandwidthReport(int size, long iterations, double peak, double average, double rate) {
    /**
     * The largest number of messages whose peak is determined, as in perftest: each post is compared with each
     * completion.
     */
    static final int MOST_WITH_PEAK = 20_000;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BYTES_PER_MB = 1 << 20;
    private static final double BYTES_PER_GB = 125e6;
    private static final double MEGA = 1e6;

    /**
     * Creates the report of messages from their total time, and the times of posts and completions. The rate is 0 if
     * one poll returned all messages.
     */
    static BandwidthReport of(int size, Times times) {
        double rate = times.nanos() == 0
                ? 0
                : (times.messages - times.untimed) / (times.nanos() / NANOS_PER_SECOND);
        double peak = times.completed == null ? 0 : peak(times.posted, times.completed) * size;
        return new BandwidthReport(size, times.messages, peak, rate * size, rate);
    }

    /** {@return the number of bytes per second that is 1 in the unit of the table} */
    static double unit(boolean gigabits) {
        return gigabits ? BYTES_PER_GB : BYTES_PER_MB;
    }

    /** {@return the messages per second of the fastest interval} A time of 0 is one that was not recorded. */
    private static double peak(long[] posted, long[] completed) {
        double shortest = Double.POSITIVE_INFINITY;
        for (int j = 0; j < completed.length; j++) {
            for (int i = 0; i <= j && completed[j] != 0; i++) {
                if (posted[i] != 0) {
                    shortest = Math.min(shortest, (double) (completed[j] - posted[i]) / (j - i + 1));
                }
            }
        }
        return NANOS_PER_SECOND / shortest;
    }

    /** {@return the sum of both directions} */
    BandwidthReport plus(BandwidthReport other) {
        return new BandwidthReport(size, iterations, peak + other.peak, average + other.average, rate + other.rate);
    }

    /** {@return the message with this report} */
    BandwidthMessage toMessage(boolean gigabits) {
        return new BandwidthMessage(size, iterations, peak / unit(gigabits), average / unit(gigabits), rate / MEGA);
    }

    /** {@return the report of the peer, which prints in the same unit} */
    static BandwidthReport of(BandwidthMessage message, boolean gigabits) {
        return new BandwidthReport((int) message.size(), message.iterations(), message.peak() * unit(gigabits),
                message.average() * unit(gigabits), message.rate() * MEGA);
    }
}
