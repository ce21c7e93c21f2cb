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

/** Idle costs no CPU and no thread; looked at in a JVM of its own, where no other test leaves threads behind. */
final class IdleTest {

    @Test
    void idleCostsNoCpuAndNoThread(@TempDir Path folder) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        Process probe = new ProcessBuilder(TestJvm.java(), "-cp",
                System.getProperty("java.class.path"), IdleProbe.class.getName()).redirectErrorStream(true)
                .redirectOutput(output.toFile()).start();
        probe.getOutputStream().close();
        boolean ended = probe.waitFor(Team.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        probe.destroyForcibly();
        String said = Files.readString(output);
        assertTrue(ended, () -> "the probe does not end: " + said);
        assertEquals(0, probe.exitValue(), said);
    }
}
