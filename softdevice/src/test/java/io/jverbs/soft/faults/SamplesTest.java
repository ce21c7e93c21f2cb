package io.jverbs.soft.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link Samples} distinguishes a leak from noise. */
final class SamplesTest {
    private static final long BASE = 100L << 20;
    private static final int COUNT = 30;

    private static Samples of(Samples.Measure grows, long more) {
        Samples samples = new Samples();
        for (int i = 0; i < COUNT; i++) {
            long[] sample = {BASE, BASE, BASE, BASE};
            // noise of a quarter of what is allowed
            sample[grows.ordinal()] += more * i / COUNT + (i % 2) * grows.tolerance() / 4;
            samples.add(sample);
        }
        return samples;
    }

    @ParameterizedTest
    @EnumSource
    void aLeakIsReported(Samples.Measure measure) {
        List<String> growth = of(measure, 2 * measure.tolerance()).growth();

        assertEquals(1, growth.size(), growth::toString);
        assertTrue(growth.getFirst().matches(".* grew from 1[0-9.]+ to 1[0-9.]+ MiB, and .*"), growth::toString);
    }

    @ParameterizedTest
    @EnumSource
    void noiseIsNotReported(Samples.Measure measure) {
        assertEquals(List.of(), of(measure, measure.tolerance() / 2).growth());
    }

    @Test
    void growthDuringTheWarmUpIsNotReported() {
        Samples samples = new Samples();
        for (int i = 0; i < COUNT; i++) {
            long now = Math.min(i, COUNT / 5) * (20L << 20);
            samples.add(now, now, now, now);
        }
        assertEquals(List.of(), samples.growth());
    }

    @Test
    void tooFewSamplesAreReported() {
        Samples samples = new Samples();
        samples.add(BASE, BASE, BASE, BASE);

        assertEquals(List.of("1 samples are too few: at least 9 are needed"), samples.growth());
    }

    @Test
    void aSampleHasTheHeapOfThisJvm() throws Exception {
        long[] sample = new Samples().take();

        assertTrue(sample[Samples.Measure.HEAP.ordinal()] > 1 << 20, () -> Samples.line(sample));
    }
}
