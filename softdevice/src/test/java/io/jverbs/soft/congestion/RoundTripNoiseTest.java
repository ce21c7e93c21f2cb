package io.jverbs.soft.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which round-trip times count as noise. The times are in nanoseconds. */
final class RoundTripNoiseTest {
    private static final int MANY = 400;
    private static final int BASE = 10_000;
    private static final int JITTER = 20_000;

    private final RoundTripNoise noise = new RoundTripNoise();
    private final Random random = new Random(7);

    private void addJitter(int count) {
        for (int i = 0; i < count; i++) {
            noise.add(BASE + random.nextInt(JITTER) + random.nextInt(JITTER));
        }
    }

    @Test
    void jitterOfTheLinksIsPermittedAfterFiveBlocks() {
        addJitter(87);
        assertEquals(0, noise.allowance());
        addJitter(MANY);
        assertTrue(noise.allowance() > JITTER, () -> "" + noise.allowance());
        assertTrue(noise.allowance() < 4 * JITTER, () -> "" + noise.allowance());
    }

    /** The argument is the number of round trips after which the time of a queue repeats. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7, 8, 100})
    void theTimesOfAQueueAreNoNoise(int period) {
        for (int i = 0; i < MANY; i++) {
            noise.add(BASE + JITTER * (i % period) / period);
        }
        assertEquals(0, noise.allowance());
    }

    @Test
    void aSmallPartOfTheTimesIsNoNoise() {
        for (int i = 0; i < MANY; i++) {
            noise.add(10 * BASE + random.nextInt(JITTER));
        }
        assertEquals(0, noise.allowance());
    }

    @Test
    void noiseIsForgotten() {
        addJitter(MANY);
        long before = noise.allowance();
        for (int i = 0; i < 100; i++) {
            noise.age();
        }
        assertTrue(noise.allowance() < before / 2);
    }
}
