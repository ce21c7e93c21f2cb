package io.jverbs.soft.layers;

import io.jverbs.fault.FaultInjection;
import io.jverbs.fault.FaultRule;
import org.junit.jupiter.api.AfterEach;

/** A pair of queue pairs behind faults, for tests that open it with rules of their own. */
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
