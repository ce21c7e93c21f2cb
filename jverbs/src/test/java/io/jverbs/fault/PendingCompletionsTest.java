package io.jverbs.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.end.remote.TestJvm;
import io.jverbs.spi.WcLayout;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The completions that fault injection holds or delays keep their order, and none is lost. */
final class PendingCompletionsTest {
    private static final int SECONDS = 100;
    private static final int MOST = 1_000;

    private final PendingCompletions pending = new PendingCompletions(() -> MOST);
    private final MemorySegment memory = MemorySegment.ofArray(new long[(int) WcLayout.SIZE / Long.BYTES]);

    @TempDir
    private Path folder;

    private long take() {
        assertTrue(pending.take(memory, 0, 0), "no completion is visible");
        return memory.get(ValueLayout.JAVA_LONG, WcLayout.WR_ID);
    }

    @Test
    void completionsKeepTheirOrderWhileTheirNumberGrowsAndShrinks() {
        long added = 0;
        long taken = 0;
        for (int more = 1; more < 40; more++) {
            for (int i = 0; i < more; i++) {
                pending.addFlushed(added++, false, 1, null);
            }
            for (int i = 0; i < more / 2; i++) {
                assertEquals(taken++, take());
            }
            assertEquals(added - taken, pending.size());
        }
        while (taken < added) {
            assertEquals(taken++, take());
        }
        assertTrue(pending.isEmpty());
        assertFalse(pending.take(memory, 0, 0));
    }

    @Test
    void completionsAboveTheMaximumAreLost() {
        for (int i = 0; i < MOST + 1; i++) {
            pending.addFlushed(i, false, 1, null);
        }
        assertEquals(MOST, pending.size());
        for (int i = 0; i < MOST; i++) {
            assertEquals(i, take());
        }
    }

    @Test
    void noCompletionIsLostWhenThereIsNoMemoryForAnotherOne() throws Exception {
        Path output = folder.resolve("output");
        Process child = new ProcessBuilder(TestJvm.java(), "-Xmx16m", "-XX:+UseSerialGC", "-cp", TestJvm.classPath(),
                FullHeapProgram.class.getName()).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        try {
            assertTrue(child.waitFor(SECONDS, TimeUnit.SECONDS), () -> read(output));
            assertEquals(0, child.exitValue(), () -> read(output));
        } finally {
            child.destroyForcibly();
        }
    }

    private static String read(Path output) {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
