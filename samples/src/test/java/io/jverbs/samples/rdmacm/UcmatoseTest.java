package io.jverbs.samples.rdmacm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.Run;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Server and client of ucmatose in one JVM. */
class UcmatoseTest {
    private static final List<String> END = List.of("test complete", "return status 0");
    private static int nextPort = 7310;

    private static BothSides run(String options) throws Exception {
        return BothSides.run("ucmatose", (options + " -p " + nextPort++).strip().split(" +"));
    }

    private static List<String> lines(String text) {
        return List.of(text.split(", "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-c 4 -C 3 -S 5000", "-C 1 -S 1", "-t 8 -a 14 -f ip", "-c 2 -P TCP"})
    void theServerSendsAndTheClientReplies(String options) throws Exception {
        run(options).assertLines(
                lines("cmatose: starting server, initiating data transfers, completing sends, receiving data transfers,"
                        + " data transfers complete, cmatose: disconnecting, disconnected, test complete,"
                        + " return status 0"),
                lines("cmatose: starting client, cmatose: connecting, receiving data transfers, sending replies,"
                        + " data transfers complete, test complete, return status 0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-C 0", "-S 0 -c 3"})
    void withoutMessagesOnlyTheConnectionsAreMade(String options) throws Exception {
        run(options).assertLines(
                lines("cmatose: starting server, cmatose: disconnecting, disconnected, test complete, return status 0"),
                lines("cmatose: starting client, cmatose: connecting, test complete, return status 0"));
    }

    @Test
    void theIdsAreMovedToAnotherChannelAfterTheTransfer() throws Exception {
        BothSides both = run("-c 2 -m");
        assertEquals("", both.client().err() + both.server().err());
        assertTrue(both.client().lines().contains("migrating to new event channel"), both.client().out());
        assertTrue(both.server().lines().contains("migrating to new event channel"), both.server().out());
        assertTrue(both.client().lines().containsAll(END), both.client().out());
        assertTrue(both.server().lines().containsAll(END), both.server().out());
    }

    @Test
    void aPortWithoutAListenerIsReportedWithTheEventAndItsReason() {
        Run run = Run.of("ucmatose", "-s", BothSides.address(), "-p", "7309");
        assertEquals(8, run.status());
        assertEquals(lines("cmatose: starting client, cmatose: connecting, cmatose: event: RDMA_CM_EVENT_REJECTED,"
                + " error: 8, test complete, return status 8"), List.of(
                        run.out().strip().replace("\n", ", ")
                                .split(", ")));
        assertTrue(run.err().contains("there is no listener at this port"), run.err());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "-c 0       | -c 0 is outside 1..65535",
        "-a 32      | -a 32 is outside 0..31",
        "-t 256     | -t 256 is outside 0..255",
        "-P udp     | -P udp is not a port space; allowed are tcp, ib",
        "-f mac     | -f mac is not a format; allowed are name, ip, ipv6",
        "-f gid     | -f gid is not supported, since an ID has an IP address; allowed are name, ip, ipv6",
        "-f ip -s h | -f ip needs numeric addresses; -f name allows names of hosts"})
    void aWrongOptionIsRefused(String options, String sentence) {
        Run run = Run.of(("ucmatose " + options).split(" +"));
        assertEquals(1, run.status());
        assertEquals("samples/run ucmatose: " + sentence + ".", run.err().strip());
    }
}
