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

/** What people see when a test with a simulated network fails. */
final class ReplayTest {

    @ParameterizedTest
    @ValueSource(classes = {InTest.class, InBeforeEach.class, InAfterEach.class, Twice.class, InDynamicTest.class,
        InExtension.class, InClosing.class})
    void aFailureTellsTheSeedOnceWhereverItIs(Class<?> sample) {
        SampleRun run = SampleRun.of(sample);
        assertTrue(run.failure().getMessage().contains("as it should"), run.failure()::toString);
        assertTrue(run.told().startsWith("The simulated network of " + sample.getName() + "#fails had seed "
                + Sample.last.seed() + ": "), run::told);
        assertEquals(2, run.err().split("The simulated network of ", -1).length, run::err);
        assertTrue(run.err().contains(run.told()), run::err);
    }

    @ParameterizedTest
    @ValueSource(classes = {InTest.class, InBeforeEach.class, InAfterEach.class, InDynamicTest.class})
    void itTellsOfTheMomentOfTheFailure(Class<?> sample) {
        String told = SampleRun.of(sample).told();
        assertTrue(told.contains(" 0 packets in 0 us"), told);
        assertEquals(Duration.ofSeconds(1), Sample.last.now());
    }

    @Test
    void itTellsHowToRunTheTestAgainWithTheSeed() {
        SampleRun run = SampleRun.of(InTest.class);
        long seed = Sample.last.seed();
        assertTrue(run.told().contains("-Djverbs.sim.seed=" + seed + " or @SimulatedRdma(seed = " + seed + ")"),
                run::told);
        assertTrue(run.told().contains(Sample.last.packetLogHash()), run::told);

        System.setProperty(SimulatedRdma.SEED_PROPERTY, Long.toString(seed));
        try {
            SampleRun.of(InTest.class);
        } finally {
            System.clearProperty(SimulatedRdma.SEED_PROPERTY);
        }
        assertEquals(seed, Sample.last.seed());
    }

    @Test
    void aTestThatDoesNotApplyTellsNothing() {
        SampleRun run = SampleRun.of(Aborted.class);
        assertEquals(1, run.summary().getTestsAbortedCount());
        assertFalse(run.err().contains("The simulated network"), run::err);
    }
}
