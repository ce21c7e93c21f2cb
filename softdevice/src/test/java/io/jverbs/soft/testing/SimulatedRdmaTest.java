package io.jverbs.soft.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.testing.SimulatedRdma;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** The extension {@link SimulatedRdma}: parameters, annotations on methods and nested classes, seeds. */
@SimulatedRdma(seed = 21, devices = 3, options = "delay=7us")
final class SimulatedRdmaTest {
    private static final Set<Long> SEEDS = new HashSet<>();

    private SimulatedNetwork before;

    @BeforeEach
    void remember(SimulatedNetwork network) {
        before = network;
    }

    @AfterEach
    void contextsAreStillOpen(RdmaContext[] contexts) {
        for (RdmaContext context : contexts) {
            assertFalse(context.isClosed());
        }
    }

    @Test
    void parametersAreContextsInDeviceOrder(RdmaContext first, SimulatedNetwork network, RdmaContext second,
            RdmaContext[] all) {
        assertSame(before, network);
        assertEquals(21, network.seed());
        assertEquals(3, all.length);
        assertSame(first, all[0]);
        assertSame(second, all[1]);
        assertTrue(first.device().name().startsWith("sim0"), first.device()::name);
        assertTrue(second.device().name().startsWith("sim1"), second.device()::name);
        assertEquals(network, second.device().capability(SimulatedNetwork.class).orElseThrow());
        assertEquals(0, network.packetCount());
    }

    @Test
    @SimulatedRdma(devices = 1)
    void annotationOfMethodOverridesThatOfClass(RdmaContext[] all, SimulatedNetwork network) {
        assertEquals(1, all.length);
        assertNotEquals(21, network.seed());
    }

    @RepeatedTest(3)
    @SimulatedRdma
    void repetitionsWithoutSeedDrawDistinctSeeds(SimulatedNetwork network) {
        assertTrue(SEEDS.add(network.seed()));
    }

    @Nested
    class Inherited {
        @Test
        void nestedClassInheritsAnnotationOfEnclosingClass(SimulatedNetwork network, RdmaContext[] all) {
            assertSame(before, network);
            assertEquals(21, network.seed());
            assertEquals(3, all.length);
        }

        @Nested
        @SimulatedRdma(seed = 22)
        class Overridden {
            @Test
            void annotationOfNestedClassOverridesInheritedOne(SimulatedNetwork network, RdmaContext[] all) {
                assertEquals(22, network.seed());
                assertEquals(2, all.length);
            }
        }
    }

    @Test
    void moreContextParametersThanDevicesAreRejected() {
        SampleRun run = SampleRun.of(Samples.WantsTooMany.class);
        assertTrue(run.failure().toString().contains("RdmaContext 3, but"), run.failure()::toString);
        assertTrue(run.failure().toString().contains("devices = 2"), run.failure()::toString);
    }
}
