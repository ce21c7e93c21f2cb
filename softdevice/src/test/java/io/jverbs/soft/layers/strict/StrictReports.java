package io.jverbs.soft.layers.strict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.strict.StrictMode;
import io.jverbs.strict.Violation;
import io.jverbs.strict.Violation.Kind;
import java.util.List;

/** Base class of tests of strict mode. It checks the reported violations, whose place must be in the test class. */
abstract class StrictReports {
    final StrictMode strict = StrictMode.reporting();

    final List<Kind> found() {
        return strict.violations().stream().map(Violation::kind).toList();
    }

    final void assertFound(Kind kind, String... parts) {
        assertEquals(List.of(kind), found(), () -> strict.violations().toString());
        Violation violation = strict.violations().getFirst();
        for (String part : parts) {
            assertTrue(violation.explanation().contains(part), violation::toString);
        }
        assertEquals(getClass().getName(), violation.place().getClassName(), violation::toString);
    }

    final void assertNothingFound() {
        assertEquals(List.of(), strict.violations());
    }
}
