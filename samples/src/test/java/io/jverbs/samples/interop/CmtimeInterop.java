package io.jverbs.samples.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.interop.process.InteropSettings;
import io.jverbs.samples.interop.process.Outcome;
import io.jverbs.samples.interop.process.RdmacmProgram;
import io.jverbs.samples.interop.process.SampleThread;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The sample cmtime with the program of rdmacm-utils, as server and as client. It needs rxe0: {@code .ci/rxe-samples}
 * runs it in a virtual machine, and its name keeps it out of the build's tests.
 */
class CmtimeInterop {
    private static final String CONNECTIONS = "20";
    /** How long a server may take until it listens; only a client can tell, since it does not print it. */
    private static final int ATTEMPTS = 20;
    private static final long PAUSE_MILLIS = 500;
    /** The steps of the table at the end; both programs leave out the one that binds an address. */
    private static final List<String> STEPS = List.of("create id", "resolve addr", "resolve route", "create qp",
            "connect", "disconnect", "destroy");

    private final InteropSettings settings = InteropSettings.ofSystemProperties();

    /** Runs a client. */
    private interface Client {
        Outcome run() throws Exception;
    }

    private static List<String> client(String address, String port) {
        return List.of("cmtime", "-s", address, "-p", port, "-c", CONNECTIONS);
    }

    private static boolean hasFailedConnection(Outcome outcome) {
        return outcome.lines().stream().anyMatch(line -> line.contains("RDMA_CM_EVENT_"));
    }

    /** Runs a client until the server listens. */
    private static Outcome untilServed(Client client) throws Exception {
        Outcome outcome = null;
        for (int i = 0; i < ATTEMPTS && (outcome == null || hasFailedConnection(outcome)); i++) {
            Thread.sleep(PAUSE_MILLIS);
            outcome = client.run();
        }
        return outcome;
    }

    private static void check(Outcome client, Outcome server) {
        String outputs = client.describe("the client") + server.describe("the server") + "\n ";
        assertEquals("0", client.status(), outputs);
        assertTrue(!hasFailedConnection(client), outputs);
        for (String step : STEPS) {
            assertTrue(
                    client.lines().stream().anyMatch(line -> line.startsWith(step) && line.matches(".*\\d+\\.\\d+.*")),
                    () -> "no row of the step " + step + outputs);
        }
        assertTrue(server.lines().stream().noneMatch(line -> line.contains("error")), outputs);
    }

    @Test
    void theServerAcceptsTheConnectionsOfTheProgram() throws Exception {
        SampleThread server = SampleThread.start("cmtime", "-b", settings.sampleAddress(), "-p", "18950");
        Outcome client = untilServed(() -> {
            try (RdmacmProgram program = RdmacmProgram.start(settings.programPrefix(),
                    client(settings.sampleAddress(), "18950"))) {
                return program.await();
            }
        });
        check(client, server.interrupt());
    }

    @Test
    void theClientMeasuresConnectionsToTheProgram() throws Exception {
        try (RdmacmProgram server = RdmacmProgram.start(settings.programPrefix(),
                List.of("cmtime", "-b", settings.programAddress(), "-p", "18951"))) {
            Outcome client = untilServed(() -> SampleThread
                    .start(client(settings.programAddress(), "18951").toArray(String[]::new)).await());
            server.kill();
            check(client, server.await());
        }
    }
}
