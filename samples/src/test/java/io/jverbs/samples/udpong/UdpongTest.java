package io.jverbs.samples.udpong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.Run;
import io.jverbs.samples.TwoSides;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Server and client of udpong in one JVM. */
class UdpongTest {
    private static final String ADDRESS = "127.0.47.1";
    private static final String PORT = "7491";
    private static final String HEADING = "name      bytes   xfers   total       time     Gb/sec    usec/xfer";

    private final StringWriter served = new StringWriter();
    private final CompletableFuture<Thread> thread = new CompletableFuture<>();
    private CompletableFuture<Integer> server;
    private String deviceBefore;

    @BeforeEach
    void selectADeviceWithAnAddressOfTheHost() {
        deviceBefore = System.setProperty("jverbs.device", "soft:" + ADDRESS);
    }

    @AfterEach
    void endTheServer() throws Exception {
        if (server != null) {
            thread.join().interrupt();
            server.handle((status, failure) -> null).get(30, TimeUnit.SECONDS);
        }
        if (deviceBefore == null) {
            System.clearProperty("jverbs.device");
        } else {
            System.setProperty("jverbs.device", deviceBefore);
        }
    }

    private static String[] words(String first, String testOptions) {
        List<String> words = new ArrayList<>(List.of(first.split(" ")));
        for (String each : testOptions.split(" ")) {
            words.addAll(each.isEmpty() ? List.of() : List.of("-T", each));
        }
        return words.toArray(String[]::new);
    }

    private void serve(String testOptions) {
        server = TwoSides.inThread(() -> {
            thread.complete(Thread.currentThread());
            return Run.to(new PrintWriter(served, true),
                    words("udpong -b " + ADDRESS + " -p " + PORT, testOptions));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"b", "b e", "a", "a e", "n e", "s b e", "s a"})
    void theServerCountsOrReturnsAllMessages(String testOptions) {
        serve(testOptions);
        Run client = Run.of(words("udpong -s " + ADDRESS + " -p " + PORT + " -S 100 -C 60", testOptions));
        assertEquals("", client.err());
        assertEquals(0, client.status());
        assertEquals(HEADING, client.lines().getFirst());
        String row = client.lines().getLast();
        assertTrue(row.startsWith("custom    100     "), row);
        if (testOptions.endsWith("e")) {
            assertTrue(row.startsWith("custom    100     120     "), row);
        }
        assertTrue(served.toString().startsWith("client login from 127."), served.toString());
    }

    @Test
    void aMessageThatIsTooLongIsLeftOut() {
        serve("b");
        Run client = Run.of(words("udpong -s " + ADDRESS + " -p " + PORT + " -S 2040 -C 1", "b"));
        assertEquals(0, client.status());
        assertEquals("custom: a message of 2040 bytes is too long; it can have 2032", client.err().strip());
    }

    @Test
    void theSeriesHasTheLatencyAndTheBandwidthOfNineSizes() {
        List<UdpongCase> series = UdpongCase.series();
        assertEquals(18, series.size());
        assertEquals(new UdpongCase("64_lat", 64, 10_000, true), series.getFirst());
        assertEquals(new UdpongCase("1.5k_bw", 1536, 10_000, false), series.getLast());
    }

    @Test
    void aRowHasTheBandwidthAndTheTimeOfAMessage() {
        assertEquals("64_lat    64      20k     1.2m        1.00s      0.01      50.00",
                series(0).row(1_000_000_000, 20_000));
        assertEquals("64_bw     64      0       0           1.00s      0.00       0.00",
                series(9).row(1_000_000_000, 0));
    }

    private static UdpongCase series(int index) {
        return UdpongCase.series().get(index);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-T x", "-S 15", "-S 2057", "-S many", "-C 0", "-B 10", "-p 0"})
    void anOptionOutsideItsRangeIsRejectedByItsName(String option) {
        Run run = Run.of(("udpong " + option).split(" "));
        assertEquals(1, run.status());
        assertTrue(run.err().startsWith("samples/run udpong: " + option), run.err());
    }
}
