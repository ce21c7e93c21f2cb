package io.jverbs.soft.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.end.remote.TestJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An idle device uses no CPU time and no thread. Runs in a separate JVM, without threads left by other tests. */
final class IdleTest {

    @Test
    void idleDeviceUsesNoCpuTimeAndNoThread(@TempDir Path folder) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        Process probe = new ProcessBuilder(TestJvm.java(), "-cp",
                System.getProperty("java.class.path"), IdleProbe.class.getName()).redirectErrorStream(true)
                .redirectOutput(output.toFile()).start();
        probe.getOutputStream().close();
        boolean ended = probe.waitFor(WorkerThreads.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        probe.destroyForcibly();
        String printed = Files.readString(output);
        assertTrue(ended, () -> "the probe did not end: " + printed);
        assertEquals(0, probe.exitValue(), printed);
    }
}
