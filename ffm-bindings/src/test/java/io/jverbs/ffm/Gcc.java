package io.jverbs.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Compiles C code into shared libraries. */
final class Gcc {

    private Gcc() {}

    /**
     * Compiles one library. Aborts the test if gcc is not installed, or fails it if {@code jverbs.abi.required} is
     * true.
     */
    static Path sharedLibrary(Path folder, String code) throws IOException, InterruptedException {
        var source = Files.writeString(folder.resolve("stub.c"), code);
        var library = folder.resolve("libstub.so");
        var compilation = new ProcessBuilder("gcc", "-O2", "-shared", "-fPIC", "-o", library.toString(),
                source.toString()).redirectErrorStream(true);
        Process process;
        try {
            process = compilation.start();
        } catch (IOException e) {
            if (Boolean.getBoolean("jverbs.abi.required")) {
                fail(e);
            }
            return abort("gcc was not found");
        }
        assertEquals("", new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        assertEquals(0, process.waitFor());
        return library;
    }
}
