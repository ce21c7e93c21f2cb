package io.jverbs.rsocket.polling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** When a thread that waits polls before it blocks. */
class SpinPolicyTest {
    private final SpinPolicy policy = new SpinPolicy();

    /** Returns how many waits do not poll before the next one that does. */
    private int skips() {
        int count = 0;
        while (!policy.mustSpin()) {
            count++;
        }
        return count;
    }

    private int skipsAfterFailure() {
        policy.spun(false);
        return skips();
    }

    private void succeed(int times) {
        for (int i = 0; i < times; i++) {
            assertTrue(policy.mustSpin());
            policy.spun(true);
        }
    }

    @Test
    void pollsThatAreTooShortAreFollowedByTwiceAsManyWaitsThatBlockAtOnce() {
        assertEquals(0, skips());
        for (int expected = 1; expected <= SpinPolicy.MAX_SKIPS; expected *= 2) {
            assertEquals(expected, skipsAfterFailure());
        }
        assertEquals(SpinPolicy.MAX_SKIPS, skipsAfterFailure());
    }

    @Test
    void aThreadPollsAsLongAsItReachesWhatItWaitsFor() {
        for (int i = 0; i < 10; i++) {
            skipsAfterFailure();
        }
        succeed(1000);
    }

    @Test
    void oneFailureAmongManySuccessesCostsOneWait() {
        for (int i = 0; i < 10; i++) {
            skipsAfterFailure();
        }
        succeed(100);
        for (int i = 0; i < 10; i++) {
            assertEquals(1, skipsAfterFailure());
            succeed(SpinPolicy.SUCCESSES);
        }
    }

    @Test
    void ifEachTenthWaitIsTooLongMostWaitsBlockAtOnce() {
        int blocked = 0;
        for (int i = 0; i < 20; i++) {
            blocked = skipsAfterFailure();
            succeed(9);
        }
        assertEquals(SpinPolicy.MAX_SKIPS, blocked);
    }
}
