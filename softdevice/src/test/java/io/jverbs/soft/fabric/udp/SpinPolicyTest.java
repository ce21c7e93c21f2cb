package io.jverbs.soft.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Which waits spin before they block. */
final class SpinPolicyTest {
    private static final int MANY = 1000;

    private final SpinPolicy policy = new SpinPolicy(2);

    /** Begins waits until one spins; returns how many did not. */
    private int waitsWithoutSpin() {
        int count = 0;
        while (!policy.mustSpin()) {
            count++;
            assertTrue(count < MANY, "no wait spins");
        }
        return count;
    }

    @Test
    void waitsSpinWhileEventsComeInTime() {
        for (int i = 0; i < MANY; i++) {
            assertTrue(policy.mustSpin());
            policy.found();
        }
    }

    @Test
    void afterEachSpinThatFindsNothingTwiceAsManyWaitsDoNotSpinUpToSixtyFour() {
        assertTrue(policy.mustSpin());
        for (int expected : new int[] {1, 2, 4, 8, 16, 32, 64, 64, 64}) {
            policy.foundNothing();
            assertEquals(expected, waitsWithoutSpin());
        }
    }

    @Test
    void anEventInTimeMakesAllWaitsSpinAgainUntilOneFindsNothing() {
        assertTrue(policy.mustSpin());
        for (int i = 0; i < 10; i++) {
            policy.foundNothing();
            waitsWithoutSpin();
        }
        policy.found();
        assertEquals(0, waitsWithoutSpin());
        policy.foundNothing();
        assertEquals(1, waitsWithoutSpin());
        policy.foundNothing();
        assertEquals(2, waitsWithoutSpin());
    }

    @Test
    void withOneProcessorNoWaitSpins() {
        SpinPolicy single = new SpinPolicy(1);
        for (int i = 0; i < MANY; i++) {
            assertFalse(single.mustSpin());
        }
    }
}
