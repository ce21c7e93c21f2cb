package io.jverbs.samples.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.interop.process.InteropSettings;
import io.jverbs.samples.interop.process.Outcome;
import io.jverbs.samples.interop.process.Polling;
import io.jverbs.samples.interop.process.RdmacmProgram;
import io.jverbs.samples.interop.process.SampleThread;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Samples whose peer, a program of rdmacm-utils, is killed with SIGKILL: each ends in bounded time and says what has
 * happened. For RC the kernel sends the DREQ of the killed program; for UD nobody does. {@link RpingInterop} does the
 * same for rping. It needs rxe0: {@code .ci/rxe-samples} runs it in a virtual machine, and its name keeps it out of the
 * build's tests.
 */
class KilledPeerInterop {
    private static final int FIRST_PORT = 18_970;
    private static final String RECEIVING = "receiving data transfers";
    private static final String DISCONNECTED = "the peer disconnected before all requests had completed";
    private static final String NO_DATAGRAM = "udaddy: no datagram within 15 s";
    private static final int ATTEMPTS = 20;
    /** How much longer a client may take in each attempt until it has its connection. */
    private static final long CONNECT_NANOS = 2_000_000_000L;
    private static final String MANY = "100";

    private static int nextPort = FIRST_PORT;

    private final InteropSettings settings = InteropSettings.ofSystemProperties();
    private final String port = Integer.toString(nextPort++);

    private RdmacmProgram program(String words) throws Exception {
        return RdmacmProgram.start(settings.programPrefix(), List.of(words.formatted(port).split(" ")));
    }

    private SampleThread sample(String words) {
        return SampleThread.start(words.formatted(port).split(" "));
    }

    private static void assertSays(String expected, Outcome sample) {
        assertFalse(sample.status().equals("0") || sample.status().length() > 3, () -> sample.describe("the sample"));
        assertTrue(sample.lines().getLast().contains(expected), () -> sample.describe("the sample"));
    }

    /** Starts the program until it finds the server, waits for a line of the sample, and kills the program. */
    private Outcome killClientOf(SampleThread server, String words, String clientLine) throws Exception {
        boolean isConnected = false;
        for (int i = 0; i < ATTEMPTS && !isConnected; i++) {
            try (RdmacmProgram client = program(words)) {
                client.awaitLine(clientLine);
                isConnected = client.isRunning();
            }
        }
        return server.await();
    }

    /** Starts the sample until it finds the server, which prints a line then; returns the one that has found it. */
    private SampleThread clientOf(RdmacmProgram server, String words) throws Exception {
        for (int i = 1;; i++) {
            SampleThread client = sample(words);
            Polling.until(() -> server.lines().contains(RECEIVING), client::isRunning);
            if (client.isRunning() || i == ATTEMPTS) {
                return client;
            }
            client.await();
        }
    }

    /** The program wants more messages than the sample sends, so both wait. */
    @Test
    void aServerOfUcmatoseEnds() throws Exception {
        SampleThread server = sample("ucmatose -b " + settings.sampleAddress() + " -p %s -C 5");
        assertSays(DISCONNECTED,
                killClientOf(server, "ucmatose -s " + settings.sampleAddress() + " -p %s -C 10", RECEIVING));
    }

    @Test
    void aClientOfUcmatoseEnds() throws Exception {
        try (RdmacmProgram server = program("ucmatose -b " + settings.programAddress() + " -p %s -C 5")) {
            SampleThread client = clientOf(server, "ucmatose -s " + settings.programAddress() + " -p %s -C 10");
            server.kill();
            assertSays(DISCONNECTED, client.await());
        }
    }

    @Test
    void aServerOfUdaddyEndsAtItsTimeLimit() throws Exception {
        SampleThread server = sample("udaddy -b " + settings.sampleAddress() + " -C 10");
        assertSays(NO_DATAGRAM, killClientOf(server, "udaddy -s " + settings.sampleAddress() + " -C 5", RECEIVING));
    }

