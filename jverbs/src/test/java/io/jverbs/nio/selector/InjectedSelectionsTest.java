package io.jverbs.nio.selector;

import io.jverbs.injection.InstrumentedClasses;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Throws an Error at each injection point of selectors. */
final class InjectedSelectionsTest {

    @Test
    @Timeout(300)
    void anErrorInASelectorLosesNoKeyAndNoWakeup() throws Exception {
        InstrumentedClasses.of(InstrumentedClasses.filesOf(RdmaSelector.class, "io/jverbs/nio/selector"), List.of())
                .errorAtEachPoint(InjectedSelections.class).report("selectors").check(50);
    }
}
