package io.jverbs.samples.perftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.Run;
import io.jverbs.samples.TwoSides;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** With option -R, rdma_cm connects both sides and carries their exchange. */
class RdmaCmTest {
    private static String[] options(String[] words, String... more) {
        List<String> options = new ArrayList<>(List.of(words).subList(1, words.length));
        options.addAll(List.of(more));
        return options.toArray(String[]::new);
    }

    private static Pair pair(String command, String... more) throws Exception {
        String[] words = command.split(" ");
        return Pair.overRdmaCm(words[0], options(words, more)).succeeded();
    }

    @ParameterizedTest
    @ValueSource(strings = {"send-lat", "send-lat -c UD", "send-lat -e", "write-lat", "send-lat --warm-up 100",
        "write-lat --warm-up 100"})
    void bothSidesPrintLatencies(String command) throws Exception {
        Pair pair = pair(command, "-n", "100", "-s", "64");

        Rows.assertLatencies(pair.client(), 100, 64);
        Rows.assertLatencies(pair.server(), 100, 64);
    }

    @ParameterizedTest
    @ValueSource(strings = {"read-lat", "atomic-lat"})
    void theClientPrintsLatencies(String command) throws Exception {
        Rows.assertLatencies(pair(command, "-n", "100", "-s", "8").client(), 100, 8);
    }

    @ParameterizedTest
    @CsvSource({"read-bw, true", "write-bw, true", "write-bw -b, true", "send-bw, false", "send-bw -b, true",
        "send-bw -c UD, false", "send-bw -c UD -b, true", "atomic-bw, true"})
    void bothSidesPrintBandwidths(String command, boolean peakOfServer) throws Exception {
        Pair pair = pair(command, "-n", "100", "-s", "8");

        Rows.assertBandwidths(pair.client(), true, 100, 8);
        Rows.assertBandwidths(pair.server(), peakOfServer, 100, 8);
    }

    @Test
    void allSizesOfDatagramsHaveARowEach() throws Exception {
        Pair pair = pair("send-lat -c UD", "-n", "10", "-a", "-m", "512");

        Rows.assertLatencies(pair.client(), 10, 2, 4, 8, 16, 32, 64, 128, 256, 512);
        Rows.assertLatencies(pair.server(), 10, 2, 4, 8, 16, 32, 64, 128, 256, 512);
    }

    @Test
    void thePreambleSaysThatRdmaCmConnects() throws Exception {
        for (Run run : List.of(pair("write-bw", "-n", "100").client(), pair("write-bw", "-n", "100").server())) {
            assertTrue(run.lines().contains(" rdma_cm QPs\t : ON"), run.out());
            assertTrue(run.lines().contains(" Data ex. method : rdma_cm"), run.out());
        }
    }

    @Test
    void aMissingServerIsReported() {
        String port = Integer.toString(TwoSides.freePort());

        Run run = Run.of("send-lat", "-R", "-d", Pair.CLIENT_DEVICE, "-p", port, "127.0.43.2");

        assertEquals(
                "samples/run send-lat: no connection to 127.0.43.2:" + port + " (it was rejected): start the server"
                        + " first, on that host, with the same --port and with --rdma_cm.",
                run.err().strip());
        assertEquals(1, run.status());
    }

    @Test
    void aServerOfAnotherProgramIsReported() throws Exception {
        Pair pair = Pair.overRdmaCm("read-bw", "write-bw", List.of());

        assertTrue(pair.client().err().contains("a write failed with REM_"), pair.client().err());
        assertEquals(1, pair.server().status());
    }
}
