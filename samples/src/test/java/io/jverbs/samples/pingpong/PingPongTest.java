package io.jverbs.samples.pingpong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Mtu;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.samples.Run;
import io.jverbs.samples.TwoSides;
import io.jverbs.samples.connect.LocalAddress;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Server and client of each program in one JVM. */
class PingPongTest {
    private static final PrintWriter NOWHERE = new PrintWriter(Writer.nullWriter());
    private static final String NUMBERS = "LID 0x0000, QPN 0x[0-9a-f]{6}, PSN 0x[0-9a-f]{6}";
    private static final Pattern RATES = Pattern.compile(
            "(\\d+) bytes in \\d+\\.\\d\\d seconds = \\d+\\.\\d\\d Mbit/sec\n"
                    + "(\\d+) iters in \\d+\\.\\d\\d seconds = \\d+\\.\\d\\d usec/iter\n");

    private static void assertSucceeded(PingPongRun both, String program, int size, int iterations) {
        int queuePairs = program.equals("srq-pingpong") ? 16 : 1;
        for (Run run : List.of(both.server(), both.client())) {
            assertEquals("", run.err());
            assertEquals(0, run.status());
            List<String> lines = run.lines();
            assertEquals(2 * queuePairs + 2, lines.size(), run.out());
            String beforeGid = program.equals("ud-pingpong") ? ": GID " : ", GID ";
            String gid = run == both.server() ? "::ffff:169.254.0.41" : "::ffff:169.254.0.42";
            String peerGid = run == both.client() ? "::ffff:169.254.0.41" : "::ffff:169.254.0.42";
            lines.subList(0, queuePairs).forEach(line -> assertTrue(
                    line.matches("  local address:  " + NUMBERS + beforeGid + Pattern.quote(gid)), line));
            lines.subList(queuePairs, 2 * queuePairs).forEach(line -> assertTrue(
                    line.matches("  remote address: " + NUMBERS + ", GID " + Pattern.quote(peerGid)), line));
            var rates = RATES.matcher(String.join("\n", lines.subList(2 * queuePairs, lines.size())) + "\n");
            assertTrue(rates.matches(), run.out());
            assertEquals(2L * size * iterations, Long.parseLong(rates.group(1)));
            assertEquals(iterations, Integer.parseInt(rates.group(2)));
        }
        assertEquals(addresses(both.server(), "local"), addresses(both.client(), "remote"));
        assertEquals(addresses(both.client(), "local"), addresses(both.server(), "remote"));
    }

