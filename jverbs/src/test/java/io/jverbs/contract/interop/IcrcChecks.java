package io.jverbs.contract.interop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Counts the results of rxe's ICRC checks. rxe has no counter for them, so a kernel probe records the return values of
 * the check.
 */
final class IcrcChecks {
    private static final Path TRACING = Path.of("/sys/kernel/tracing");
    private static final String PROBE = "r:icrc rxe_icrc_check result=$retval\n";
    private static final String RIGHT = "result=0x0";

    /** Number of correct and of wrong ICRCs. */
    record Count(long right, long wrong) {

        Count since(Count before) {
            return new Count(right - before.right, wrong - before.wrong);
        }
    }

    /** Installs the probe and starts counting. */
    IcrcChecks() throws IOException, InterruptedException {
        if (Files.notExists(TRACING.resolve("kprobe_events"))) {
            Network.execute(List.of("mount", "-t", "tracefs", "tracefs", TRACING.toString()));
        }
        write("kprobe_events", PROBE);
        write("events/kprobes/icrc/enable", "1\n");
    }

    private static void write(String file, String text) throws IOException {
        Files.writeString(TRACING.resolve(file), text, StandardOpenOption.WRITE);
    }

    Count count() throws IOException {
        List<String> lines = Files.readAllLines(TRACING.resolve("trace")).stream()
                .filter(line -> line.contains("rxe_icrc_check)")).toList();
        long right = lines.stream().filter(line -> line.endsWith(RIGHT)).count();
        return new Count(right, lines.size() - right);
    }
}
