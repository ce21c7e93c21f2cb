package io.jverbs.contract.end;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests when a wait ends. */
final class WaitTest {

    @Test
    void theConditionIsTestedOnceAfterTheDeadline() {
        Wait wait = new Wait(-1);

        assertTrue(wait.goesOn());
        assertFalse(wait.goesOn());
        assertFalse(wait.goesOn());
    }

    @Test
    void theConditionIsTestedRepeatedlyBeforeTheDeadline() {
        Wait wait = new Wait(3_600_000);

        for (int i = 0; i < 3; i++) {
            assertTrue(wait.goesOn());
        }
    }

    @Test
    void untilReturnsTrueWhenTheConditionHolds() throws InterruptedException {
        AtomicInteger tests = new AtomicInteger();

        assertTrue(Wait.until(3_600_000, () -> tests.incrementAndGet() == 3));
    }

    @Test
    void untilReturnsFalseAfterTheDeadline() throws InterruptedException {
        assertFalse(Wait.until(-1, () -> false));
    }
}
