package io.jverbs.bench.process;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The detection of allocations in made-up operations. */
class MinimumAllocationTest {
    private static final int OPERATIONS = 5_000;
    private final MinimumAllocation allocation = new MinimumAllocation();
    private Object kept;

    @Test
    void anObjectForEachOperationIsFound() {
        for (int i = 0; i < OPERATIONS; i++) {
            kept = new Object();
            allocation.operation();
        }

        String message = assertThrows(IllegalStateException.class, allocation::check).getMessage();
        assertTrue(message.matches("allocates at least (8|16)\\.0 B/op"), message);
    }

    /** A list that grows, or code before its compilation, allocates in some operations only. */
    @Test
    void allocationsOfSomeOperationsAreIgnored() {
        for (int i = 0; i < OPERATIONS; i++) {
            if (i < OPERATIONS / 2 || i % 100 == 0) {
                kept = new long[i + 1];
            }
            allocation.operation();
        }

        assertDoesNotThrow(allocation::check);
        assertTrue(kept != null);
    }

    @Test
    void tooFewOperationsAreNotJudged() {
        for (int i = 0; i < OPERATIONS - 1; i++) {
            kept = new Object();
            allocation.operation();
        }

        assertDoesNotThrow(allocation::check);
    }
}
