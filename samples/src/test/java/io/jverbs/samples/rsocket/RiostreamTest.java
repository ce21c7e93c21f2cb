package io.jverbs.samples.rsocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamOptions;
import io.jverbs.samples.Run;
import io.jverbs.samples.TwoSides;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Server and client of riostream in one JVM. */
class RiostreamTest {
    private static final String HEADING = "name      bytes   xfers   iters   total       time     Gb/sec    usec/xfer";
    private static final String PORT = "7484";
    private static final int SYNCHRONIZATION_BYTES = 16;

    private static String[] words(String first, String options) {
        List<String> words = new ArrayList<>(List.of(first.split(" ")));
        words.addAll(List.of(options.split(" ")));
        return words.toArray(String[]::new);
    }

    private static CompletableFuture<Run> serve(String options) {
        return TwoSides.inThread(() -> Run.of(words("riostream -p " + PORT, options)));
    }

    @ParameterizedTest
    @CsvSource({
        "-I 3 -C 5 -S 100000, custom    97k     5       3       2.8m  ",
        "-I 3 -C 5 -S 100000 -T b, custom    97k     5       3       2.8m  ",
        "-I 3 -C 5 -S 100000 -T b -T v, custom    97k     5       3       2.8m  ",
        "-I 3 -C 5 -S 100000 -T a -T v, custom    97k     5       3       2.8m  ",
        "-I 3 -C 5 -S 100000 -T a -T b, custom    97k     5       3       2.8m  ",
        "-I 3 -C 5 -S 100000 -T n -T v, custom    97k     5       3       2.8m  ",
        "-I 3 -C 5 -S 100000 -B 4096 -T v, custom    97k     5       3       2.8m  ",
        // more than the 256 values of the marker, whose byte is all that there is
        "-I 300 -C 1 -S 1 -T v, custom    1       1       300     600   "})
    void bothSidesWriteDirectlyWithEachTestOption(String options, String row) throws Exception {
        CompletableFuture<Run> server = serve(options);
        Run client = Listening.client(words("riostream -s " + Listening.address() + " -p " + PORT, options));
        assertEquals("", client.err());
        assertEquals(0, client.status());
        Run served = server.get(30, TimeUnit.SECONDS);
        assertEquals("", served.err());
        assertEquals(0, served.status());
        for (Run each : List.of(client, served)) {
            assertEquals(HEADING, each.lines().getFirst());
            assertEquals(2, each.lines().size(), each.out());
            assertTrue(each.lines().getLast().startsWith(row), each.out());
        }
    }

    /** Exchanges the first bytes, as a client does, and writes nothing to the memory of the server. */
    private static void connectAndLeave() throws Exception {
        try (RdmaContext context = Verbs.open();
                RdmaStream stream = Listening.connect(context, Integer.parseInt(PORT),
                        RdmaStreamOptions.DEFAULT.withIomapSize(1))) {
            ByteBuffer bytes = ByteBuffer.allocate(SYNCHRONIZATION_BYTES);
            stream.write(bytes);
            bytes.clear();
            while (bytes.hasRemaining()) {
                assertTrue(stream.read(bytes) > 0);
            }
        }
    }

    @Test
    void aPeerThatEndsTheStreamBeforeATransferIsReported() throws Exception {
        CompletableFuture<Run> server = serve("-I 1 -C 1 -S 64");
        connectAndLeave();
        Run served = server.get(30, TimeUnit.SECONDS);
        assertEquals(1, served.status());
        assertEquals("samples/run riostream: the peer has ended the stream before marker 0 of a test has arrived",
                served.err().strip());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-T x", "-T s", "-T fork", "-T r", "-S 0", "-S many", "-C 0", "-I -1", "-B 10", "-i 1025",
        "-p 0", "-f gid"})
    void anOptionOutsideItsRangeIsRejectedByItsName(String option) {
        Run run = Run.of(words("riostream", option));
        assertEquals(1, run.status());
        assertTrue(run.err().startsWith("samples/run riostream: " + option), run.err());
        if (option.startsWith("-T")) {
            assertTrue(run.err().contains("; allowed are a, async, b, blocking, n, nonblocking, v, verify."),
                    run.err());
        }
    }

    @Test
    void aServerThatDoesNotListenIsReported() {
        Run run = Run.of("riostream", "-s", Listening.address(), "-p", "7482", "-S", "64");
        assertEquals(1, run.status());
        assertTrue(run.err().contains("there is no listener at this port"), run.err());
    }
}
