package io.jverbs.samples.perftest;

import java.util.Arrays;

/**
 * What perftest makes of the times between the posts of one message and the next: half of them, unless the peer's memory answers.
 * As there, the two longest do not count for the average, and the longest is not shown. The deviation is the true one; perftest
 * cuts each difference from the average down to whole microseconds.
 *
 * @param size the length of a message in bytes
 * @param iterations how many messages went each way
 * @param min the shortest time in microseconds
 * @param max the longest but one
 * @param typical the median
 * @param average the average
 * @param deviation the standard deviation
 * @param percentile99 the time that 99 % do not exceed
 * @param percentile999 the time that 99.9 % do not exceed
 */
record LatencyReport(
        int size, int iterations, double min, double max, double typical, double average, double deviation,
        double percentile99, double percentile999) {
    private static final int NOT_COUNTED = 2;
    private static final double NANOS_PER_MICRO = 1e3;

    /**
     * Makes a report.
     *
     * @param size the length of a message in bytes
     * @param posted when each message was posted, in nanoseconds; at least 4 of them
     * @param legs how many of what is reported such a time has: 2 for a ping-pong, 1 for what the peer's memory answers
     * @return the report
     */
    static LatencyReport of(int size, long[] posted, int legs) {
        double[] times = new double[posted.length - 1];
        for (int i = 0; i < times.length; i++) {
            times[i] = (posted[i + 1] - posted[i]) / NANOS_PER_MICRO / legs;
        }
        Arrays.sort(times);
        int count = times.length - NOT_COUNTED;
        double average = Arrays.stream(times, 0, count).sum() / count;
        double variance = Arrays.stream(times, 0, count).map(time -> (time - average) * (time - average)).sum() / count;
        return new LatencyReport(size, posted.length, times[0], times[count], median(times, count), average,
                Math.sqrt(variance), times[(int) Math.ceil(count * 0.99)], times[(int) Math.ceil(count * 0.999)]);
    }

    private static double median(double[] sorted, int count) {
        return count % 2 == 0 ? (sorted[count / 2] + sorted[count / 2 - 1]) / 2 : sorted[count / 2];
    }
}
