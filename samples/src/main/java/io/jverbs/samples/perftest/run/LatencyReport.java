package io.jverbs.samples.perftest.run;

import java.util.Arrays;

/**
 * The latencies of a test, computed like in perftest from the times between consecutive posts. In a ping-pong, a
 * latency is half of such a time. As in perftest, the average excludes the two longest times, and the longest time is
 * not reported. Unlike in perftest, which truncates each difference from the average to whole microseconds, the
 * standard deviation is exact.
 *
 * @param size the length of a message in bytes
 * @param iterations the number of messages in each direction
 * @param min the shortest latency in microseconds
 * @param max the second longest latency in microseconds
 * @param typical the median in microseconds
 * @param average the average in microseconds
 * @param deviation the standard deviation in microseconds
 * @param percentile99 the 99th percentile in microseconds
 * @param percentile999 the 99.9th percentile in microseconds
 */
public record LatencyReport(
        int size, int iterations, double min, double max, double typical, double average, double deviation,
        double percentile99, double percentile999) {
    private static final int EXCLUDED = 2;
    private static final double NANOS_PER_MICRO = 1e3;

    /**
     * Creates a report.
     *
     * @param size the length of a message in bytes
     * @param posted the time of each post in nanoseconds; at least 4 of them
     * @param legs the number of latencies between two posts: 2 in a ping-pong, 1 for READ and atomics
     * @return the report
     */
    static LatencyReport of(int size, long[] posted, int legs) {
        double[] times = new double[posted.length - 1];
        for (int i = 0; i < times.length; i++) {
            times[i] = (posted[i + 1] - posted[i]) / NANOS_PER_MICRO / legs;
        }
        Arrays.sort(times);
        int count = times.length - EXCLUDED;
        double average = Arrays.stream(times, 0, count).sum() / count;
        double variance = Arrays.stream(times, 0, count).map(time -> (time - average) * (time - average)).sum() / count;
        return new LatencyReport(size, posted.length, times[0], times[count], median(times, count), average,
                Math.sqrt(variance), times[(int) Math.ceil(count * 0.99)], times[(int) Math.ceil(count * 0.999)]);
    }

    private static double median(double[] sorted, int count) {
        return count % 2 == 0 ? (sorted[count / 2] + sorted[count / 2 - 1]) / 2 : sorted[count / 2];
    }
}
