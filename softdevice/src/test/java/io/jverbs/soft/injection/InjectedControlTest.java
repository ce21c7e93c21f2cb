package io.jverbs.soft.injection;

import java.util.function.IntFunction;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Throws an Error at each injection point of the verbs that create and close objects: no resource may leak. */
final class InjectedControlTest {
    @ParameterizedTest
    @ValueSource(strings = {"soft:soft7", "soft:127.0.8.3?fabric=wire", "soft:sim0?seed=3"})
    @Timeout(300)
    void anErrorInAVerbThatCreatesOrClosesAnObjectLeaksNothing(String selector) throws Exception {
        InstrumentedClasses instrumented = InstrumentedClasses.controlPath();
        InstrumentedClasses.Outcome outcome;
        try (AutoCloseable control = instrumented.open(InjectedControl.class, selector)) {
            outcome = instrumented.errorAtEachPoint((IntFunction<?>) control);
        }
        System.out.println("Errors were injected at " + outcome.reached().cardinality() + " points of control verbs on "
                + selector);
        outcome.check(100);
    }
}
