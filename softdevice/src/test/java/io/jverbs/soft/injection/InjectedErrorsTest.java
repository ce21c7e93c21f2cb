package io.jverbs.soft.injection;

import io.jverbs.injection.InstrumentedClasses;
import java.util.BitSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Throws an Error at each injection point of the data path in turn: at each allocation and each call that the traffic
 * of {@link InjectedTraffic} reaches in one JVM, over UDP and in a simulated network.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class InjectedErrorsTest {
    /** A network whose switch marks nearly all packets, so that CNPs are sent and requests and responses wait. */
    private static final String PACED = "seed=3&network=paced&congestion=dcqcn&switch=1Gbit,1000000&ecn=1,2";
    private InstrumentedClasses instrumented;
    private final BitSet all = new BitSet();

    @BeforeAll
    void instrument() throws Exception {
        instrumented = SoftClasses.dataPath();
    }

    @AfterAll
    void report() {
        System.out
                .println("Errors were injected at " + all.cardinality() + " points of the data path. The classes have "
                        + instrumented.points() + ".");
    }

    @ParameterizedTest
    @CsvSource({"soft:soft7, soft:soft8, RC, false, none", "soft:soft7, soft:soft8, UD, false, none",
        "soft:127.0.8.1?fabric=wire, soft:127.0.8.2?fabric=wire, RC, false, none",
        "soft:sim0?seed=3, soft:sim1?seed=3, RC, false, none",
        "'soft:sim0?" + PACED + "', 'soft:sim1?" + PACED + "', RC, false, none"})
    @Timeout(300)
    void anErrorInTheDataPathLosesNoRequestAndLeavesNoLockHeld(String left, String right, String type, boolean shared,
            String watched) throws Exception {
        errorAtEachPoint(left, right, type, shared, watched);
    }

    @ParameterizedTest
    @CsvSource({"soft:soft7, soft:soft8, RC, true, none", "soft:soft7, soft:soft8, RC, false, capture",
        "soft:soft7, soft:soft8, RC, false, journal", "soft:soft7, soft:soft8, UC, false, none",
        "soft:soft7, soft:soft8, UC, true, none",
        "soft:soft7, soft:soft8, UD, true, none",
        "soft:127.0.8.1?fabric=wire, soft:127.0.8.2?fabric=wire, UC, false, none",
        "soft:127.0.8.1?fabric=wire, soft:127.0.8.2?fabric=wire, UD, false, none",
        "soft:127.0.8.1?fabric=wire, soft:127.0.8.2?fabric=wire, UD, true, none",
        "soft:soft7, soft:soft8, UD, false, capture",
        "soft:127.0.8.1?fabric=wire, soft:127.0.8.2?fabric=wire, RC, false, capture",
        "soft:127.0.8.1?fabric=wire, soft:127.0.8.2?fabric=wire, RC, false, journal"})
    @Tag("variants")
    @Timeout(300)
    void anErrorInTheDataPathLosesNothingOnTheOtherPaths(String left, String right, String type, boolean shared,
            String watched) throws Exception {
        errorAtEachPoint(left, right, type, shared, watched);
    }

    private void errorAtEachPoint(String left, String right, String type, boolean shared, String watched)
            throws Exception {
        InstrumentedClasses.Outcome outcome = instrumented.errorAtEachPoint(InjectedTraffic.class, left, right, type,
                shared, null, watched);
        all.or(outcome.points());
        outcome.check(50);
    }
}
