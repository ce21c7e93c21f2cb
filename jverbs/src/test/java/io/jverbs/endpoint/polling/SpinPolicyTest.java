package io.jverbs.endpoint.polling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.endpoint.EndpointOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A thread polls before it blocks, unless earlier polls have not found what they waited for. */
class SpinPolicyTest {
    private final SpinPolicy policy = new SpinPolicy();

    /** Returns the number of waits that block at once before the next one that polls. */
    private int waitsWithoutSpin() {
        int count = 0;
        while (!policy.mustSpin()) {
            count++;
        }
        return count;
    }

    @Test
    void everyWaitPollsWhileMessagesArriveInTime() {
        for (int i = 0; i < 1000; i++) {
            assertTrue(policy.mustSpin());
            policy.spun(true);
        }
    }

    @Test
    void theNextWaitBlocksAtOnceAfterASpinThatReachedNothing() {
        assertTrue(policy.mustSpin());
        policy.spun(false);

        assertFalse(policy.mustSpin());
        assertTrue(policy.mustSpin());
    }

    @Test
    void theNumberOfWaitsThatBlockDoublesWithEachSuchSpinUpToTheMaximum() {
        assertEquals(0, waitsWithoutSpin());
        int expected = 1;
        for (int i = 0; i < 20; i++) {
            policy.spun(false);
            assertEquals(expected, waitsWithoutSpin());
            expected = Math.min(2 * expected, SpinPolicy.MAX_WAITS_WITHOUT_SPIN);
        }
        assertEquals(64, SpinPolicy.MAX_WAITS_WITHOUT_SPIN);
    }

    @Test
    void aMessageInTimeBeginsFromOneAgain() {
        for (int i = 0; i < 20; i++) {
            policy.spun(false);
            waitsWithoutSpin();
        }
        policy.spun(true);
        assertEquals(0, waitsWithoutSpin());

        policy.spun(false);
        assertEquals(1, waitsWithoutSpin());
    }

    @Test
    void withOneProcessorNoWaitPollsByDefault() {
        boolean one = Runtime.getRuntime().availableProcessors() == 1;

        assertEquals(one ? Duration.ZERO : Duration.ofNanos(50_000), EndpointOptions.DEFAULT.spin());
        assertEquals(EndpointOptions.DEFAULT.spin(), EndpointOptions.builder().build().spin());
    }
}
