package io.jverbs.samples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs a class in a separate JVM, without native access. The JVM does not live long enough for its optimizing compiler.
 */
public final class SamplesProcess {
    private static final int TIMEOUT_SECONDS = 60;

    private SamplesProcess() {}

    /** {@return the class path of the tests, which the build passes in a system property} */
    public static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** Runs a sample and waits until it exits. */
    public static Run sample(List<String> jvmOptions, List<String> args) throws IOException, InterruptedException {
        return run(classPath(), jvmOptions, Samples.class.getName(), args);
    }

    /** Runs a class and waits until it exits. */
    public static Run run(String classPath, List<String> jvmOptions, String mainClass, List<String> args)
            throws IOException, InterruptedException {
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
        try {
            Process process;
            synchronized (TwoSides.PROCESS_START) {
                process = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
            }
            boolean exited = process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly();
            assertTrue(exited, command + " did not exit within " + TIMEOUT_SECONDS + " s");
            return new Run(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }
}
