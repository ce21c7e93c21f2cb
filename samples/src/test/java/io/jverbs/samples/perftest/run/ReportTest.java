package io.jverbs.samples.perftest.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.samples.perftest.exchange.BandwidthMessage;
import org.junit.jupiter.api.Test;

/** Reports compared with results that were computed by hand. */
class ReportTest {
    private static final double EXACT = 1e-9;

    /** {@return times whose differences are 1 to count microseconds, in another order} */
    private static long[] posted(int count) {
        long[] posted = new long[count + 1];
        posted[0] = 5_000_000_000L;
        for (int i = 0; i < count; i++) {
            // 7 and the counts are coprime, so that each difference occurs once
            posted[i + 1] = posted[i] + 1000L * (1 + i * 7L % count);
        }
        return posted;
    }

    @Test
    void theTwoLongestTimesAreExcluded() {
        LatencyReport report = LatencyReport.of(64, posted(102), 1);

        assertEquals(64, report.size());
        assertEquals(103, report.iterations());
        assertEquals(1, report.min(), EXACT);
        // 1 to 100 are included; 101 and 102 are the two longest, and the longest is not reported
        assertEquals(101, report.max(), EXACT);
        assertEquals(50.5, report.typical(), EXACT);
        assertEquals(50.5, report.average(), EXACT);
        assertEquals(Math.sqrt((100 * 100 - 1) / 12.0), report.deviation(), EXACT);
        assertEquals(100, report.percentile99(), EXACT);
        assertEquals(101, report.percentile999(), EXACT);
    }

    @Test
    void theTypicalTimeOfAnOddNumberIsTheOneInTheMiddle() {
        LatencyReport report = LatencyReport.of(2, posted(1003), 1);

        assertEquals(501, report.typical(), EXACT);
        assertEquals(501, report.average(), EXACT);
        // 1001 times are included: indexes ceil(990.99) and ceil(999.999)
        assertEquals(992, report.percentile99(), EXACT);
        assertEquals(1001, report.percentile999(), EXACT);
        assertEquals(1002, report.max(), EXACT);
    }

    @Test
    void everyTimeOfAPingPongIsHalved() {
        LatencyReport whole = LatencyReport.of(2, posted(102), 1);
        LatencyReport half = LatencyReport.of(2, posted(102), 2);

        assertEquals(whole.min() / 2, half.min(), EXACT);
        assertEquals(whole.max() / 2, half.max(), EXACT);
        assertEquals(whole.typical() / 2, half.typical(), EXACT);
        assertEquals(whole.average() / 2, half.average(), EXACT);
        assertEquals(whole.deviation() / 2, half.deviation(), EXACT);
        assertEquals(whole.percentile99() / 2, half.percentile99(), EXACT);
        assertEquals(whole.percentile999() / 2, half.percentile999(), EXACT);
    }

    @Test
    void theFewestIterationsHaveAReport() {
        LatencyReport report = LatencyReport.of(2, new long[] {0, 3000, 4000, 8000, 10_000}, 1);

        assertEquals(1, report.min(), EXACT);
        assertEquals(3, report.max(), EXACT);
        assertEquals(1.5, report.typical(), EXACT);
        assertEquals(1.5, report.average(), EXACT);
        assertEquals(0.5, report.deviation(), EXACT);
        assertEquals(3, report.percentile99(), EXACT);
    }

    private static Times times(long[] posted, long[] completed) {
        Times times = new Times(posted.length, completed.length);
        System.arraycopy(posted, 0, times.posted, 0, posted.length);
        System.arraycopy(completed, 0, times.completed, 0, completed.length);
        times.first = posted[0];
        times.last = completed[completed.length - 1];
        times.messages = posted.length;
        return times;
    }

    @Test
    void theAverageIsThatOfAllMessagesAndThePeakThatOfTheFastestInterval() {
        // posted at 1 to 4 us, completed at 11, 12, 13 and, with a delay, 41 us
        BandwidthReport report = BandwidthReport.of(1000,
                times(new long[] {1000, 2000, 3000, 4000}, new long[] {11_000, 12_000, 13_000, 41_000}));

        assertEquals(4 / 40e-6, report.rate(), 1e-3);
        assertEquals(4 * 1000 / 40e-6, report.average(), 1);
        // from the first post to the third completion: three messages in 12 us
        assertEquals(3 * 1000 / 12e-6, report.peak(), 1);
    }

    @Test
    void unrecordedTimesAreIgnoredForThePeak() {
        BandwidthReport report = BandwidthReport.of(10,
                times(new long[] {1000, 0, 2000, 0}, new long[] {0, 5000, 0, 9000}));

        // 2 messages in 4 us, 4 in 8 us, or 2 in 7 us
        assertEquals(2 * 10 / 4e-6, report.peak(), 1e-3);
    }

    @Test
    void messagesBeforeTheFirstTimeAreExcludedFromTheRate() {
        Times times = new Times(0, 0);
        times.first = 1000;
        times.last = 5000;
        times.untimed = 64;
        times.messages = 100;

        BandwidthReport report = BandwidthReport.of(10, times);

        assertEquals(100, report.iterations());
        assertEquals(36 / 4e-6, report.rate(), 1e-3);
    }

    @Test
    void messagesOfOnePollHaveNoRate() {
        Times times = new Times(0, 0);
        times.untimed = 5;
        times.messages = 5;

        BandwidthReport report = BandwidthReport.of(10, times);

        assertEquals(new BandwidthReport(10, 5, 0, 0, 0), report);
    }

    @Test
    void theReportOfThePeerIsInTheUnitOfTheTable() {
        BandwidthReport own = new BandwidthReport(10, 4, 3 << 20, 2 << 20, 5e6);

        assertEquals(new BandwidthMessage(10, 4, 3, 2, 5), own.toMessage(false));
        assertEquals(new BandwidthMessage(10, 4, 3, 2, 5),
                new BandwidthReport(10, 4, 375e6, 250e6, 5e6).toMessage(true));
        assertEquals(new BandwidthReport(10, 4, 6 << 20, 4 << 20, 10e6),
                own.plus(BandwidthReport.of(own.toMessage(false), false)));
    }

    @Test
    void aMegabyteIs2To20BytesAndAGigabitTenTo9Bits() {
        BandwidthReport report = new BandwidthReport(65_536, 5000, 2 << 20, 1 << 20, 16);

        assertEquals(" 65536      5000             2.00               1.00   \t\t     0.000016",
                new Table(TestSettings.program(Verb.WRITE, false, false)).row(report));
        assertEquals(" 65536      5000           0.016777            0.008389            0.000016",
                new Table(TestSettings.program(Verb.WRITE, false, true)).row(report));
    }

    @Test
    void aRowOfLatenciesHasTheColumnsOfPerftest() {
        assertEquals(" 2       1000          1.00           9.00         2.00     \t       2.50        \t0.50   \t\t"
                + "7.00    \t\t8.00   ",
                new Table(TestSettings.program(Verb.SEND, true, false))
                        .row(new LatencyReport(2, 1000, 1, 9, 2, 2.5, 0.5, 7, 8)));
    }
}
