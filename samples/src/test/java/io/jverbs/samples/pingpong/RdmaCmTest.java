package io.jverbs.samples.pingpong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.Run;
import io.jverbs.samples.TwoSides;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With option -R, rdma_cm connects the queue pairs of a ping-pong. */
class RdmaCmTest {
    private static List<String> addresses(Run run, String side) {
        return run.lines().stream().filter(line -> line.startsWith("  " + side + " address:"))
                .map(line -> line.substring(line.indexOf("LID")).replace(": GID", ", GID")).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc-pingpong", "rc-pingpong -e", "ud-pingpong", "ud-pingpong -e", "srq-pingpong",
        "srq-pingpong -q 3 -e"})
    void bothSidesReceiveAllMessagesAndPrintEachOthersAddresses(String command) throws Exception {
        String[] words = command.split(" ");
        String[] options = String.join(" ", command.substring(words[0].length()), "-n 200 -s 1000 -c").strip()
                .split(" ");

        PingPongRun run = PingPongRun.overRdmaCm(words[0], options);

        for (Run side : List.of(run.server(), run.client())) {
            assertEquals("", side.err());
            assertEquals(0, side.status(), side.out());
            assertTrue(side.out().contains("200 iters in "), side.out());
        }
        assertEquals(addresses(run.server(), "local"), addresses(run.client(), "remote"));
        assertEquals(addresses(run.client(), "local"), addresses(run.server(), "remote"));
        assertTrue(!addresses(run.client(), "local").isEmpty(), run.client().out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " -e"})
    void aSideWhosePeerFailsEnds(String events) throws Exception {
        PingPongRun run = PingPongRun.overRdmaCm("rc-pingpong", List.of(("-R -n 200 -s 1000" + events).split(" ")),
                List.of(("-R -n 200 -s 999" + events).split(" ")));

        assertEquals("samples/run rc-pingpong: received a message of 999 bytes instead of 1000: start both sides with"
                + " the same --size.", run.server().err().strip());
        assertEquals("samples/run rc-pingpong: the peer ended the connection after 0 of 200 messages: its output may"
                + " say why.", run.client().err().strip());
        assertEquals(1, run.client().status());
    }

    @Test
    void aMissingServerIsReported() {
        String port = Integer.toString(TwoSides.freePort());

        Run run = Run.of("rc-pingpong", "-R", "-d", "soft:127.0.40.2?fabric=wire", "-p", port, "127.0.40.2");

        assertEquals("samples/run rc-pingpong: no connection to 127.0.40.2:" + port + " (it was rejected): start the"
                + " server first, on that host, with the same --port and with --rdma_cm.", run.err().strip());
        assertEquals(1, run.status());
    }
}
