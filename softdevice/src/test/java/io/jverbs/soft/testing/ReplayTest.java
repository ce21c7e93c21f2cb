package io.jverbs.soft.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.testing.Samples.Aborted;
import io.jverbs.soft.testing.Samples.InAfterEach;
import io.jverbs.soft.testing.Samples.InBeforeEach;
import io.jverbs.soft.testing.Samples.InClosing;
import io.jverbs.soft.testing.Samples.InDynamicTest;
import io.jverbs.soft.testing.Samples.InExtension;
import io.jverbs.soft.testing.Samples.InTest;
import io.jverbs.soft.testing.Samples.Sample;
import io.jverbs.soft.testing.Samples.Twice;
import io.jverbs.testing.SimulatedRdma;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The report that is attached to a failure of a test with a simulated network. */
final class ReplayTest {

    @ParameterizedTest
    @ValueSource(classes = {InTest.class, InBeforeEach.class, InAfterEach.class, Twice.class, InDynamicTest.class,
        InExtension.class, InClosing.class})
    void failureReportsSeedOnceWhereverItOccurs(Class<?> sample) {
        SampleRun run = SampleRun.of(sample);
        assertTrue(run.failure().getMessage().contains("as it should"), run.failure()::toString);
        assertTrue(run.report().startsWith("The simulated network of " + sample.getName() + "#fails had seed "
                + Sample.last.seed() + ": "), run::report);
        assertEquals(2, run.err().split("The simulated network of ", -1).length, run::err);
        assertTrue(run.err().contains(run.report()), run::err);
    }

    @ParameterizedTest
    @ValueSource(classes = {InTest.class, InBeforeEach.class, InAfterEach.class, InDynamicTest.class})
    void reportShowsStateAtTimeOfFailure(Class<?> sample) {
        String report = SampleRun.of(sample).report();
        assertTrue(report.contains(" 0 packets in 0 us"), report);
        assertEquals(Duration.ofSeconds(1), Sample.last.now());
    }

    @Test
    void reportNamesOptionsThatRepeatTheSeed() {
        SampleRun run = SampleRun.of(InTest.class);
        long seed = Sample.last.seed();
        assertTrue(run.report().contains("-Djverbs.sim.seed=" + seed + " or @SimulatedRdma(seed = " + seed + ")"),
                run::report);
        assertTrue(run.report().contains(Sample.last.packetLogHash()), run::report);

        System.setProperty(SimulatedRdma.SEED_PROPERTY, Long.toString(seed));
        try {
            SampleRun.of(InTest.class);
        } finally {
            System.clearProperty(SimulatedRdma.SEED_PROPERTY);
        }
        assertEquals(seed, Sample.last.seed());
    }

    @Test
    void aSeedThatIsNoIntegerIsRefusedWithTheNameOfThePropertyAndThePage() {
        System.setProperty(SimulatedRdma.SEED_PROPERTY, "0x7");
        try {
            assertEquals("system property jverbs.sim.seed=0x7: allowed are integers from -9223372036854775808 to"
                    + " 9223372036854775807; see docs/testing.md",
                    SampleRun.of(InTest.class).failure().getMessage());
        } finally {
            System.clearProperty(SimulatedRdma.SEED_PROPERTY);
        }
    }

    @Test
    void abortedTestHasNoReport() {
        SampleRun run = SampleRun.of(Aborted.class);
        assertEquals(1, run.summary().getTestsAbortedCount());
        assertFalse(run.err().contains("The simulated network"), run::err);
    }
}
