package io.jverbs.samples.perftest.run;

import io.jverbs.samples.console.SampleFailure;

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
    private static final int WORDS = 3;

    /**
     * Creates the report of messages from their total time, and the times of posts and completions. The rate is 0 if
     * one poll returned all messages.
     */
    static BandwidthReport of(Tally tally, Times times) {
        double rate = tally.nanos() == 0 ? 0 : tally.timed() / (tally.nanos() / NANOS_PER_SECOND);
        double peak = times.completed == null ? 0 : peak(times.posted, times.completed) * tally.size();
        return new BandwidthReport(tally.size(), tally.iterations(), peak, rate * tally.size(), rate);
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

    /** {@return the words that are sent to the other side} */
    String toWords() {
        return peak + " " + average + " " + rate;
    }

    /** Parses the words of the other side. */
    static BandwidthReport ofWords(Tally tally, String[] words) {
        try {
            if (words.length == WORDS) {
                return new BandwidthReport(tally.size(), tally.iterations(), Double.parseDouble(words[0]),
                        Double.parseDouble(words[1]), Double.parseDouble(words[2]));
            }
        } catch (NumberFormatException e) {
            // the exception below has the words
        }
        throw new SampleFailure("the peer sent \"" + String.join(" ", words) + "\" instead of its bandwidth: peak,"
                + " average and rate.");
    }
}
