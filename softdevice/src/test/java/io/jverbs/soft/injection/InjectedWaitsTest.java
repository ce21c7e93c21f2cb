package io.jverbs.soft.injection;

import io.jverbs.injection.InstrumentedClasses;
import java.util.function.IntFunction;
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
        InstrumentedClasses instrumented = SoftClasses.waits();
        InstrumentedClasses.Outcome outcome;
        try (AutoCloseable waits = instrumented.open(InjectedWaits.class, left, right)) {
            outcome = instrumented.errorAtEachPoint((IntFunction<?>) waits);
        }
        System.out
                .println("Errors were injected at " + outcome.points().cardinality() + " points of waits on " + right);
        outcome.check(points);
    }
}
