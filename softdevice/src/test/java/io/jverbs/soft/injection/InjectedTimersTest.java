package io.jverbs.soft.injection;

import io.jverbs.injection.InstrumentedClasses;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Throws an Error at each injection point of the timers, in the threads that set alarms or wait, and in the one that
 * looks at the time.
 */
final class InjectedTimersTest {

    @Test
    @Timeout(300)
    void anErrorInTheTimersLosesNoAlarm() throws Exception {
        InstrumentedClasses instrumented = SoftClasses.timers();
        InstrumentedClasses.Outcome outcome;
        try (AutoCloseable timers = instrumented.open(InjectedTimers.class)) {
            outcome = instrumented.errorAtEachPoint((IntFunction<?>) timers);
        }
        System.out.println("Errors were injected at " + outcome.points().cardinality() + " points of the timers");
        outcome.check(20);
    }

    @Test
    @Timeout(300)
    void anErrorInTheTimerOfWaitsKeepsNoThreadWaiting() throws Exception {
        InstrumentedClasses instrumented = SoftClasses.timedWaits();
        InstrumentedClasses.Outcome outcome;
        try (AutoCloseable waits = instrumented.open(InjectedTimedWaits.class)) {
            outcome = instrumented.errorAtEachPoint((IntFunction<?>) waits);
        }
        System.out.println("Errors were injected at " + outcome.points().cardinality() + " points of timed waits");
        outcome.check(20);
    }
}
