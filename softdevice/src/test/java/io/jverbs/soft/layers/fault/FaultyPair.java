package io.jverbs.soft.layers.fault;

import io.jverbs.fault.FaultInjection;
import io.jverbs.fault.FaultRule;
import io.jverbs.soft.layers.LayeredPair;
import org.junit.jupiter.api.AfterEach;

/** Base class of tests that open two connected queue pairs behind fault injection with rules. */
abstract class FaultyPair {
    FaultInjection faults;
    LayeredPair pair;

    final void open(FaultRule... rules) {
        faults = FaultInjection.of(rules);
        pair = new LayeredPair(faults);
    }

    @AfterEach
    void close() {
        pair.close();
    }
}
