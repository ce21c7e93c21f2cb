package io.jverbs.samples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A separate JVM that runs a class, without native access. The JVM does not live long enough for its optimizing
 * compiler. Its output goes to files, so that a full pipe cannot block it. Closing it ends the JVM.
 */
public final class ChildJvm implements AutoCloseable {
    private final List<String> command;
    private final Process process;
    private final Path out;
    private final Path err;

    private ChildJvm(List<String> command, Process process, Path out, Path err) {
        this.command = command;
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts a JVM that runs a class. */
    public static ChildJvm start(String classPath, List<String> jvmOptions, String mainClass, List<String> args)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= 24) {
            command.add("--illegal-native-access=deny");
        }
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", classPath, mainClass));
        command.addAll(args);
        Path out = Files.createTempFile("samples", ".out");
        Path err = Files.createTempFile("samples", ".err");
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        synchronized (TwoSides.PROCESS_START) {
            return new ChildJvm(command, builder.start(), out, err);
        }
    }

    /** Waits until the JVM has exited, and fails if it has not after a time. */
    public Run await(int seconds) throws IOException, InterruptedException {
        boolean exited = process.waitFor(seconds, TimeUnit.SECONDS);
        assertTrue(exited, () -> command + " did not exit within " + seconds + " s:\n" + output());
        return new Run(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    /** {@return whether the JVM has not exited} */
    public boolean isRunning() {
        return process.isAlive();
    }

    /** {@return what the JVM has written so far, for the message of a failure} */
    public String output() {
        try {
            return Files.readString(out) + Files.readString(err);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        Files.delete(out);
        Files.delete(err);
    }
}
