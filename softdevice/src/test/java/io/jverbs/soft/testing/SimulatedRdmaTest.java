package io.jverbs.soft.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.jverbs.RdmaContext;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.testing.SimulatedRdma;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Tests with a simulated network, as people write them; what they see when one fails. */
@SimulatedRdma(seed = 21, devices = 3, options = "delay=7us")
final class SimulatedRdmaTest {
    private static final Set<Long> SEEDS = new HashSet<>();

    private SimulatedNetwork before;

    @BeforeEach
    void remember(SimulatedNetwork network) {
        before = network;
    }

    @AfterEach
    void stillOpen(RdmaContext[] contexts) {
        for (RdmaContext context : contexts) {
            assertFalse(context.isClosed());
        }
    }

    @Test
    void parametersAreTheDevicesInTheirOrder(RdmaContext first, SimulatedNetwork network, RdmaContext second,
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
    void aMethodsOwnAnnotationGoesFirst(RdmaContext[] all, SimulatedNetwork network) {
        assertEquals(1, all.length);
        assertNotEquals(21, network.seed());
    }

    @RepeatedTest(3)
    @SimulatedRdma
    void seedsThatAreDrawnAreOthersEachTime(SimulatedNetwork network) {
        assertTrue(SEEDS.add(network.seed()));
    }

    /** Fails when it is asked to. */
    @SimulatedRdma
    static final class Sample {
        static SimulatedNetwork last;

        @Test
        void fails(SimulatedNetwork network) {
            last = network;
            if (Boolean.getBoolean("jverbs.sample.run")) {
                fail("as it should");
            }
        }

        @Test
        void isNotApplicable() {
            Assumptions.abort("not here");
        }

        @Test
        void wantsTooMany(RdmaContext one, RdmaContext two, RdmaContext three) {
            fail("has " + Arrays.asList(one, two, three));
        }
    }

    private static TestExecutionSummary runSample(ByteArrayOutputStream err) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(Sample.class))
                .build();
        PrintStream former = System.err;
        System.setProperty("jverbs.sample.run", "true");
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            LauncherFactory.create().execute(request, listener);
        } finally {
            System.setErr(former);
            System.clearProperty("jverbs.sample.run");
        }
        return listener.getSummary();
    }

    private static Throwable failure(TestExecutionSummary summary, String test) {
        return summary.getFailures().stream().filter(each -> each.getTestIdentifier().getDisplayName().startsWith(test))
                .findFirst().orElseThrow().getException();
    }

    @Test
    void aFailureTellsTheSeedAndHowToRunItAgain() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Throwable failure = failure(runSample(err), "fails");
        String told = failure.getSuppressed()[0].getMessage();
        long seed = Sample.last.seed();
        assertTrue(told.contains(Sample.class.getName() + "#fails"), told);
        assertTrue(told.contains("had seed " + seed), told);
        assertTrue(told.contains("-Djverbs.sim.seed=" + seed + " or @SimulatedRdma(seed = " + seed + ")"), told);
        assertTrue(told.contains(Sample.last.packetLogHash()), told);
        assertTrue(err.toString(StandardCharsets.UTF_8).contains(told));

        System.setProperty("jverbs.sim.seed", Long.toString(seed));
        try {
            runSample(new ByteArrayOutputStream());
        } finally {
            System.clearProperty("jverbs.sim.seed");
        }
        assertEquals(seed, Sample.last.seed());
    }

    @Test
    void moreContextsThanDevicesAreRefused() {
        String told = String.valueOf(failure(runSample(new ByteArrayOutputStream()), "wantsTooMany"));
        assertTrue(told.contains("RdmaContext 3") && told.contains("devices = 2"), told);
    }
}
