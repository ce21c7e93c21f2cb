package io.jverbs.soft.transport.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.soft.transport.QpSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * When a request fails because its retries are used up. A scenario is a sequence of letters:
 *
 * <pre>
 * t  a transport retry is used       T  none is left
 * r  an RNR retry is used            R  none is left
 * p  there is progress               o  the ACK timeout expires
 * </pre>
 */
final class RetryCountersTest {
    private final QpSettings settings = new QpSettings();
    private final RetryCounters counters = new RetryCounters(settings);

    private void run(String scenario) {
        for (int i = 0; i < scenario.length(); i++) {
            char step = scenario.charAt(i);
            String where = "step " + i + " of " + scenario;
            switch (step) {
                case 't', 'T' -> assertEquals(step == 't', counters.useRetry(), where);
                case 'r', 'R' -> assertEquals(step == 'r', counters.useRnrRetry(), where);
                case 'p' -> counters.restore();
                case 'o' -> counters.timedOut();
                default -> throw new IllegalArgumentException(where);
            }
        }
    }

    /** F24, F25, F28, F30, F31: the columns are retry_cnt, rnr_retry, and what happens. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            0, 0, TRTR
            1, 0, tTRT
            2, 0, ttTT
            7, 0, tttttttTT
            0, 1, rRTR
            0, 6, rrrrrrRR
            0, 7, rrrrrrrrrrrrrrrrrrrrrrrT
            2, 2, trtrTR
            2, 2, rrRttT
            2, 2, tpttTprrR
            1, 1, tTptTptT
            1, 1, rRprRprR
            3, 7, tttTrrrT
            7, 7, tttttttTrrrrrrrrT
            """)
    void aRetryIsLeftUntilItsCounterIsUsedUp(int retryCount, int rnrRetry, String scenario) {
        settings.retryCount = retryCount;
        settings.rnrRetry = rnrRetry;
        counters.restore();
        run(scenario);
    }

    /** F29, F31: the columns are what happens, the timeouts since the last progress, and what is left of 3 and 5. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            '',       0, 3, 5
            o,        1, 3, 5
            ot,       1, 2, 5
            otot,     2, 1, 5
            ototp,    0, 3, 5
            ototpot,  1, 2, 5
            rr,       0, 3, 3
            rrtp,     0, 3, 5
            tttTT,    0, 0, 5
            rrrrrRR,  0, 3, 0
            """)
    void theCountersAreRestoredByProgressOnly(String scenario, int timeouts, int retries, int rnrRetries) {
        settings.retryCount = 3;
        settings.rnrRetry = 5;
        counters.restore();
        run(scenario);
        assertEquals(timeouts, counters.timeouts());
        assertEquals(retries, counters.retriesLeft());
        assertEquals(rnrRetries, counters.rnrLeft());
    }

    @Test
    void changedSettingsTakeEffectWithTheNextProgress() {
        run("TR");
        settings.retryCount = 1;
        settings.rnrRetry = 1;
        run("TRptTrR");
    }
}
