package io.jverbs.samples.perftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.Run;
import io.jverbs.samples.SamplesProcess;
import io.jverbs.samples.TwoSides;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each program succeeds and prints perftest's table with plausible numbers. */
class ProgramsTest {
    private static Run loopback(String command) {
        Run run = Run.of((command + " --loopback -d soft:soft46 --warm-up 0").split(" +"));
        assertEquals("", run.err());
        assertEquals(0, run.status());
        return run;
    }

    @ParameterizedTest
    @CsvSource({"send-lat, 64", "send-lat -c UC, 64", "send-lat -c UD, 64", "write-lat, 64", "write-lat -c UC, 64",
        "read-lat, 64", "send-lat -e, 64", "send-lat -t 16, 64", "read-lat -e, 64", "send-lat -I 0, 100000",
        "write-lat, 100000"})
    void latencies(String command, int size) {
        Rows.assertLatencies(loopback(command + " -n 300 -s " + size), 300, size);
    }

    @ParameterizedTest
    @ValueSource(strings = {"atomic-lat", "atomic-lat -A CMP_AND_SWAP", "atomic-lat -e -s 8"})
    void latenciesOfAtomics(String command) {
        Rows.assertLatencies(loopback(command + " -n 300"), 300, 8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"send-bw", "send-bw -c UC", "send-bw -c UD", "write-bw", "write-bw -c UC", "read-bw",
        "send-bw -b", "send-bw -b -c UD", "write-bw --bidirectional", "read-bw -b", "send-bw -e", "send-bw -b -e",
        "write-bw -e", "write-bw -l 8", "send-bw -l 4 -Q 2", "read-bw -l 128 -t 128", "write-bw -t 1",
        "write-bw -t 7 -Q 3", "send-bw -r 3 -t 5", "send-bw -r 2000", "write-bw -I 64"})
    void bandwidths(String command) {
        Rows.assertBandwidths(loopback(command + " -n 640 -s 64"), true, 640, 64);
    }

    @ParameterizedTest
    @ValueSource(strings = {"atomic-bw", "atomic-bw -b -A CMP_AND_SWAP"})
    void bandwidthsOfAtomics(String command) {
        Rows.assertBandwidths(loopback(command + " -n 300"), true, 300, 8);
    }

    @Test
    void theDefaultsAreThoseOfPerftest() {
        Rows.assertLatencies(loopback("send-lat"), 1000, 2);
        Rows.assertBandwidths(loopback("write-bw"), true, 5000, 65_536);
        Rows.assertBandwidths(loopback("send-bw -c UD"), true, 1000, 4096);
        Rows.assertBandwidths(loopback("read-bw"), true, 1000, 65_536);
    }

    @Test
    void allSizesHaveARowEach() {
        int[] sizes = IntStream.rangeClosed(1, 23).map(shift -> 1 << shift).toArray();
        int[] datagrams = IntStream.rangeClosed(1, 10).map(shift -> 1 << shift).toArray();

        Rows.assertBandwidths(loopback("write-bw -a -n 10"), true, 10, sizes);
        Rows.assertLatencies(loopback("send-lat -a -n 10"), 10, sizes);
        Rows.assertLatencies(loopback("send-lat -c UD -a -n 10 -m 1024"), 10, datagrams);
    }

    @Test
    void withMoreThan20000MessagesThePeakIsNotDetermined() {
        Rows.assertBandwidths(loopback("write-bw -s 8 -n 20001"), false, 20_001, 8);
    }

    @Test
    void aTestWithADurationTakesAboutThatLong() {
        long start = System.nanoTime();
        Run run = loopback("read-lat -D 1 -s 8");
        double seconds = (System.nanoTime() - start) / 1e9;

        List<double[]> rows = Rows.below(" #bytes        #iterations       t_avg[usec]    tps average", run);
        double[] row = rows.getFirst();
        assertEquals(8, row[0]);
        assertTrue(row[1] > 100, run.out());
        // t_avg and tps are reciprocal, and both are rounded to hundredths.
        assertEquals(row[3], 1e6 / row[2], row[3] * (0.01 / row[2]), run.out());
        // The number of messages in the last quarter of a second is an estimate.
        assertTrue(seconds > 0.9 && seconds < 10, seconds + " s");
        assertEquals(seconds, row[1] * row[2] / 1e6, 0.5 * seconds, run.out());
    }

    /** UC and UD lose messages without a receive, and a device within the JVM is faster than any receiver. */
    @ParameterizedTest
    @ValueSource(strings = {"send-bw -c UD -n 100 -s 64", "send-bw -c UC -n 100 -s 64",
        "send-bw -c UD -n 640 -s 64 -l 8", "send-bw -c UD -n 100 -b -s 64"})
    void theWarmUpLosesNoMessages(String command) {
        Run run = Run.of((command + " --loopback -d soft:soft46 --warm-up 100 --patience 1").split(" +"));

        assertEquals("", run.err());
        assertEquals(0, run.status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"UC", "UD"})
    void aTestWithADurationLosesNoMessages(String connection) {
        Run run = loopback("send-bw -s 64 -D 1 --patience 1 -c " + connection);

        double[] row = Rows
                .below(" #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]", run)
                .getFirst();
        // more messages than receives
        assertTrue(row[1] > 16_000, run.out());
        assertTrue(row[4] > 0, run.out());
    }

