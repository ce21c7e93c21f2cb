package io.jverbs.samples.rdmacm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.Run;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Server and client of cmtime in one JVM. The server runs until it is interrupted. */
class CmtimeTest {
    private static final String NUMBERS = " *: +\\d+\\.\\d\\d +\\d+\\.\\d\\d +\\d+\\.\\d\\d +\\d+\\.\\d\\d";

    private static Run client(String port) {
        return Run.of("cmtime", "-s", BothSides.address(), "-p", port, "-c", "5");
    }

    @Test
    void theClientMeasuresEachStepOfItsConnections() throws Exception {
        Thread server = Thread.ofPlatform().daemon().start(() -> Run.of("cmtime", "-p", "7351"));
        try {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            Run run = client("7351");
            while (run.out().contains("REJECTED") && System.nanoTime() < deadline) {
                run = client("7351");
            }
            assertEquals("", run.err());
            assertEquals(0, run.status());
            List<String> lines = run.lines();
            assertEquals(List.of("creating id", "resolving address", "resolving route", "creating qp", "connecting",
                    "disconnecting", "destroying id", "step              total ms     max ms     min us  us / conn"),
                    lines.subList(0, 8));
            List<String> steps = List.of("create id", "resolve addr", "resolve route", "create qp", "connect",
                    "disconnect", "destroy");
            for (int i = 0; i < steps.size(); i++) {
                String line = lines.get(8 + i);
                assertTrue(line.matches(steps.get(i) + NUMBERS), line);
            }
        } finally {
            server.interrupt();
            server.join(TimeUnit.SECONDS.toMillis(30));
        }
        assertTrue(!server.isAlive());
    }

    @Test
    void connectionsThatAreRejectedAreReported() {
        Run run = client("7352");
        assertEquals(0, run.status(), run.err());
        assertEquals(5, run.lines().stream().filter("event: RDMA_CM_EVENT_REJECTED, error: 8"::equals).count());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "-c 0   | -c 0 is outside 1..65535",
        "-r 256 | -r 256 is outside 0..255",
        "-t 0   | -t 0 is outside 1..2147483647"})
    void aWrongOptionIsRefused(String options, String sentence) {
        Run run = Run.of(("cmtime " + options).split(" +"));
        assertEquals(1, run.status());
        assertEquals("samples/run cmtime: " + sentence + ".", run.err().strip());
    }
}
