package io.jverbs.samples.rdmacm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.Run;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Server and client of udaddy in one JVM. */
class UdaddyTest {

    private static List<String> lines(String text) {
        return List.of(text.split(", "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-C 10", "-c 4 -C 3 -S 1000", "-C 1 -S 1", "-t 8 -f ip", "-p 0x111"})
    void theClientSendsAndTheServerReplies(String options) throws Exception {
        BothSides.run("udaddy", options.split(" +")).assertLines(
                lines("udaddy: starting server, receiving data transfers, sending replies, data transfers complete,"
                        + " test complete, return status 0"),
                lines("udaddy: starting client, udaddy: connecting, initiating data transfers,"
                        + " receiving data transfers, data transfers complete, test complete, return status 0"));
    }

    @Test
    void withoutMessagesOnlyTheQueuePairsAreLookedUp() throws Exception {
        BothSides.run("udaddy", "-C", "0", "-c", "3").assertLines(
                lines("udaddy: starting server, test complete, return status 0"),
                lines("udaddy: starting client, udaddy: connecting, test complete, return status 0"));
    }

    @Test
    void aPortWithoutAListenerIsReportedWithTheEventAndItsReason() {
        Run run = Run.of("udaddy", "-s", BothSides.address());
        assertEquals(1, run.status());
        assertTrue(run.lines().contains("udaddy: event: RDMA_CM_EVENT_UNREACHABLE, error: 1"), run.out());
        assertTrue(run.err().contains("there is no listener at this port"), run.err());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "-P tcp     | -P tcp is not a port space; allowed are udp, ipoib",
        "-p 3       | -p 3 is not a port space; allowed are 0x111 for UDP and 0x2 for IPOIB",
        "-p 0x106   | -p 0x106 is not a port space; allowed are 0x111 for UDP and 0x2 for IPOIB",
        "-C -1      | -C -1 is outside 0..1000000"})
    void aWrongOptionIsRefused(String options, String sentence) {
        Run run = Run.of(("udaddy " + options).split(" +"));
        assertEquals(1, run.status());
        assertEquals("samples/run udaddy: " + sentence + ".", run.err().strip());
    }
}