    @Test
    void theParametersArePrintedBeforeTheTable() {
        List<String> lines = loopback("write-bw -b -s 64 -n 100 -t 50 -Q 20 -m 2048 -I 32 -l 20 -x 0").lines();

        assertEquals("                    RDMA_Write Bidirectional Post List BW Test", lines.get(1));
        for (String line : List.of(" Dual-port       : OFF\t\tDevice         : soft46",
                " Number of qps   : 1\t\tTransport type : IB", " Connection type : RC\t\tUsing SRQ      : OFF",
                " TX depth        : 50", " Post List       : 20", " CQ Moderation   : 20", " Mtu             : 2048[B]",
                " Link type       : Ethernet", " GID index       : 0", " Max inline data : 32[B]")) {
            assertTrue(lines.contains(line), line + " is not in " + lines);
        }
        String address = " address: LID 0000 QPN 0x[0-9a-f]{4,6} PSN 0x[0-9a-f]{1,6} RKey 0x[0-9a-f]{6,8}"
                + " VAddr 0x[0-9a-f]{14,16}";
        assertEquals(1, lines.stream().filter(line -> line.matches(" local" + address)).count(), lines.toString());
        assertEquals(1, lines.stream().filter(line -> line.matches(" remote" + address)).count(), lines.toString());
        assertEquals(2, lines.stream().filter(line -> line.matches(" GID: \\d{2,3}(:\\d{2,3}){15}")).count());
    }

    @ParameterizedTest
    @CsvSource({"send-lat, 64", "write-lat, 5000", "send-lat -c UD, 64", "write-lat -c UC, 64"})
    void bothSidesPrintLatenciesOverTheWire(String command, int size) throws Exception {
        String[] words = command.split(" ");
        Pair pair = Pair.overTheWire(words[0], options(words, "-n", "100", "-s", Integer.toString(size))).succeeded();

        Rows.assertLatencies(pair.client(), 100, size);
        Rows.assertLatencies(pair.server(), 100, size);
    }

    @ParameterizedTest
    @CsvSource({"read-bw, 20000, 20000, true", "write-bw -c UC, 64, 64, true", "send-bw, 5000, 5000, false",
        "write-bw -b, 5000, 5000, true", "send-bw -b, 5000, 5000, true"})
    void bothSidesPrintBandwidthsOverTheWire(String command, int size, int shown, boolean peakOfServer)
            throws Exception {
        String[] words = command.split(" ");
        Pair pair = Pair.overTheWire(words[0], options(words, "-n", "100", "-s", Integer.toString(size))).succeeded();

        Rows.assertBandwidths(pair.client(), true, 100, shown);
        Rows.assertBandwidths(pair.server(), peakOfServer, 100, shown);
    }

    /** One poll of the receiver may return all five messages, which is no rate. */
    @Test
    void theFewestMessagesHaveRowsOnBothSides() throws Exception {
        Pair pair = Pair.overTheWire("send-bw", "-n", "5", "-s", "64").succeeded();

        Rows.assertBandwidths(pair.client(), true, 5, 64);
        double[] row = Rows.below(" #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]",
                pair.server()).getFirst();
        assertTrue(row[3] >= 0 && Double.isFinite(row[3]) && Double.isFinite(row[4]), pair.server().out());
    }

    @Test
    void theClientPrintsLatenciesOfAtomicsOverTheWire() throws Exception {
        Pair pair = Pair.overTheWire("atomic-lat", "-n", "100").succeeded();

        Rows.assertLatencies(pair.client(), 100, 8);
        assertTrue(pair.server().out().contains("Atomic FETCH_AND_ADD Latency Test"), pair.server().out());
    }

    private static String[] options(String[] words, String... more) {
        List<String> options = new ArrayList<>(List.of(words).subList(1, words.length));
        options.addAll(List.of(more));
        return options.toArray(String[]::new);
    }

    @ParameterizedTest
    @ValueSource(strings = {"send-lat", "write-bw"})
    void twoProcesses(String program) throws Exception {
        String port = Integer.toString(TwoSides.freePort());
        List<String> options = List.of(program, "-p", port, "-n", "50", "-s", "64", "--warm-up", "0", "-d");
        CompletableFuture<Run> server = TwoSides.inThread(() -> process(options, "soft:127.0.43.3"));
        Run client = TwoSides.inThread(() -> TwoSides.connecting(Pair.TIMEOUT_SECONDS,
                (String.join(" ", options) + " " + Pair.CLIENT_DEVICE + " 127.0.0.1").split(" ")))
                .get(Pair.TIMEOUT_SECONDS, TimeUnit.SECONDS);

        Pair pair = new Pair(server.get(Pair.TIMEOUT_SECONDS, TimeUnit.SECONDS), client).succeeded();
        for (Run run : List.of(pair.server(), pair.client())) {
            if (program.equals("send-lat")) {
                Rows.assertLatencies(run, 50, 64);
            } else {
                Rows.assertBandwidths(run, true, 50, 64);
            }
        }
    }

    private static Run process(List<String> options, String device) {
        try {
            return SamplesProcess.sample(List.of(), List.of((String.join(" ", options) + " " + device).split(" ")));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
