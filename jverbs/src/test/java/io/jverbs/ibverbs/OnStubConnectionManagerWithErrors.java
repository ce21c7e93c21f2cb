package io.jverbs.ibverbs;

import io.jverbs.injection.InstrumentedClasses;
import java.util.ArrayList;
import java.util.List;
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
        InstrumentedClasses.of(files, List.of()).errorAtEachPoint(NativeCmControl.class)
                .report("the native device's connection manager").check(50);
    }
}
