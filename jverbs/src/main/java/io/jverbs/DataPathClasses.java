package io.jverbs;

import io.jverbs.spi.EagerClasses;
import java.util.List;

/**
 * The classes of this package that posting, polling and their exceptions use and that have a static initializer. They
 * are initialized once, when the first device is opened. If an initializer failed on the data path, for example because
 * of a stack overflow, its class could not be used any more.
 */
final class DataPathClasses {
    private static final String PACKAGE = "io.jverbs.";
    private static final List<String> NAMES = List.of(
            "Access", "AsyncEventType", "Errno", "MwType", "PostFailure", "Psn", "QpAttribute",
            "QpAttributeRanges$1", "QpAttributeValues$1", "QpState", "QpTransitionTable", "QpTransitions$1", "QpType",
            "SendChain", "SendFlags", "SendRefusal$1", "SendRefusal", "SendWrWriter", "WcFlags", "WcOpcode",
            "WcStatus", "WorkCompletions", "WrOpcode");

    private static volatile boolean initialized;

    private DataPathClasses() {}

    /** Initializes the classes on the first call. */
    static void initialize() {
        if (!initialized) {
            EagerClasses.initialize(DataPathClasses.class, NAMES.stream().map(PACKAGE::concat).toList());
            initialized = true;
        }
    }
}
