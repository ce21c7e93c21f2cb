package io.jverbs.soft.injection;

import io.jverbs.injection.InstrumentedClasses;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Throws an Error at each injection point of the verbs that create and close objects: no resource may leak. */
@Isolated("it counts the open files of the process")
final class InjectedControlTest {
    private static InstrumentedClasses.Outcome errorAtEachPoint(InstrumentedClasses instrumented, String selector,
            String layer, boolean closesContextOnly, String watched) throws Exception {
        return instrumented.errorAtEachPoint(InjectedControl.class, selector, layer, closesContextOnly, watched)
                .report("control verbs on " + selector + ", layer " + layer);
    }

    @Test
    @Timeout(300)
    void anErrorInAVerbThatCreatesOrClosesAnObjectLeaksNothing() throws Exception {
        errorAtEachPoint(SoftClasses.controlPath(), "soft:soft7", null, false, "none").check(100);
    }

    @ParameterizedTest
    @CsvSource({"soft:127.0.8.3?fabric=wire, none", "soft:soft7, capture", "soft:sim0?seed=3, none"})
    @Tag("variants")
    @Timeout(300)
    void anErrorInAVerbLeaksNothingOnTheOtherPaths(String selector, String watched) throws Exception {
        errorAtEachPoint(SoftClasses.controlPath(), selector, null, false, watched).check(100);
    }

    @Test
    @Timeout(300)
    void anErrorWhileADeviceIsCreatedOrRemovedLeaksNoAddressNoSocketAndNoThread() throws Exception {
        errorWhileOpening("soft:127.94.%s?fabric=wire");
    }

    @ParameterizedTest
    @ValueSource(strings = {"soft:127.93.%s", "soft:soft99", "soft:sim0?seed=%d"})
    @Tag("variants")
    @Timeout(300)
    void anErrorWhileADeviceIsCreatedLeaksNothingOnTheOtherPaths(String selector) throws Exception {
        errorWhileOpening(selector);
    }

    private static void errorWhileOpening(String selector) throws Exception {
        SoftClasses.controlPath().errorAtEachPoint(InjectedOpening.class, selector, "nio")
                .report("creating and removing " + selector).check(100);
    }

    @Test
    @Timeout(300)
    void anErrorInTheCloseOfAContextLeavesNothingBehindAfterTheNextCall() throws Exception {
        errorInClose("soft:soft7");
    }

    @ParameterizedTest
    @ValueSource(strings = {"soft:127.0.8.13?fabric=wire", "soft:sim0?seed=3"})
    @Tag("variants")
    @Timeout(300)
    void anErrorInTheCloseOfAContextLeavesNothingBehindOnTheOtherPaths(String selector) throws Exception {
        errorInClose(selector);
    }

    private static void errorInClose(String selector) throws Exception {
        errorAtEachPoint(SoftClasses.controlPath(), selector, null, true, Watch.NONE).check(50);
    }

    @ParameterizedTest
    @CsvSource({"delay=1ns, false", "delay=1ns, true", "complete=RETRY_EXC_ERR, false", "complete=RETRY_EXC_ERR, true"})
    @Timeout(300)
    void anErrorInAControlVerbOfFaultInjectionLeaksNothing(String rules, boolean closesContextOnly) throws Exception {
        errorAtEachPoint(SoftClasses.layer("io/jverbs/fault"), "soft:soft7", rules, closesContextOnly,
                Watch.NONE).check(20);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(300)
    void anErrorInAControlVerbOfStrictModeLeaksNothing(boolean closesContextOnly) throws Exception {
        errorAtEachPoint(SoftClasses.layer("io/jverbs/strict", "io/jverbs/strict/tracking"), "soft:soft7",
                InjectedTraffic.STRICT, closesContextOnly, Watch.NONE).check(20);
    }
}
