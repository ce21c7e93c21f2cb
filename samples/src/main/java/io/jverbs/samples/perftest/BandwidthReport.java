package io.jverbs.samples.perftest;

import io.jverbs.samples.SampleFailure;

/**
 * How much was sent in a time, as perftest counts it. The peak is that of the fastest stretch from any post to the completion of
 * any later message.
 *
 * @param size the length of a message in bytes
 * @param iterations how many messages were sent
 * @param peak bytes per second at most, 0 if that was not looked for
 * @param average bytes per second
 * @param rate messages per second
 */
record BandwidthReport(int size, long iterations, double peak, double average, double rate) {
    /** With more messages, perftest does not look for the peak; each post is compared with each completion. */
    static final int MOST_WITH_PEAK = 20_000;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final int WORDS = 3;

    /** Makes a report of how long messages took, and when they were posted and complete. If all came at once, there is no rate. */
    static BandwidthReport of(Tally tally, Times times) {
        double rate = tally.nanos() == 0 ? 0 : tally.timed() / (tally.nanos() / NANOS_PER_SECOND);
        double peak = times.completed == null ? 0 : peak(times.posted, times.completed) * tally.size();
        return new BandwidthReport(tally.size(), tally.iterations(), peak, rate * tally.size(), rate);
    }

    /** Messages per second in the fastest stretch; a time of 0 is that of a post or a completion that was not noted. */
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

    /** {@return the words in which the other side is told} */
    String toWords() {
        return peak + " " + average + " " + rate;
    }

    /** Reads the words. */
    static BandwidthReport ofWords(Tally tally, String[] words) {
        try {
            if (words.length == WORDS) {
                return new BandwidthReport(tally.size(), tally.iterations(), Double.parseDouble(words[0]),
                        Double.parseDouble(words[1]), Double.parseDouble(words[2]));
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw new SampleFailure("the peer told its bandwidth as \"" + String.join(" ", words) + "\", which is none.");
    }
}
