package io.jverbs.samples.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.samples.interop.process.InteropSettings;
import io.jverbs.samples.interop.process.Outcome;
import io.jverbs.samples.interop.process.RdmacmProgram;
import io.jverbs.samples.interop.process.SampleThread;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The sample rcopy with the program of rdmacm-utils, each as server and as client. It needs rxe0:
 * {@code .ci/rxe-samples} runs it in a virtual machine, and its name keeps it out of the build's tests.
 */
class RcopyInterop {
    private static final int FIRST_PORT = 19_300;
    private static final int MEBI = 1 << 20;
    /** Two parts of the file of 1 MiB differ by as many bytes of the random numbers, so none is in a wrong place. */
    private static final int STEP = 4099;
    private static final int ATTEMPTS = 20;
    private static final long ATTEMPT_MILLIS = 500;
    private static final long MIN_MEBIBYTES_PER_SECOND = 1;

    private static int nextPort = FIRST_PORT;

    private final InteropSettings settings = InteropSettings.ofSystemProperties();
    private final String port = Integer.toString(nextPort++);
    private final Duration timeout = InteropSettings.TIMEOUT
            .plusSeconds(settings.copyMebibytes() / MIN_MEBIBYTES_PER_SECOND);

    @TempDir
    private Path folder;

    /** Writes the file that is copied; its size is not a multiple of anything. */
    private Path source() throws IOException {
        byte[] random = new byte[2 * MEBI];
        new Random(1).nextBytes(random);
        System.arraycopy(random, 0, random, MEBI, MEBI);
        Path source = folder.resolve("source");
        try (OutputStream out = Files.newOutputStream(source)) {
            for (int i = 0; i < settings.copyMebibytes(); i++) {
                out.write(random, (int) ((long) i * STEP % MEBI), MEBI);
            }
            out.write(Arrays.copyOf(random, 1));
        }
        return source;
    }

    @Test
    void theSampleReceivesAFileOfTheProgram() throws Exception {
        Path source = source();
        Path copy = folder.resolve("copyOfTheSample");
        SampleThread server = SampleThread.start("rcopy", "-p", port);
        server.awaitLine("waiting for connection");
        try (RdmacmProgram client = RdmacmProgram.start(settings.programPrefix(),
                List.of("rcopy", source.toString(), settings.sampleAddress() + ":" + copy, "-p", port), timeout)) {
            Outcome ended = client.await();
            check(source, copy, server.interrupt(), ended);
        }
    }

    /** rcopy writes its first line without an end, so only a client can tell that it listens. */
    @Test
    void theSampleSendsAFileToTheProgram() throws Exception {
        Path source = source();
        Path copy = folder.resolve("copyOfTheProgram");
        try (RdmacmProgram server = RdmacmProgram.start(settings.programPrefix(), List.of("rcopy", "-p", port),
                timeout)) {
            Outcome ended = null;
            for (int i = 0; i < ATTEMPTS && (ended == null || ended.describe("").contains("no listener")); i++) {
                Thread.sleep(ATTEMPT_MILLIS);
                ended = SampleThread.start("rcopy", source.toString(), settings.programAddress() + ":" + copy, "-p",
                        port).await(timeout);
            }
            server.kill();
            check(source, copy, server.await(), ended);
        }
    }

    /** All bytes are compared, which tells more than a checksum. The client prints the bandwidth. */
    private static void check(Path source, Path copy, Outcome server, Outcome client) throws IOException {
        String outputs = server.describe("the server") + client.describe("the client");
        assertEquals("0", client.status(), outputs);
        assertEquals(-1, Files.mismatch(source, copy), outputs);
        System.out.println(client.lines().getLast());
    }
}
