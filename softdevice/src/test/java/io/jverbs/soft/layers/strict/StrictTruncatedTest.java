package io.jverbs.soft.layers.strict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.end.remote.TestJvm;
import io.jverbs.contract.fixture.InOtherProcesses;
import io.jverbs.contract.fixture.ProcessStart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Catalogue B17: strict mode and a capture read memory of the program that may become inaccessible at any time. The
 * interpreter and each compiler report the error of an access to truncated memory at different points, so each
 * configuration runs in a child JVM.
 */
@Timeout(120)
@InOtherProcesses
final class StrictTruncatedTest {
    private static final int SECONDS = 60;
    private static final int LINES = 100;

    @TempDir
    private Path folder;
    private Path outputFile;

    @Test
    void verbsSucceedWhileFilesAreTruncatedAndArenasClosed() throws Exception {
        run("-XX:+TieredCompilation");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"})
    @Tag("variants")
    void verbsSucceedWhileFilesAreTruncatedHoweverTheJvmRunsThem(String mode) throws Exception {
        run(mode);
    }

    private void run(String mode) throws Exception {
        outputFile = folder.resolve("output");
        List<String> command = List.of(TestJvm.java(), mode, "-XX:-CreateCoredumpOnCrash",
                "-XX:+ErrorFileToStdout", "-cp", TestJvm.classPath(), UnreadableMemoryProgram.class.getName());
        Process child = ProcessStart.start(new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(outputFile.toFile()));
        try {
            assertTrue(child.waitFor(SECONDS, TimeUnit.SECONDS), this::output);
            assertEquals(0, child.exitValue(), this::output);
        } finally {
            child.destroyForcibly();
        }
    }

    private String output() {
        try (Stream<String> lines = Files.lines(outputFile)) {
            return lines.limit(LINES).collect(Collectors.joining("\n"));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
