package io.jverbs.ibverbs;

import io.jverbs.injection.InstrumentedClasses;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/**
 * Throws an Error at each injection point of the native device's connection manager, with a stub of librdmacm.
 * {@link NativeDataPathTest} runs it.
 */
class OnStubConnectionManagerWithErrors {

    @Test
    void anErrorLeaksNothingAndDestroysNothingTwice() throws Exception {
        List<byte[]> files = new ArrayList<>();
        for (String folder : List.of("", "/shared", "/rdmacm")) {
            files.addAll(InstrumentedClasses.filesOf(NativeContext.class, "io/jverbs/ibverbs" + folder));
        }
        InstrumentedClasses instrumented = InstrumentedClasses.of(files, List.of());
        InstrumentedClasses.Outcome outcome;
        try (AutoCloseable control = instrumented.open(NativeCmControl.class)) {
            outcome = instrumented.errorAtEachPoint((IntFunction<?>) control);
        }
        System.out.println("Errors were injected at " + outcome.points().cardinality()
                + " points of the native device's connection manager.");
        outcome.check(50);
    }
}
