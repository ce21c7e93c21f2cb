package io.jverbs.soft.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.end.remote.TestJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/**
 * Memory use stays flat under traffic of every kind. The system property jverbs.soak.minutes sets the duration; the
 * profile "nightly" sets it to 30.
 */
final class SoakTest {
    private static final String MINUTES = System.getProperty("jverbs.soak.minutes", "0");
    private static final long EXTRA_MINUTES = 5;
    private static final String REASON = "takes half an hour: -Pnightly, or -Djverbs.soak.minutes=N";

    @Test
    @DisabledIfSystemProperty(named = "jverbs.soak.minutes", matches = "0", disabledReason = REASON)
    @Timeout(value = 1, unit = TimeUnit.DAYS)
    void heapAndNativeMemoryStayFlat() throws Exception {
        // the heap has a fixed size, so that the resident size changes only with the memory outside the heap
        Process process = new ProcessBuilder(List.of(
                TestJvm.java(), "-Xms192m", "-Xmx192m",
                "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch", "-XX:NativeMemoryTracking=summary", "-cp",
                TestJvm.classPath(),
                Soak.class.getName(), MINUTES)).redirectErrorStream(true).start();
        Thread.ofPlatform().daemon().start(() -> show(process.inputReader()));
        long limit = (long) (Double.parseDouble(MINUTES) * 60) + TimeUnit.MINUTES.toSeconds(EXTRA_MINUTES);
        try {
            assertTrue(process.waitFor(limit, TimeUnit.SECONDS), "the soak test did not end in time");
            assertEquals(0, process.exitValue(), "the soak test failed: see its output");
        } finally {
            process.destroyForcibly();
        }
    }

    private static void show(BufferedReader printed) {
        try {
            for (String line = printed.readLine(); line != null; line = printed.readLine()) {
                System.out.println(line);
            }
        } catch (IOException e) {
            // the process was stopped
        }
    }
}
