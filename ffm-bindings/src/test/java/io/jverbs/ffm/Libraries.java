package io.jverbs.ffm;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

/** Aborts a test if a library is not installed, or fails it if {@code jverbs.abi.required} is true. */
final class Libraries {

    private Libraries() {}

    static void assumeIbverbs() {
        assume(NativeLibrary.ibverbs());
    }

    static void assumeRdmacm() {
        assume(NativeLibrary.rdmacm());
    }

    private static void assume(NativeLibrary library) {
        if (library instanceof NativeLibrary.Unusable unusable) {
            if (Boolean.getBoolean("jverbs.abi.required")) {
                fail(unusable.reason());
            }
            abort(unusable.reason());
        }
    }
}
