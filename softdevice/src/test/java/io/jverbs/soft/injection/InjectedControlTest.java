package io.jverbs.soft.injection;

import java.util.function.IntFunction;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Throws an Error at each injection point of the verbs that create and close objects: no resource may leak. */
final class InjectedControlTest {
    private static InstrumentedClasses.Outcome errorAtEachPoint(InstrumentedClasses instrumented, String selector,
            String layer, boolean closesContextOnly) throws Exception {
        try (AutoCloseable control = instrumented.open(InjectedControl.class, selector, layer, closesContextOnly)) {
            InstrumentedClasses.Outcome outcome = instrumented.errorAtEachPoint((IntFunction<?>) control);
            System.out.println("Errors were injected at " + outcome.reached().cardinality()
                    + " points of control verbs on " + selector + ", layer " + layer);
            return outcome;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"soft:soft7", "soft:127.0.8.3?fabric=wire", "soft:sim0?seed=3"})
    @Timeout(300)
    void anErrorInAVerbThatCreatesOrClosesAnObjectLeaksNothing(String selector) throws Exception {
        errorAtEachPoint(InstrumentedClasses.controlPath(), selector, null, false).check(100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"soft:soft7", "soft:127.0.8.13?fabric=wire", "soft:sim0?seed=3"})
    @Timeout(300)
    void anErrorInTheCloseOfAContextLeavesNothingBehindAfterTheNextCall(String selector) throws Exception {
        errorAtEachPoint(InstrumentedClasses.controlPath(), selector, null, true).check(50);
    }

    @ParameterizedTest
    @CsvSource({"delay=1ns, false", "delay=1ns, true", "complete=RETRY_EXC_ERR, false", "complete=RETRY_EXC_ERR, true"})
    @Timeout(300)
    void anErrorInAControlVerbOfFaultInjectionLeaksNothing(String rules, boolean closesContextOnly) throws Exception {
        errorAtEachPoint(InstrumentedClasses.layer("io/jverbs/fault"), "soft:soft7", rules, closesContextOnly)
                .check(20);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(300)
    void anErrorInAControlVerbOfStrictModeLeaksNothing(boolean closesContextOnly) throws Exception {
        errorAtEachPoint(InstrumentedClasses.layer("io/jverbs/strict", "io/jverbs/strict/tracking"), "soft:soft7",
                InjectedTraffic.STRICT, closesContextOnly).check(20);
    }
}