    /** {@return QPN and PSN of each queue pair} */
    private static List<String> addresses(Run run, String side) {
        return run.lines().stream().filter(line -> line.startsWith("  " + side + " address:"))
                .map(line -> line.replaceFirst(".*(QPN 0x\\w+, PSN 0x\\w+).*", "$1")).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc-pingpong", "uc-pingpong", "srq-pingpong"})
    void withoutOptionsAThousandMessagesOf4096BytesGoEachWay(String program) throws Exception {
        assertSucceeded(PingPongRun.of(program), program, 4096, 1000);
    }

    @Test
    void withoutOptionsAThousandDatagramsOf1024BytesGoEachWay() throws Exception {
        assertSucceeded(PingPongRun.of("ud-pingpong"), "ud-pingpong", 1024, 1000);
    }

    @ParameterizedTest
    @CsvSource({"rc-pingpong, 1, 256", "rc-pingpong, 4097, 512", "rc-pingpong, 65536, 4096", "uc-pingpong, 1, 4096",
        "uc-pingpong, 4097, 256", "uc-pingpong, 65536, 2048", "srq-pingpong, 1, 256", "srq-pingpong, 4097, 512",
        "srq-pingpong, 65536, 4096"})
    void eachByteOfEachMessageIsRightWhateverSizeAndMtu(String program, int size, int mtu) throws Exception {
        assertSucceeded(
                PingPongRun.of(program, "-c", "-n", "100", "-r", "40", "-s", Integer.toString(size), "--mtu=" + mtu),
                program, size, 100);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 256, 1024, 4096})
    void eachByteOfEachDatagramIsRightWhateverSize(int size) throws Exception {
        PingPongRun both = PingPongRun.of("ud-pingpong", "-c", "-n", "100", "-s", Integer.toString(size));
        assertSucceeded(both, "ud-pingpong", size, 100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc-pingpong", "uc-pingpong", "ud-pingpong", "srq-pingpong"})
    void eachByteIsRightWithEvents(String program) throws Exception {
        assertSucceeded(PingPongRun.of(program, "-ec", "-n", "300", "-s", "512"), program, 512, 300);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc-pingpong", "uc-pingpong", "ud-pingpong", "srq-pingpong"})
    void oneSideMayPollAndTheOtherWaitForEvents(String program) throws Exception {
        assertSucceeded(PingPongRun.of(program, List.of("-e", "-s", "64"), List.of("-s", "64")), program, 64, 1000);
    }

    @ParameterizedTest
    @CsvSource({"rc-pingpong, 1", "rc-pingpong, 2", "uc-pingpong, 1", "ud-pingpong, 1", "srq-pingpong, 16",
        "srq-pingpong, 17"})
    void aSingleReceivePerQueuePairIsEnough(String program, int receives) throws Exception {
        PingPongRun both = PingPongRun.of(program, "-c", "-n", "200", "-s", "100", "-r", Integer.toString(receives));
        assertSucceeded(both, program, 100, 200);
    }

    @ParameterizedTest
    @CsvSource({"rc-pingpong, true", "rc-pingpong, false", "srq-pingpong, true", "srq-pingpong, false"})
    void onlyOneSideMayCheck(String program, boolean client) throws Exception {
        List<String> plain = List.of("-n", "50", "-s", "5000");
        List<String> checking = List.of("-n", "50", "-s", "5000", "-c");
        PingPongRun both = client
                ? PingPongRun.of(program, plain, checking)
                : PingPongRun.of(program, checking, plain);
        assertSucceeded(both, program, 5000, 50);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc-pingpong", "uc-pingpong", "ud-pingpong", "srq-pingpong"})
    void aSingleMessageOfOneByteEachWay(String program) throws Exception {
        assertSucceeded(PingPongRun.of(program, "-c", "-n", "1", "-s", "1"), program, 1, 1);
    }

    /** Between our programs no two messages share a buffer, so the lenient check for the C program never applies. */
    @Test
    void messagesOfQueuePairsWithSharedReceivesAreNeverMixed() throws Exception {
        int port = TwoSides.freePort();
        var server = TwoSides
                .inThread(() -> new Session(shared(null, port, PingPongRun.SERVER_DEVICE), new RcTransport(), true,
                        NOWHERE).run());
        var client = TwoSides.inThread(() -> PingPongRun.untilConnected(() -> new Session(
                shared("localhost", port, PingPongRun.CLIENT_DEVICE), new RcTransport(), true,
                NOWHERE).run()));

        assertEquals(0, server.get(60, TimeUnit.SECONDS));
        assertEquals(0, client.get(60, TimeUnit.SECONDS));
    }

    private static Settings shared(String host, int port, String device) {
        return new Settings(host, port, device, 1, 3000, Mtu.MTU_1024, 64, 2000, 0, false,
                LocalAddress.NO_GID_INDEX, true, 32, false);
    }

    @Test
    void iterationsCountTheMessagesOfAllQueuePairs() throws Exception {
        PingPongRun both = PingPongRun.of("srq-pingpong", "-c", "-q", "255", "-n", "600", "-s", "8");

        for (Run run : List.of(both.server(), both.client())) {
            assertEquals("", run.err());
            assertEquals(2 * 255 + 2, run.lines().size());
            assertTrue(run.lines().getLast().startsWith("600 iters in "), run.out());
        }
    }

    @Test
    void differentNumbersOfQueuePairsAreReported() throws Exception {
        PingPongRun both = PingPongRun.of("srq-pingpong", List.of("-q", "3"), List.of("-q", "2"));

        assertEquals(1, both.server().status());
        assertEquals("samples/run srq-pingpong: the peer has 2 queue pairs and this side has 3: start both sides with"
                + " the same --num-qp.", both.server().err().strip());
        assertEquals(1, both.client().status());
        assertTrue(both.client().err().contains("the peer closed the connection after 0 of 52 bytes"),
                both.client().err());
    }

    @Test
    void theGidMayBeSelected() throws Exception {
        PingPongRun both = PingPongRun.of("rc-pingpong", "-g", "0", "-n", "10");

        assertEquals(0, both.client().status(), both.client().err());
        try (RdmaContext context = Verbs.open(PingPongRun.CLIENT_DEVICE)) {
            String gid = context.queryGid(1, 0).toString();
            assertTrue(both.client().lines().getFirst().endsWith(", GID " + gid), both.client().out());
            assertTrue(both.server().lines().get(1).endsWith(", GID " + gid), both.server().out());
        }
    }
}
