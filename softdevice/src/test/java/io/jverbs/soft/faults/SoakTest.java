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

/** Memory stays flat under traffic of every kind; for as long as -Djverbs.soak.minutes says, 30 in the profile "nightly". */
final class SoakTest {
    private static final String MINUTES = System.getProperty("jverbs.soak.minutes", "0");
    private static final long MORE_MINUTES = 5;

    @Test
    @DisabledIfSystemProperty(named = "jverbs.soak.minutes", matches = "0", disabledReason = "takes half an hour: -Pnightly, or -Djverbs.soak.minutes=N")
    @Timeout(value = 1, unit = TimeUnit.DAYS)
    void heapAndNativeMemoryStayFlat() throws Exception {
        // a heap of one size, so that what is resident is the rest
        Process process = new ProcessBuilder(List.of(
                TestJvm.java(), "-Xms192m", "-Xmx192m",
                "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch", "-XX:NativeMemoryTracking=summary", "-cp",
                TestJvm.classPath(),
                Soak.class.getName(), MINUTES)).redirectErrorStream(true).start();
        Thread.ofPlatform().daemon().start(() -> show(process.inputReader()));
        long limit = (long) (Double.parseDouble(MINUTES) * 60) + TimeUnit.MINUTES.toSeconds(MORE_MINUTES);
        try {
            assertTrue(process.waitFor(limit, TimeUnit.SECONDS), "the soak does not end");
            assertEquals(0, process.exitValue(), "the soak failed: see what it printed");
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
            // it was stopped
        }
    }
}
