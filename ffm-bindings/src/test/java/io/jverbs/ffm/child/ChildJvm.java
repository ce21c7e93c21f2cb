package io.jverbs.ffm.child;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a program of the tests in a separate JVM of the same JDK, and returns its output. */
public final class ChildJvm {

    private static final long TIMEOUT_SECONDS = 60;

    private ChildJvm() {}

    /**
     * The result of a program.
     *
     * @param exit its exit status
     * @param out its standard output, without surrounding white space
     * @param err the standard error of the program and the JVM
     */
    public record Result(int exit, String out, String err) {}

    /**
     * Runs a program with everything on the class path.
     *
     * @param folder folder for the output files
     * @param program the program
     * @param options options of the JVM
     * @return the result
     * @throws IOException if it cannot be started
     */
    public static Result onClassPath(Path folder, Class<?> program, String... options) throws IOException {
        return onClassPath(folder, program, new String[0], options);
    }

    /**
     * Runs a program with everything on the class path.
     *
     * @param folder folder for the output files
     * @param program the program
     * @param programArguments arguments of the program
     * @param options options of the JVM
     * @return the result
     * @throws IOException if it cannot be started
     */
    public static Result onClassPath(Path folder, Class<?> program, String[] programArguments, String... options)
            throws IOException {
        var arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        arguments.addAll(List.of(programArguments));
        return run(folder, arguments);
    }

    /** Runs a program with the bindings as a module and the program on the class path. */
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
                fail("the process did not end within " + TIMEOUT_SECONDS + " s: " + command);
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
