package io.jverbs.samples.perftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.Run;
import java.util.Arrays;
import java.util.List;

/** Parses the rows of a printed table, and checks that they are plausible. */
final class Rows {
    private static final String RULE = "-".repeat(87);
    private static final String LATENCY = " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]"
            + "    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]";
    private static final String BANDWIDTH = " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]"
            + "   MsgRate[Mpps]";
    private static final double MIB = 1 << 20;

    private Rows() {}

    /** {@return the numbers of the rows below a header} */
    static List<double[]> below(String header, Run run) {
        List<String> lines = run.lines();
        int from = lines.indexOf(header);
        assertTrue(from >= 0, run.out());
        assertEquals(RULE, lines.get(from - 1));
        assertEquals(RULE, lines.getLast());
        return lines.subList(from + 1, lines.size() - 1).stream()
                .map(line -> Arrays.stream(line.strip().split("\\s+")).mapToDouble(Double::parseDouble).toArray())
                .toList();
    }

    /** Asserts that a run printed a latency table with one row for each size. */
    static void assertLatencies(Run run, int iterations, int... sizes) {
        List<double[]> rows = below(LATENCY, run);
        assertEquals(sizes.length, rows.size(), run.out());
        for (int i = 0; i < sizes.length; i++) {
            double[] row = rows.get(i);
            assertEquals(9, row.length);
            assertEquals(sizes[i], row[0]);
            assertEquals(iterations, row[1]);
            double min = row[2];
            double max = row[3];
            assertTrue(min > 0 && min <= row[4] && row[4] <= row[7] && row[7] <= row[8] && row[8] <= max, run.out());
            assertTrue(min <= row[5] && row[5] <= max && row[6] >= 0 && row[6] <= max, run.out());
        }
    }

    /** Asserts that a run printed a bandwidth table with one row for each size. */
    static void assertBandwidths(Run run, boolean peak, int iterations, int... sizes) {
        List<double[]> rows = below(BANDWIDTH, run);
        assertEquals(sizes.length, rows.size(), run.out());
        for (int i = 0; i < sizes.length; i++) {
            double[] row = rows.get(i);
            assertEquals(5, row.length);
            assertEquals(sizes[i], row[0]);
            assertEquals(iterations, row[1]);
            assertTrue(row[4] > 0 && Double.isFinite(row[3]) && Double.isFinite(row[4]), run.out());
            // The bandwidth has two decimals, so it is 0.00 for few messages of two bytes that were interrupted once.
            // The rate has six decimals of a million messages.
            assertEquals(row[4] * 1e6 * sizes[i] / MIB, row[3], 0.006 + sizes[i] / MIB, run.out());
            if (peak) {
                assertTrue(row[2] >= row[3], run.out());
            } else {
                assertEquals(0, row[2], run.out());
            }
        }
    }
}
