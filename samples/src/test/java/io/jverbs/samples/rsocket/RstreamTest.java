package io.jverbs.samples.rsocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamOptions;
import io.jverbs.samples.Run;
import io.jverbs.samples.TwoSides;
import io.jverbs.samples.console.SampleFailure;
import io.jverbs.samples.console.Units;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Server and client of rstream in one JVM. */
class RstreamTest {
    private static final List<String> CUSTOM = List.of("-I", "3", "-C", "5", "-S", "100000");
    private static final String HEADING = "name      bytes   xfers   iters   total       time     Gb/sec    usec/xfer";

    private static String[] words(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toArray(String[]::new);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "b", "b v", "a", "a b v", "n v", "r v", "s v", "s b", "s a b v", "f v"})
    void bothSidesTransferTheSameWithEachTestOption(String testOptions) throws Exception {
        List<String> options = new ArrayList<>(CUSTOM);
        for (String each : testOptions.split(" ")) {
            options.addAll(each.isEmpty() ? List.of() : List.of("-T", each));
        }
        boolean tcp = testOptions.contains("s") || testOptions.contains("f");
        String port = Integer.toString(tcp ? TwoSides.freePort() : 7481);
        CompletableFuture<Run> server = TwoSides
                .inThread(() -> Run.of(words(List.of("rstream", "-p", port), options)));
        Run client = Listening.client(
                words(List.of("rstream", "-s", tcp ? "127.0.0.1" : Listening.address(), "-p", port), options));
        assertEquals("", client.err());
        assertEquals(0, client.status());
        Run served = server.get(30, TimeUnit.SECONDS);
        assertEquals("", served.err());
        assertEquals(0, served.status());
        for (Run each : List.of(client, served)) {
            assertEquals(HEADING, each.lines().getFirst());
            assertEquals(2, each.lines().size(), each.out());
            assertTrue(each.lines().getLast().startsWith("custom    97k     5       3       2.8m  "), each.out());
        }
    }

    /** With -T async, the C program fails if the connection ends while it receives. */
    @Test
    void theServerKeepsTheConnectionUntilTheClientEndsIt() throws Exception {
        CompletableFuture<Run> server = TwoSides
                .inThread(() -> Run.of("rstream", "-p", "7483", "-S", "100", "-C", "1", "-I", "1"));
        try (RdmaContext context = Verbs.open();
                RdmaStream client = Listening.connect(context, 7483, RdmaStreamOptions.DEFAULT)) {
            for (int size : List.of(16, 100)) {
                client.write(ByteBuffer.allocateDirect(size));
                ByteBuffer received = ByteBuffer.allocateDirect(size);
                while (received.hasRemaining()) {
                    assertTrue(client.read(received) > 0);
                }
            }
            assertEquals(-1, client.read(ByteBuffer.allocateDirect(1)));
            assertEquals(1, client.tryWrite(ByteBuffer.allocateDirect(1)));
            assertFalse(server.isDone());
            client.shutdownOutput();
            Run served = server.get(30, TimeUnit.SECONDS);
            assertEquals("", served.err());
            assertEquals(0, served.status());
        }
    }

    @Test
    void aTransferContinuesTheSequenceOfTheOneBefore() {
        ByteSequence sequence = new ByteSequence();
        ByteBuffer first = ByteBuffer.allocate(300);
        ByteBuffer second = ByteBuffer.allocate(10);
        sequence.fill(first);
        sequence.fill(second);
        assertEquals((byte) 299, first.get(299));
        assertEquals((byte) 300, second.get(0));
        sequence.verify(first);
        sequence.verify(second);
        second.put(4, (byte) 99);
        assertEquals("data verification failed byte 310",
                assertThrows(SampleFailure.class, () -> sequence.verify(second)).getMessage());
    }

    @Test
    void theSeriesHasFourSizesAndWithAllThirtyThree() {
        assertEquals(List.of(64, 4096, 65536, 1 << 20), RstreamCase.sizes(false));
        List<Integer> all = RstreamCase.sizes(true);
        assertEquals(33, all.size());
        assertEquals(List.of(64, 128, 192, 256, 384), all.subList(0, 5));
        assertEquals(6 << 20, all.getLast());
        assertEquals(RstreamCase.largestSize(), all.getLast());
    }

    @Test
    void numbersHaveTheUnitsOfTheCProgram() {
        assertEquals(List.of("64", "1k", "1.5k", "4k", "97k", "9.9m", "12m", "1.2g"),
                Stream.of(64L, 1024L, 1536L, 4096L, 100_000L, 10_400_000L, 12L << 20, 1_300_000_000L)
                        .map(Units::bytes).toList());
        assertEquals(List.of("1", "999", "1k", "100k", "2m", "3b"),
                Stream.of(1L, 999L, 1000L, 100_000L, 2_500_000L, 3_000_000_000L).map(Units::count).toList());
    }

    @Test
    void aRowHasTheBandwidthOfBothDirectionsAndTheTimeOfATransfer() {
        assertEquals("64k_bw    64k     1k      1       125m        1.00s      1.05     500.00",
                RstreamCase.bandwidth(1 << 16).row(1_000_000_000));
        assertEquals("64_lat    64      1       100k    12m         1.00s      0.10       5.00",
                RstreamCase.latency(64).row(1_000_000_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-T x", "-S 0", "-S many", "-C 0", "-I -1", "-B 10", "-i 1025", "-k -1", "-p 0", "-f gid"})
    void anOptionOutsideItsRangeIsRejectedByItsName(String option) {
        Run run = Run.of(words(List.of("rstream"), List.of(option.split(" "))));
        assertEquals(1, run.status());
        assertTrue(run.err().startsWith("samples/run rstream: " + option), run.err());
    }

    @Test
    void aServerThatDoesNotListenIsReported() {
        Run run = Run.of("rstream", "-s", Listening.address(), "-p", "7482", "-S", "64");
        assertEquals(1, run.status());
        assertTrue(run.err().contains("there is no listener at this port"), run.err());
    }
}