    @Test
    void aClientOfUdaddyEndsAtItsTimeLimit() throws Exception {
        try (RdmacmProgram server = program("udaddy -b " + settings.programAddress() + " -C 10")) {
            SampleThread client = clientOf(server, "udaddy -s " + settings.programAddress() + " -C 5");
            server.kill();
            assertSays(NO_DATAGRAM, client.await());
        }
    }

    /** Neither rdma_client nor rdma_server waits without end, so the peer is ucmatose. */
    @Test
    void aServerForOneMessageEnds() throws Exception {
        SampleThread server = sample("rdma-server -s " + settings.sampleAddress() + " -p %s");
        assertSays(DISCONNECTED, killClientOf(server, "ucmatose -s " + settings.sampleAddress() + " -p %s -S 16",
                RECEIVING));
    }

    /** The program waits for a second client, and prints nothing at the first one. */
    @Test
    void aClientForOneMessageEnds() throws Exception {
        Outcome ended = killServerOfOneMessage(1);
        for (int i = 2; i <= ATTEMPTS && ended.lines().toString().contains("REJECTED"); i++) {
            // the server had not accepted before it was killed
            ended = killServerOfOneMessage(i);
        }
        assertSays(DISCONNECTED, ended);
    }

    private Outcome killServerOfOneMessage(int attempt) throws Exception {
        try (RdmacmProgram server = program("ucmatose -b " + settings.programAddress() + " -p %s -c 2 -S 16")) {
            for (int i = 1;; i++) {
                SampleThread client = sample("rdma-client -s " + settings.programAddress() + " -p %s");
                long deadline = System.nanoTime() + attempt * CONNECT_NANOS;
                Polling.until(() -> System.nanoTime() - deadline > 0, client::isRunning);
                if (client.isRunning() || i == ATTEMPTS) {
                    server.kill();
                    return client.await();
                }
                // the server does not listen yet
                client.await();
            }
        }
    }

    @Test
    void aClientOfCmtimeReportsTheConnectionsThatFail() throws Exception {
        Outcome ended = killServerOfCmtime();
        for (int i = 1; i < ATTEMPTS && !hasEvent(ended); i++) {
            // all connections were established, and were being ended, before the server was killed
            ended = killServerOfCmtime();
        }
        assertTrue(hasEvent(ended), ended.describe("the client"));
    }

    private Outcome killServerOfCmtime() throws Exception {
        try (RdmacmProgram server = program("cmtime -b " + settings.programAddress() + " -p %s")) {
            String words = "cmtime -s " + settings.programAddress() + " -p %s -c ";
            for (int i = 0; i < ATTEMPTS && (i == 0 || hasEvent(sample(words + 1).await())); i++) {
                // the server does not listen yet
            }
            SampleThread client = sample(words + MANY);
            client.awaitLine("connecting");
            server.kill();
            Outcome ended = client.await();
            assertEquals("0", ended.status(), () -> ended.describe("the client"));
            return ended;
        }
    }

    @Test
    void aServerOfCmtimeServesTheNextClient() throws Exception {
        SampleThread server = sample("cmtime -b " + settings.sampleAddress() + " -p %s");
        String words = "cmtime -s " + settings.sampleAddress() + " -p %s -c ";
        for (int i = 0; i < ATTEMPTS && (i == 0 || hasEvent(one(words))); i++) {
            // the server does not listen yet
        }
        try (RdmacmProgram killed = program(words + MANY)) {
            killed.awaitLine("connecting");
        }
        Outcome next = one(words);
        Outcome ended = server.interrupt();
        String outputs = ended.describe("the server") + next.describe("the next client") + "\n ";
        assertEquals("0", next.status(), outputs);
        assertFalse(hasEvent(next), outputs);
    }

    private Outcome one(String words) throws Exception {
        try (RdmacmProgram client = program(words + 1)) {
            return client.await();
        }
    }

    private static boolean hasEvent(Outcome outcome) {
        return outcome.lines().stream().anyMatch(line -> line.contains("RDMA_CM_EVENT_"));
    }
}
