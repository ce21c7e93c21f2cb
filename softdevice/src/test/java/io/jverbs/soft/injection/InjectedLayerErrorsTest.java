package io.jverbs.soft.injection;

import io.jverbs.injection.InstrumentedClasses;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Throws an Error at each injection point of a layer before the device: while it posts requests, and while it processes
 * completions that it has taken from the device.
 */
final class InjectedLayerErrorsTest {
    private static final String LEFT = "soft:soft17";
    private static final String RIGHT = "soft:soft18";

    @ParameterizedTest
    @CsvSource({"RC, false, delay=1ns", "RC, true, delay=1ns", "RC, false, none", "UD, false, delay=1ns"})
    @Timeout(300)
    void anErrorInFaultInjectionLosesNoCompletion(String type, boolean shared, String faults) throws Exception {
        SoftClasses.layer("io/jverbs/fault")
                .errorAtEachPoint(InjectedTraffic.class, LEFT, RIGHT, type, shared, faults, Watch.NONE).check(20);
    }

    @ParameterizedTest
    @CsvSource({"RC, false", "UD, false"})
    @Timeout(300)
    void anErrorInStrictModeLosesNoCompletion(String type, boolean shared) throws Exception {
        errorInStrictMode(type, shared);
    }

    @Test
    @Tag("variants")
    @Timeout(300)
    void anErrorInStrictModeLosesNoCompletionOfASharedReceiveQueue() throws Exception {
        errorInStrictMode("RC", true);
    }

    private static void errorInStrictMode(String type, boolean shared) throws Exception {
        InstrumentedClasses instrumented = SoftClasses.layer("io/jverbs/strict", "io/jverbs/strict/tracking");
        instrumented.errorAtEachPoint(point -> round(instrumented, type, shared, point)).check(20);
    }

    /** Runs one round in contexts of its own: after an Error, strict mode checks nothing more in a context. */
    private static Object round(InstrumentedClasses instrumented, String type, boolean shared, int point) {
        try (AutoCloseable traffic = instrumented.open(InjectedTraffic.class, LEFT, RIGHT, type, shared,
                InjectedTraffic.STRICT, Watch.NONE)) {
            return ((IntFunction<?>) traffic).apply(point);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
