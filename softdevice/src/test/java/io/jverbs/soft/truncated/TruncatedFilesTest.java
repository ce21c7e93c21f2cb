package io.jverbs.soft.truncated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.end.remote.TestJvm;
import io.jverbs.contract.fixture.InOtherProcesses;
import io.jverbs.soft.program.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Mapped files are truncated under registered memory. Each request that names this memory completes once, in error at
 * the right end, on every path, whether the JVM interprets or compiles the device's code. The device of that end logs
 * one warning. {@code -Djverbs.truncated.rounds=200} repeats each case 200 times.
 */
@InOtherProcesses
final class TruncatedFilesTest {
    private static final int ROUNDS = Integer.getInteger("jverbs.truncated.rounds", 12);
    /** The child JVM may take so long, and longer if there are more rounds. */
    private static final int SECONDS = 60;
    private static final int SECONDS_PER_ROUND = 5;
    /** How the JVM runs programs. */
    private static final String USUAL = "-XX:+TieredCompilation";
    private static final boolean IS_LINUX = System.getProperty("os.name").equals("Linux");
    private static final Pattern WARNING = Pattern.compile(
            "Queue pair \\w+ of (\\S+): the memory of a registered region");
    private static final Pattern EXPECTED = Pattern.compile("warnings of (\\S+): (\\d+)");

    @TempDir
    private Path folder;

    @Test
    @Timeout(7200)
    void requestsOnTruncatedMemoryCompleteOnceInErrorAtTheRightEnd() throws Exception {
        runAll(USUAL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"})
    @Tag("variants")
    @Timeout(7200)
    void requestsOnTruncatedMemoryCompleteOnceInErrorHoweverTheJvmRunsThem(String mode) throws Exception {
        runAll(mode);
    }

    private void runAll(String mode) throws Exception {
        List<String> arguments = arguments(mode, WarmUp.MAPPED, ROUNDS);
        // these use the same code as others, beside one more class or layer
        int fewer = Math.max(mode.equals(USUAL) ? 1 : 0, ROUNDS / 4);
        if (fewer > 0) {
            List<String> variants = IS_LINUX ? List.of("captured", "layers", "linux") : List.of("captured", "layers");
            variants.forEach(path -> arguments.addAll(List.of(path, "" + fewer)));
        }
        run(arguments);
    }

    /** HotSpot has compiled the device's code for memory that is not mapped. */
    @ParameterizedTest
    @ValueSource(strings = {"-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation", USUAL})
    @Tag("variants")
    @Timeout(300)
    void theFirstRequestsOnMappedMemoryCompleteInErrorIfItIsTruncated(String mode) throws Exception {
        run(arguments(mode, WarmUp.ORDINARY, 1));
    }

    /** HotSpot has not compiled the device's code. */
    @Test
    @Timeout(300)
    void theFirstRequestsOfAllCompleteInErrorIfTheMemoryIsTruncated() throws Exception {
        run(arguments(USUAL, WarmUp.NONE, 1));
    }

    /** The same with one compiler. */
    @Test
    @Tag("variants")
    @Timeout(300)
    void theFirstRequestsOfAllCompleteInErrorIfTheMemoryIsTruncatedHoweverTheJvmRunsThem() throws Exception {
        run(arguments("-XX:TieredStopAtLevel=1", WarmUp.NONE, 1));
    }

    private void run(List<String> arguments) throws Exception {
        ChildJvm.Result result = ChildJvm.run(folder, arguments, SECONDS + SECONDS_PER_ROUND * ROUNDS);
        String[] lines = result.out().split(System.lineSeparator());
        assertTrue(lines[lines.length - 1].endsWith(" rounds, 0 wrong"), result.out() + result.err());
        assertEquals(0, result.exit(), result.err());
        assertEquals(expected(result.out()), warnings(result.err()), "warnings");
    }

    private List<String> arguments(String mode, WarmUp warmUp, int rounds) {
        List<String> all = new ArrayList<>(List.of(mode, "--enable-native-access=ALL-UNNAMED", "-cp",
                TestJvm.classPath(), TruncatedFiles.class.getName(), folder.toString(), warmUp.name()));
        // every address of 127/8 is local on Linux
        List<String> paths = IS_LINUX ? List.of("jvm", "simulated", "udp") : List.of("jvm", "simulated");
        paths.forEach(path -> all.addAll(List.of(path, "" + rounds)));
        return all;
    }

    /** Counts the warnings of each device. */
    private static Map<String, Integer> warnings(String log) {
        Map<String, Integer> counts = new TreeMap<>();
        for (Matcher matcher = WARNING.matcher(log); matcher.find();) {
            counts.merge(matcher.group(1), 1, Integer::sum);
        }
        return counts;
    }

    /** Reads the numbers of warnings that the program expects. */
    private static Map<String, Integer> expected(String out) {
        Map<String, Integer> counts = new TreeMap<>();
        for (Matcher matcher = EXPECTED.matcher(out); matcher.find();) {
            counts.put(matcher.group(1), Integer.valueOf(matcher.group(2)));
        }
        return counts;
    }
}
