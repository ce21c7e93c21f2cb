package io.jverbs.soft.injection;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jverbs.injection.InstrumentedClasses;
import io.jverbs.soft.TemporaryProperties;
import java.util.BitSet;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * As {@link InjectedErrorsTest}, {@link InjectedControlTest} and {@link InjectedWaitsTest}, with the sockets of Linux.
 * The JVM must permit native access.
 */
@Tag("variants")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Isolated("it counts the open files of the process")
final class InjectedLinuxErrorsTest {
    private static final String LINUX = "linux";
    /** Of a device at an address of its own in each test: the classes of the other one keep theirs open. */
    private static final String WAITS = "soft:127.0.8.%d?fabric=wire";
    private static final int VIRTUAL_THREADS = 3;
    private static final int POINTS = 50;
    /** The classes that wait have fewer points. */
    private static final int WAIT_POINTS = 30;
    private static final int ATTEMPTS = 20;

    private final BitSet all = new BitSet();
    private InstrumentedClasses dataPath;

    @BeforeAll
    void instrument() throws Exception {
        assumeTrue(System.getProperty("os.name").equals("Linux")
                && InjectedLinuxErrorsTest.class.getModule().isNativeAccessEnabled(), "no native access");
        dataPath = SoftClasses.dataPath();
    }

    @AfterAll
    void report() {
        System.out.println("Errors were injected at " + all.cardinality() + " points with the sockets of Linux.");
    }

    /** Requires at least a number of points at which an Error was thrown. */
    private void run(int points, InstrumentedClasses instrumented, Class<?> scenario, Object... arguments)
            throws Exception {
        InstrumentedClasses.Outcome outcome = TemporaryProperties.with(Map.of("jverbs.soft.udp", LINUX),
                () -> instrumented.errorAtEachPoint(scenario, arguments));
        all.or(outcome.points());
        outcome.check(points);
    }

    @Test
    @Timeout(300)
    void anErrorWhileVirtualThreadsWaitKeepsNobodyFromReceiving() throws Exception {
        run(WAIT_POINTS, SoftClasses.waits(), InjectedWaits.class, WAITS.formatted(23), WAITS.formatted(24),
                VIRTUAL_THREADS);
    }

    @Test
    @Timeout(300)
    void twoErrorsInTheVirtualThreadThatReceivesKeepNobodyFromReceiving() throws Exception {
        InstrumentedClasses instrumented = SoftClasses.waits();
        InstrumentedClasses.Outcome outcome = TemporaryProperties.with(Map.of("jverbs.soft.udp", LINUX), () -> {
            try (AutoCloseable waits = instrumented.open(InjectedWaits.class, WAITS.formatted(25),
                    WAITS.formatted(26), VIRTUAL_THREADS)) {
                return twoErrors(instrumented, (IntFunction<?>) waits);
            }
        });
        outcome.report("the failure of a virtual thread that receives").check(1);
    }

    /** More than once if the device's thread received in place of the virtual one, because other processes ran. */
    private static InstrumentedClasses.Outcome twoErrors(InstrumentedClasses instrumented, IntFunction<?> waits)
            throws Exception {
        InstrumentedClasses.Outcome outcome = null;
        for (int i = 0; i < ATTEMPTS && (outcome == null || outcome.points().isEmpty()); i++) {
            outcome = instrumented.errorAfterError(waits, point -> point.startsWith("VirtualReceiver.receive"));
            outcome.check(0);
        }
        return outcome;
    }

    @ParameterizedTest
    @ValueSource(strings = {"RC", "UC", "UD"})
    @Timeout(300)
    void anErrorInTheDataPathLosesNoRequestAndLeavesNoLockHeld(String type) throws Exception {
        run(POINTS, dataPath, InjectedTraffic.class, "soft:127.0.8.5?fabric=wire",
                "soft:127.0.8.6?fabric=wire", type, false, null, Watch.NONE);
    }

    @Test
    @Timeout(300)
    void anErrorInAVerbThatCreatesOrClosesAnObjectLeaksNothing() throws Exception {
        run(POINTS, SoftClasses.controlPath(), InjectedControl.class, "soft:127.0.8.7?fabric=wire", null, false,
                Watch.NONE);
    }

    @Test
    @Timeout(300)
    void anErrorWhileADeviceIsCreatedOrRemovedLeaksNoAddressNoSocketAndNoThread() throws Exception {
        run(POINTS, SoftClasses.controlPath(), InjectedOpening.class, "soft:127.95.%s?fabric=wire", LINUX);
    }
}
