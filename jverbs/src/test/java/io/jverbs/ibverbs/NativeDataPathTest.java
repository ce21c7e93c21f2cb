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
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.console.ConsoleLauncher;

/**
 * Runs {@link OnStubLibrary} in a JVM in which {@code stub_provider.c} is libibverbs and native access is enabled, neither of
 * which a JVM can be given while it runs.
 */
class NativeDataPathTest {
    private static final Path STUB = Path.of("src/test/c/stub_provider.c");
    private static final Path VERBS_HEADER = Path.of("/usr/include/infiniband/verbs.h");
    private static final long TIMEOUT_SECONDS = 60;

    @TempDir
    private Path folder;

    @Test
    void theDataPathKeepsItsPromisesWhateverTheDriverAnswers() throws Exception {
        Path library = compile();
        Path services = Files.createDirectories(folder.resolve("classes/META-INF/services"));
        Files.writeString(services.resolve(VerbsProvider.class.getName()), StubProvider.class.getName());
        Path output = folder.resolve("output");
        int status = run(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-D" + NativeLibrary.IBVERBS_PROPERTY + "=" + library, "-cp",
                folder.resolve("classes") + ":" + System.getProperty("java.class.path"),
                ConsoleLauncher.class.getName(),
                "execute", "--disable-banner", "--disable-ansi-colors", "--fail-if-no-tests",
                "--select-class=" + OnStubLibrary.class.getName()), output);
        assertEquals(0, status, () -> read(output));
    }

    private Path compile() throws IOException, InterruptedException {
        if (!Files.exists(VERBS_HEADER)) {
            return lacking("the headers of rdma-core are not installed");
        }
        Path library = folder.resolve("libstub.so");
        Path output = folder.resolve("gcc");
        int status;
        try {
            status = run(List.of("gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o",
                    library.toString(), STUB.toString()), output);
        } catch (IOException e) {
            return lacking("there is no gcc");
        }
        assertEquals(0, status, () -> read(output));
        return library;
    }

    /** As the ABI tests: without a compiler there is nothing to test, unless that is asked for. */
    private static Path lacking(String what) {
        return Boolean.getBoolean("jverbs.abi.required") ? fail(what) : abort(what);
    }

    private static int run(List<String> command, Path output) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            fail("no end after " + TIMEOUT_SECONDS + " s: " + command + "\n" + read(output));
        }
        return process.exitValue();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
