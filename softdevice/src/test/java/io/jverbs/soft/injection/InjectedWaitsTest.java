package io.jverbs.soft.injection;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Throws an Error at each injection point of the wait for a completion event. The next wait gets its event: no thread
 * keeps the role of the one that receives.
 */
final class InjectedWaitsTest {

    @ParameterizedTest
    @CsvSource({"soft:127.0.8.21?fabric=wire, soft:127.0.8.22?fabric=wire, 20", "soft:soft11, soft:soft12, 5"})
    @Timeout(300)
    void anErrorInAWaitKeepsNobodyFromReceiving(String left, String right, int points) throws Exception {
        SoftClasses.waits().errorAtEachPoint(InjectedWaits.class, left, right, 0).report("waits on " + right)
                .check(points);
    }
}
