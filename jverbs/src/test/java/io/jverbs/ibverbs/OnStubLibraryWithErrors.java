package io.jverbs.ibverbs;

import io.jverbs.RdmaContext;
import io.jverbs.injection.InstrumentedClasses;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Throws an Error at each injection point of the native device's control verbs, with a stub of libibverbs.
 * {@link NativeDataPathTest} runs it.
 */
class OnStubLibraryWithErrors {
    private static final List<String> API = List.of("RdmaContext", "ContextObjects", "RemainingObjects", "Resource",
            "ProtectionDomain", "CompletionChannel",
            "CompletionQueue", "MemoryRegion", "SharedReceiveQueue", "AddressHandle", "QueuePair", "spi/EventCounter",
            "RdmaDevice", "spi/ServiceLoop");

    @Test
    void anErrorInAControlVerbLeaksNothingAndDestroysNothingTwice() throws Exception {
        List<byte[]> files = new ArrayList<>();
        for (String folder : List.of("", "/shared", "/rdmacm")) {
            files.addAll(InstrumentedClasses.filesOf(NativeContext.class, "io/jverbs/ibverbs" + folder));
        }
        for (String name : API) {
            files.add(InstrumentedClasses.file(RdmaContext.class, "io/jverbs/" + name));
        }
        InstrumentedClasses.of(files, List.of()).errorAtEachPoint(NativeControl.class)
                .report("the native device's control verbs").check(100);
    }
}
