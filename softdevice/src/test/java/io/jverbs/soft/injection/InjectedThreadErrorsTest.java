package io.jverbs.soft.injection;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.injection.InstrumentedClasses;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Throws an Error in the loop of a device's own thread, and a second one at each injection point of the code that
 * handles the first. The thread goes on.
 */
final class InjectedThreadErrorsTest {
    private static final String LOOP = "call ServiceLoop.begin";

    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).collect(Collectors.toSet());
    }

    @ParameterizedTest
    @CsvSource({"ReceiveThread.run, none, jverbs-soft-127.0.8.8", "CaptureFile.writeAll, capture, jverbs-capture"})
    @Timeout(120)
    void anErrorWhileAnErrorIsHandledDoesNotEndTheThread(String loop, String watched, String thread) throws Exception {
        InstrumentedClasses instrumented = SoftClasses.dataPath();
        InstrumentedClasses.Outcome outcome;
        String devices = loop.startsWith("Receive") ? "soft:127.0.8.%d?fabric=wire" : "soft:soft%d";
        try (AutoCloseable traffic = instrumented.open(InjectedTraffic.class, devices.formatted(8),
                devices.formatted(9), "RC", false, null, watched)) {
            outcome = instrumented.errorAfterError((IntFunction<?>) traffic,
                    point -> point.startsWith(loop) && point.endsWith(LOOP));
            assertTrue(threads().contains(thread), thread);
        }
        System.out.println("A second Error was injected at " + outcome.points().cardinality() + " points of " + loop);
        outcome.check(1);
    }
}
