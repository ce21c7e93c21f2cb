package io.jverbs.ffm;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

/** Aborts a test if libibverbs is not installed, or fails it if {@code jverbs.abi.required} is true. */
final class Libraries {

    private Libraries() {}

    static void assumeIbverbs() {
        if (NativeLibrary.ibverbs() instanceof NativeLibrary.Unusable unusable) {
            if (Boolean.getBoolean("jverbs.abi.required")) {
                fail(unusable.reason());
            }
            abort(unusable.reason());
        }
    }
}
