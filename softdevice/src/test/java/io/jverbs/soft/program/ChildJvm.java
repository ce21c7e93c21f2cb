package io.jverbs.soft.program;

import static org.junit.jupiter.api.Assertions.fail;

import io.jverbs.contract.end.remote.TestJvm;
import io.jverbs.contract.fixture.ProcessStart;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a program in a separate JVM of the same JDK and returns its exit status and output. */
public final class ChildJvm {
    private static final long TIMEOUT_SECONDS = Long.getLong("jverbs.child.seconds", 60);

    /**
     * The exit status and output of a program.
     *
     * @param exit the exit status
     * @param out the standard output
     * @param err the standard error of the program and of the JVM
     */
    public record Result(int exit, String out, String err) {}

    private ChildJvm() {}

    /** Runs java with these arguments. The output goes to files, so that a full pipe cannot block the program. */
    public static Result run(Path folder, List<String> arguments) throws IOException, InterruptedException {
        return run(folder, arguments, TIMEOUT_SECONDS);
    }

    /** Runs java with these arguments, and fails if it has not ended after a time. */
    public static Result run(Path folder, List<String> arguments, long seconds)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "child", ".out");
        Path err = Files.createTempFile(folder, "child", ".err");
        long limit = Math.max(seconds, TIMEOUT_SECONDS);
        List<String> command = new ArrayList<>();
        command.add(TestJvm.java());
        command.addAll(arguments);
        Process process = ProcessStart.start(
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile()));
        if (!process.waitFor(limit, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            fail("still running after " + limit + " s: " + command);
        }
        return new Result(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8),
                Files.readString(err, StandardCharsets.UTF_8));
    }
}
