package io.jverbs.soft.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.end.remote.TestJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Mapped files are truncated under registered memory. Each request that names this memory completes once, in error at
 * the right end, on every path, whether the JVM interprets or compiles the device's code.
 * {@code -Djverbs.truncated.rounds=200} repeats each case 200 times.
 */
final class TruncatedFilesTest {
    private static final int ROUNDS = Integer.getInteger("jverbs.truncated.rounds", 12);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation", "-XX:+TieredCompilation"})
    @Timeout(300)
    void requestsOnTruncatedMemoryCompleteOnceInErrorAtTheRightEnd(String mode) throws Exception {
        run(mode, ROUNDS, "mapped");
    }

    /** HotSpot has compiled the device's code for memory that is not mapped. */
    @ParameterizedTest
    @ValueSource(strings = {"-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation", "-XX:+TieredCompilation"})
    @Timeout(300)
    void theFirstRequestsOnMappedMemoryCompleteInErrorIfItIsTruncated(String mode) throws Exception {
        run(mode, 1, "ordinary");
    }

    /** HotSpot has not compiled the device's code. */
    @ParameterizedTest
    @ValueSource(strings = {"-XX:TieredStopAtLevel=1", "-XX:+TieredCompilation"})
    @Timeout(300)
    void theFirstRequestsOfAllCompleteInErrorIfTheMemoryIsTruncated(String mode) throws Exception {
        run(mode, 1, "none");
    }

    private void run(String mode, int rounds, String warmUp) throws Exception {
        ChildJvm.Result result = ChildJvm.run(folder, arguments(mode, rounds, warmUp));
        String[] lines = result.out().split(System.lineSeparator());
        assertTrue(lines[lines.length - 1].endsWith(" rounds, 0 wrong"), result.out() + result.err());
        assertEquals(0, result.exit(), result.err());
        assertEquals(lines[lines.length - 1].split(" ")[0], "" + warnings(result.err()), "warnings");
    }

    private List<String> arguments(String mode, int rounds, String warmUp) {
        List<String> all = new ArrayList<>(List.of(mode, "-cp", TestJvm.classPath(), TruncatedFiles.class.getName(),
                "" + rounds, folder.toString(), warmUp, "jvm", "simulated"));
        if (System.getProperty("os.name").equals("Linux")) {
            // every address of 127/8 is local on Linux
            all.add("udp");
        }
        return all;
    }

    /** Counts the warnings; there is one for each round. */
    private static long warnings(String log) {
        return log.lines().filter(line -> line.contains("memory of a registered region")).count();
    }
}
