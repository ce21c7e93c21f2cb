package io.jverbs.bench.wire;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What counts as allocating, of operations that are made up here. */
class LeastAllocationTest {
    private static final int OPERATIONS = 5_000;
    private final LeastAllocation allocation = new LeastAllocation();
    private Object kept;

    @Test
    void anObjectForEachOperationIsFound() {
        for (int i = 0; i < OPERATIONS; i++) {
            kept = new Object();
            allocation.operation();
        }

        String said = assertThrows(IllegalStateException.class, allocation::check).getMessage();
        assertTrue(said.matches("allocates (8|16)\\.0 B/op at the least"), said);
    }

    /** As a list that grows, or code before it is compiled. */
    @Test
    void whatOnlySomeAllocateIsNoDataPaths() {
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
    void ofTooFewOperationsNothingIsSaid() {
        for (int i = 0; i < OPERATIONS - 1; i++) {
            kept = new Object();
            allocation.operation();
        }

        assertDoesNotThrow(allocation::check);
    }
}
