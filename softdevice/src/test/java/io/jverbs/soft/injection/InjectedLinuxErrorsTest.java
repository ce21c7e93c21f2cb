package io.jverbs.soft.injection;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jverbs.injection.InstrumentedClasses;
import io.jverbs.soft.TemporaryProperties;
import java.util.BitSet;
import java.util.Map;
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
 * As {@link InjectedErrorsTest} and {@link InjectedControlTest}, with the sockets of Linux. The JVM must permit native
 * access.
 */
@Tag("variants")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Isolated("it counts the open files of the process")
final class InjectedLinuxErrorsTest {
    private static final String LINUX = "linux";
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

    private void run(InstrumentedClasses instrumented, Class<?> scenario, Object... arguments) throws Exception {
        InstrumentedClasses.Outcome outcome = TemporaryProperties.with(Map.of("jverbs.soft.udp", LINUX),
                () -> instrumented.errorAtEachPoint(scenario, arguments));
        all.or(outcome.points());
        outcome.check(50);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RC", "UC", "UD"})
    @Timeout(300)
    void anErrorInTheDataPathLosesNoRequestAndLeavesNoLockHeld(String type) throws Exception {
        run(dataPath, InjectedTraffic.class, "soft:127.0.8.5?fabric=wire",
                "soft:127.0.8.6?fabric=wire", type, false, null, Watch.NONE);
    }

    @Test
    @Timeout(300)
    void anErrorInAVerbThatCreatesOrClosesAnObjectLeaksNothing() throws Exception {
        run(SoftClasses.controlPath(), InjectedControl.class, "soft:127.0.8.7?fabric=wire", null, false,
                Watch.NONE);
    }

    @Test
    @Timeout(300)
    void anErrorWhileADeviceIsCreatedOrRemovedLeaksNoAddressNoSocketAndNoThread() throws Exception {
        run(SoftClasses.controlPath(), InjectedOpening.class, "soft:127.95.%s?fabric=wire", LINUX);
    }
}
