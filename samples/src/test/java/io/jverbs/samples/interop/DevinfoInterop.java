package io.jverbs.samples.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.Run;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/**
 * The sample devinfo with ibv_devinfo of libibverbs. It needs rxe0: {@code .ci/rxe-samples} runs it in a virtual
 * machine, and its name keeps it out of the build's tests.
 */
class DevinfoInterop {
    private static final int LEAST_FIELDS = 60;

    @Test
    void itPrintsTheLinesOfTheProgram() throws Exception {
        Process process = new ProcessBuilder("ibv_devinfo", "-v", "-d", "rxe0").redirectErrorStream(true).start();
        String theirs = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), theirs);
        assertTrue(theirs.lines().filter(line -> line.contains(":")).count() >= LEAST_FIELDS, theirs);

        Run run = Run.on("native:rxe0", "devinfo", "-v", "-d", "rxe0");

        assertEquals(0, run.status(), run.out() + run.err());
        assertEquals("", run.err());
        // ibv_devinfo does not print the last line
        int last = run.lines().size() - 1;
        assertEquals("auto takes native:rxe0; -Djverbs.device=native:rxe0 takes native:rxe0", run.lines().get(last));
        assertEquals(theirs.stripTrailing(), String.join("\n", run.lines().subList(0, last)).stripTrailing());
    }
}
