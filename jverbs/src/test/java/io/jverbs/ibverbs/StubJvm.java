package io.jverbs.ibverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import io.jverbs.ffm.NativeLibrary;
import io.jverbs.spi.VerbsProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A JVM started with native access enabled and with {@code stub_provider.c} as libibverbs. Both can only be set when a
 * JVM starts. Several threads may use it for the same folder.
 *
 * @param folder folder for compiled and written files; what is compiled there already is not compiled again
 * @param library the stub library
 */
record StubJvm(Path folder, Path library) {
    private static final Path STUB = Path.of("src/test/c/stub_provider.c");
    private static final Path CM_STUB = Path.of("src/test/c/stub_rdmacm.c");
    private static final Path VERBS_HEADER = Path.of("/usr/include/infiniband/verbs.h");
    private static final long TIMEOUT_SECONDS = 180;

    /** The exit status of a process, and its output. */
    record Ended(int status, String output) {}

    static synchronized StubJvm in(Path folder) throws IOException, InterruptedException {
        Path services = Files.createDirectories(folder.resolve("classes/META-INF/services"));
        Files.writeString(services.resolve(VerbsProvider.class.getName()), StubProvider.class.getName());
        return new StubJvm(folder, compile(STUB, folder.resolve("libstub.so")));
    }

    /** Compiles {@code stub_rdmacm.c}, and returns the option of the JVM that loads it as librdmacm. */
    String connectionManager() throws IOException, InterruptedException {
        return "-D" + NativeLibrary.RDMACM_PROPERTY + "=" + compile(CM_STUB, folder.resolve("libstub_rdmacm.so"));
    }

    private static synchronized Path compile(Path source, Path library) throws IOException, InterruptedException {
        if (Files.exists(library)) {
            return library;
        }
        if (!Files.exists(VERBS_HEADER)) {
            return missing("the headers of rdma-core are not installed");
        }
        Ended gcc;
        try {
            gcc = run(List.of("gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library.toString(),
                    source.toString()), library.getParent());
        } catch (IOException e) {
            return missing("gcc was not found");
        }
        assertEquals(0, gcc.status(), gcc::output);
        return library;
    }

    /**
     * Aborts the test if the compiler or headers are missing, or fails it if {@code jverbs.abi.required} is true, like
     * the ABI tests.
     */
    private static Path missing(String what) {
        return Boolean.getBoolean("jverbs.abi.required") ? fail(what) : abort(what);
    }

    /** Runs a main class. */
    Ended run(List<String> options, Class<?> main, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-ea", "--enable-native-access=ALL-UNNAMED", "-D" + NativeLibrary.IBVERBS_PROPERTY + "=" + library,
                "-cp",
                folder.resolve("classes") + ":" + System.getProperty("java.class.path")));
        command.addAll(options);
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return run(command, folder);
    }

    private static Ended run(List<String> command, Path folder) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "output", "");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            fail("the process did not end within " + TIMEOUT_SECONDS + " s: " + command + "\n"
                    + Files.readString(output, StandardCharsets.UTF_8));
        }
        return new Ended(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }
}
