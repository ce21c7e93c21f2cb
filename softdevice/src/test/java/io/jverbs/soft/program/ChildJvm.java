package io.jverbs.soft.program;

import static org.junit.jupiter.api.Assertions.fail;

import io.jverbs.contract.end.remote.TestJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a program in a JVM of its own, of the same JDK, and tells what it printed. */
public final class ChildJvm {
    private static final long TIMEOUT_SECONDS = 60;

    /**
     * What a program left behind.
     *
     * @param exit its exit status
     * @param out what it printed
     * @param err what it and the JVM complained of
     */
    public record Result(int exit, String out, String err) {}

    private ChildJvm() {}

    /** Runs java with these arguments; its output goes through files, so that nothing blocks. */
    public static Result run(Path folder, List<String> arguments) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "child", ".out");
        Path err = Files.createTempFile(folder, "child", ".err");
        List<String> command = new ArrayList<>();
        command.add(TestJvm.java());
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            fail("no end after " + TIMEOUT_SECONDS + " s: " + command);
        }
        return new Result(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8),
                Files.readString(err, StandardCharsets.UTF_8));
    }
}
