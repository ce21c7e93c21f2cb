package io.jverbs.ffm.child;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a program of the tests in a JVM of its own, of the same JDK, and tells what it printed. */
public final class ChildJvm {

    private static final long TIMEOUT_SECONDS = 60;

    private ChildJvm() {}

    /**
     * What a program left behind.
     *
     * @param exit its exit status
     * @param out what it printed, without line ends around it
     * @param err what it and the JVM complained of
     */
    public record Result(int exit, String out, String err) {}

    /**
     * Runs a program with everything on the class path.
     *
     * @param folder where its output goes first
     * @param program the program
     * @param options the JVM's
     * @return what it left behind
     * @throws IOException if it cannot be started
     */
    public static Result onClassPath(Path folder, Class<?> program, String... options) throws IOException {
        return onClassPath(folder, program, new String[0], options);
    }

    /**
     * Runs a program with everything on the class path.
     *
     * @param folder where its output goes first
     * @param program the program
     * @param programArguments the program's
     * @param options the JVM's
     * @return what it left behind
     * @throws IOException if it cannot be started
     */
    public static Result onClassPath(Path folder, Class<?> program, String[] programArguments, String... options)
            throws IOException {
        var arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        arguments.addAll(List.of(programArguments));
        return run(folder, arguments);
    }

    /** The bindings as a module, the program on the class path. */
    static Result onModulePath(Path folder, Class<?> program, String... options) throws IOException {
        var classes = System.getProperty("jverbs.ffm.classes");
        var classPath = System.getProperty("java.class.path").replace(classes, "");
        var arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("-p", classes, "--add-modules", "io.jverbs.ffm", "-cp", classPath, program.getName()));
        return run(folder, arguments);
    }

    private static Result run(Path folder, List<String> arguments) throws IOException {
        var out = folder.resolve("out");
        var err = folder.resolve("err");
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(arguments);
        var process = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        try {
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                fail("no end after " + TIMEOUT_SECONDS + " s: " + command);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            fail(e);
        }
        return new Result(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8).strip(),
                Files.readString(err, StandardCharsets.UTF_8));
    }
}
