package io.jverbs.samples.rsocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.Run;
import io.jverbs.samples.TwoSides;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Server and client of rcopy in one JVM. */
class RcopyTest {
    private static final String PORT = "7483";

    @TempDir
    private Path folder;

    private final StringWriter served = new StringWriter();
    private final CompletableFuture<Thread> thread = new CompletableFuture<>();
    private CompletableFuture<Integer> server;

    @BeforeEach
    void serve() {
        server = TwoSides.inThread(() -> {
            thread.complete(Thread.currentThread());
            return Run.to(new PrintWriter(served, true), "rcopy", "-p", PORT);
        });
    }

    @AfterEach
    void endTheServer() throws Exception {
        thread.join().interrupt();
        server.handle((status, failure) -> null).get(30, TimeUnit.SECONDS);
    }

    private Run copy(Path source, String destination) {
        return Listening.client("rcopy", source.toString(), Listening.address() + ":" + destination, "-p", PORT);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4096, 3_000_001})
    void theServerGetsTheBytesOfTheFile(int size) throws Exception {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        Path source = Files.write(folder.resolve("source"), bytes);
        Path destination = folder.resolve("destination");
        Files.writeString(destination, "older and longer".repeat(9));
        Run client = copy(source, destination.toString());
        assertEquals("", client.err());
        assertEquals(0, client.status());
        assertEquals("opening...transferring...closing...done", client.lines().getFirst());
        assertTrue(client.lines().getLast().startsWith(size + " bytes in "), client.out());
        assertEquals(-1, Files.mismatch(source, destination));
    }

    @Test
    void theServerServesTheNextClientAfterOneWhoseFileItCannotWrite() throws Exception {
        Path source = Files.writeString(folder.resolve("source"), "text");
        Run refused = copy(source, folder.resolve("missing/destination").toString());
        assertEquals(1, refused.status());
        assertTrue(refused.err().contains("the server could not open"), refused.err());
        Path destination = folder.resolve("destination");
        assertEquals(0, copy(source, destination.toString()).status());
        assertEquals("text", Files.readString(destination));
        assertTrue(served.toString().contains("unable to open destination file"), served.toString());
    }

    @Test
    void aMissingFileIsReported() {
        Run run = copy(folder.resolve("missing"), "x");
        assertEquals(1, run.status());
        assertTrue(run.err().contains("there is no file " + folder.resolve("missing")), run.err());
    }
}
