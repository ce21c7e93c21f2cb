package io.jverbs.soft.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.end.remote.TestJvm;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/**
 * Runs the coverage-guided fuzzer Jazzer with {@link ReceivePathFuzzer} and {@link ConnectionFuzzer} until the device
 * has received the number of packets that -Djverbs.fuzz.packets sets, 10 million in the profile "nightly", and the
 * connection manager as many. Jazzer runs in child processes, because an input that fails may terminate its process.
 */
final class JazzerTest {
    private static final String DISABLED = "takes minutes: -Pnightly, or -Djverbs.fuzz.packets=N for another number";
    private static final long PACKETS = Long.getLong("jverbs.fuzz.packets", 0);
    /** The number of inputs that one process runs. */
    private static final int RUNS = 200_000;
    private static final int MAX_LENGTH = 1000;
    private static final int SECONDS_PER_INPUT = 10;
    private static final int MEBIBYTES = 2048;
    /** The maximum heap use at the end, most of it by Jazzer. */
    private static final long MAX_HEAP = 200L << 20;
    private static final int LAST_LINES = 60;
    private static final Path FOLDER = Path.of("target/fuzz");
    private static final Path SEEDS = FOLDER.resolve("seeds");
    private static final Pattern SUMMARY = Pattern.compile("packets=(\\d+) counted=(\\d+) heap=(\\d+)");

    @Test
    @DisabledIfSystemProperty(named = "jverbs.fuzz.packets", matches = "0", disabledReason = DISABLED)
    @Timeout(value = 1, unit = TimeUnit.DAYS)
    void noInputMakesTheReceivePathFail() throws Exception {
        Corpus.unpack(SEEDS);
        fuzz(ReceivePathFuzzer.class, PACKETS, Files.createDirectories(FOLDER.resolve("corpus")), SEEDS);
    }

    @Test
    @DisabledIfSystemProperty(named = "jverbs.fuzz.packets", matches = "0", disabledReason = DISABLED)
    @Timeout(value = 1, unit = TimeUnit.DAYS)
    void noInputMakesTheConnectionManagerFail() throws Exception {
        fuzz(ConnectionFuzzer.class, PACKETS, Files.createDirectories(FOLDER.resolve("connection-corpus")));
    }

    /** Runs Jazzer processes until the device has received a number of packets. */
    private static void fuzz(Class<?> target, long most, Path... corpora) throws Exception {
        long start = System.nanoTime();
        long packets = 0;
        while (packets < most) {
            packets += fuzz(target, corpora);
            System.out.printf(Locale.ROOT, "Jazzer, %s: %d of %d packets, %.0f a second%n", target.getSimpleName(),
                    packets, most, packets * 1e9 / (System.nanoTime() - start));
        }
    }

    /** Runs one Jazzer process; returns the number of packets that the device received. */
    private static long fuzz(Class<?> target, Path... corpora) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                TestJvm.java(), "-Xmx512m",
                "-XX:+EnableDynamicAgentLoading", "-cp",
                TestJvm.classPath(),
                "com.code_intelligence.jazzer.Jazzer", "--target_class=" + target.getName(),
                "--instrumentation_includes=io.jverbs.soft.**",
                "--instrumentation_excludes=io.jverbs.soft.fuzz.**:io.jverbs.soft.faults.**",
                "--custom_hook_includes=io.jverbs.soft.**", "--reproducer_path=" + FOLDER, "-runs=" + RUNS,
                "-max_len=" + MAX_LENGTH, "-timeout=" + SECONDS_PER_INPUT, "-rss_limit_mb=" + MEBIBYTES,
                "-artifact_prefix=" + FOLDER + File.separator, "-print_final_stats=1"));
        Arrays.stream(corpora).map(Path::toString).forEach(command::add);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Deque<String> last = new ArrayDeque<>();
        long received = 0;
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                last.add(line);
                if (last.size() > LAST_LINES) {
                    last.remove();
                }
                Matcher summary = SUMMARY.matcher(line);
                if (summary.find()) {
                    received = Long.parseLong(summary.group(1));
                    assertEquals(received, Long.parseLong(summary.group(2)), line);
                    assertTrue(Long.parseLong(summary.group(3)) < MAX_HEAP, line);
                    System.out.println(line);
                }
            }
        }
        int exit = process.waitFor();
        assertEquals(0, exit, () -> "Jazzer found an input that fails. The output below names its file in "
                + FOLDER.toAbsolutePath() + "; CONTRIBUTING.md describes how to run it again\n"
                + String.join("\n", last));
        assertTrue(received > 0, () -> "the device received no packet\n" + String.join("\n", last));
        return received;
    }
}
