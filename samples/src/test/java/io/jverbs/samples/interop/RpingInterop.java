package io.jverbs.samples.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.jverbs.samples.interop.process.InteropSettings;
import io.jverbs.samples.interop.process.Outcome;
import io.jverbs.samples.interop.process.RdmacmProgram;
import io.jverbs.samples.interop.process.SampleThread;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The sample rping with the program of rdmacm-utils of the same name, each as server and as client. It needs rxe0:
 * {@code .ci/rxe-samples} runs it in a virtual machine, and its name keeps it out of the build's tests.
 */
class RpingInterop {
    private static final String LISTENS = "rdma_listen";
    private static final String SERVED = "server ping data: ";
    private static final String PINGED = "ping data: ";
    private static final String ESTABLISHED = "cma_event type RDMA_CM_EVENT_ESTABLISHED";
    private static final String DISCONNECTED = "server DISCONNECT EVENT...";
    private static final int FIRST_PORT = 18_700;
    private static final List<String> ENDLESS = List.of("-v");
    private static final int CLIENTS = 4;

    private final InteropSettings settings = InteropSettings.ofSystemProperties();

    /** Each test has a port of its own, since the connections of the one before may be in TIMEWAIT. */
    private static int nextPort = FIRST_PORT;

    private final String port = Integer.toString(nextPort++);

    private SampleThread sample(String side, String address, List<String> options) {
        return SampleThread.start(words("rping", side, address, options).toArray(String[]::new));
    }

    private RdmacmProgram program(String side, String address, List<String> options) throws Exception {
        return RdmacmProgram.start(settings.programPrefix(), words("rping", side, address, options));
    }

    /** Starts the sample in a JVM of its own, which can be killed. */
    private RdmacmProgram jvm(String side, String address, List<String> options) throws Exception {
        return RdmacmProgram.startJvm(settings.sampleJvm(words("rping", side, address, options)));
    }

    private List<String> words(String name, String side, String address, List<String> options) {
        List<String> words = new ArrayList<>(List.of(name, side, "-d", "-a", address, "-p", port));
        words.addAll(options);
        return words;
    }

    private SampleThread sampleServer(List<String> options) throws Exception {
        SampleThread server = sample("-s", settings.sampleAddress(), options);
        server.awaitLine(LISTENS);
        return server;
    }

    private RdmacmProgram programServer(List<String> options) throws Exception {
        RdmacmProgram server = program("-s", settings.programAddress(), options);
        server.awaitLine(LISTENS);
        return server;
    }

    private RdmacmProgram jvmServer() throws Exception {
        RdmacmProgram server = jvm("-s", settings.jvmAddress(), List.of("-v"));
        server.awaitLine(LISTENS);
        return server;
    }

    private static List<String> data(Outcome outcome, String start) {
        return outcome.lines().stream().filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length())).toList();
    }

    private static void check(int pings, Outcome server, Outcome client) {
        String outputs = server.describe("the server") + client.describe("the client") + "\n ";
        assertEquals("0", client.status(), () -> "exit status of the client" + outputs);
        assertEquals(pings, data(client, PINGED).size(), () -> "pings of the client" + outputs);
        assertEquals(data(client, PINGED), data(server, SERVED), () -> "data of the server" + outputs);
    }

    @TestFactory
    Stream<DynamicTest> theServerReadsAndWritesWhatTheClientOffers() {
        return Stream.of("-C 3", "-C 2 -S 23", "-C 2 -S 1000 -q", "-C 2 -S 65535").map(each -> each + " -v -V")
                .flatMap(each -> Stream.of(
                        dynamicTest("java server, c client: " + each,
                                () -> serveProgram(List.of(each.split(" ")))),
                        dynamicTest("c server, java client: " + each,
                                () -> serveSample(List.of(each.split(" "))))));
    }

    /** The options of a client that binds itself to an address. */
    private static List<String> from(String address, List<String> options) {
        return Stream.concat(options.stream(), Stream.of("-I", address)).toList();
    }

    private void serveProgram(List<String> options) throws Exception {
        SampleThread server = sampleServer(options);
        try (RdmacmProgram client = program("-c", settings.sampleAddress(),
                from(settings.programAddress(), options))) {
            Outcome ended = client.await();
            check(Integer.parseInt(options.get(1)), server.await(), ended);
        }
    }

    private void serveSample(List<String> options) throws Exception {
        try (RdmacmProgram server = programServer(options)) {
            Outcome ended = sample("-c", settings.programAddress(), from(settings.sampleAddress(), options)).await();
            check(Integer.parseInt(options.get(1)), server.await(), ended);
        }
    }

    @Test
    void aPersistentServerServesSeveralCProgramsAtTheSameTime() throws Exception {
        SampleThread server = sampleServer(List.of("-P", "-v"));
        List<RdmacmProgram> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(program("-c", settings.sampleAddress(), List.of("-C", "3", "-v", "-V")));
        }
        for (RdmacmProgram client : clients) {
            Outcome ended = client.await();
            assertEquals("0", ended.status(), () -> ended.describe("a client"));
            assertEquals(3, data(ended, PINGED).size(), () -> ended.describe("a client"));
        }
        Outcome served = server.interrupt();
        assertEquals(3 * CLIENTS, data(served, SERVED).size(), () -> served.describe("the server"));
    }

    /** rping forgets a request if another one arrives before it has accepted, so the clients connect in turn. */
    @Test
    void aPersistentCProgramServesSeveralSamplesAtTheSameTime() throws Exception {
        try (RdmacmProgram server = programServer(List.of("-P", "-v"))) {
            List<SampleThread> clients = new ArrayList<>();
            for (int i = 1; i <= CLIENTS; i++) {
                clients.add(sample("-c", settings.programAddress(), List.of("-C", "3", "-v", "-V")));
                server.awaitLines(ESTABLISHED, i);
            }
            List<Outcome> ended = new ArrayList<>();
            for (SampleThread client : clients.reversed()) {
                ended.add(client.await());
            }
            server.kill();
            Outcome served = server.await();
            for (Outcome client : ended) {
                String outputs = served.describe("the server") + client.describe("a client");
                assertEquals("0", client.status(), outputs);
                assertEquals(3, data(client, PINGED).size(), outputs);
            }
            assertEquals(3 * CLIENTS, data(served, SERVED).size(), () -> served.describe("the server"));
        }
    }

    /** Kills a client in a JVM of its own while it pings the C program. */
    private void killClient() throws Exception {
        try (RdmacmProgram killed = jvm("-c", settings.programAddress(), ENDLESS)) {
            killed.awaitLine(PINGED + "rdma-ping-3");
            killed.kill();
            Outcome ended = killed.await();
            assertEquals("137", ended.status(), () -> ended.describe("the killed client"));
        }
    }

    private void pingOnce() throws Exception {
        Outcome next = sample("-c", settings.programAddress(), List.of("-C", "1", "-v", "-V")).await();
        assertEquals("0", next.status(), () -> next.describe("the next client"));
        assertEquals(1, data(next, PINGED).size(), () -> next.describe("the next client"));
    }

    private static void assertServedBothClients(Outcome served) {
        assertEquals(2, data(served, SERVED).stream().filter(line -> line.startsWith("rdma-ping-0")).count(),
                () -> served.describe("the server"));
    }

    /** With rxe0 only, for which the kernel sends the DREQ of a killed JVM. */
    @Test
    void aPersistentCProgramServesTheNextClientAfterAKilledJvm() throws Exception {
        assumeTrue(settings.isNative(), "with rxe0 only");
        try (RdmacmProgram server = programServer(List.of("-P", "-v"))) {
            killClient();
            server.awaitLine(DISCONNECTED);
            pingOnce();
            server.awaitLines(DISCONNECTED, 2);
            server.kill();
            Outcome served = server.await();
            assertEquals(2, served.lines().stream().filter(DISCONNECTED::equals).count(),
                    () -> served.describe("the server"));
            assertServedBothClients(served);
        }
    }

    /** Nobody tells the server that a software device was killed; it serves the next client all the same. */
    @Test
    void aPersistentCProgramServesTheNextClientAfterAKilledSoftwareDevice() throws Exception {
        assumeFalse(settings.isNative(), "with the software device only");
        try (RdmacmProgram server = programServer(List.of("-P", "-v"))) {
            killClient();
            pingOnce();
            server.awaitLine(DISCONNECTED);
            server.kill();
            Outcome served = server.await();
            assertServedBothClients(served);
        }
    }

    /** The server takes one connection only. When it is killed, the kernel rejects the request that waits. */
    @Test
    void aRequestThatAKilledServerHasNotAcceptedIsRejectedWithReason28() throws Exception {
        try (RdmacmProgram server = programServer(List.of());
                RdmacmProgram first = program("-c", settings.programAddress(), ENDLESS)) {
            first.awaitLine(PINGED);
            SampleThread second = sample("-c", settings.programAddress(), ENDLESS);
            server.awaitLines("RDMA_CM_EVENT_CONNECT_REQUEST", 2);
            server.kill();
            Outcome ended = second.await();
            assertEquals("1", ended.status(), () -> ended.describe("the second client"));
            assertTrue(ended.lines().getLast().contains("REJECTED, reason 28"),
                    () -> ended.describe("the second client"));
        }
    }

    @Test
    void aCProgramIsRejectedWithReason8ByAPortWithoutAListener() throws Exception {
        SampleThread server = sampleServer(List.of("-v"));
        try (RdmacmProgram client = RdmacmProgram.start(settings.programPrefix(), List.of("rping", "-c", "-a",
                settings.sampleAddress(), "-p", Integer.toString(nextPort++), "-C", "1"))) {
            Outcome ended = client.await();
            assertTrue(ended.lines().contains("cma event RDMA_CM_EVENT_REJECTED, error 8"),
                    () -> ended.describe("the client"));
            assertTrue(!ended.status().equals("0") && ended.status().length() <= 3,
                    () -> ended.describe("the client"));
        }
        Outcome interrupted = server.interrupt();
        assertEquals(List.of(), data(interrupted, SERVED), () -> interrupted.describe("the server"));
    }

    @Test
    void aPortWithoutAListenerIsRejectedWithReason8() throws Exception {
        Outcome sample = sample("-c", settings.programAddress(), List.of("-C", "1")).await();
        assertEquals("1", sample.status(), () -> sample.describe("the sample"));
        assertTrue(sample.lines().stream().anyMatch(line -> line.contains("REJECTED, reason 8")),
                () -> sample.describe("the sample"));
    }

    /** The kernel sends a DREQ for the killed client. It arrives between two pings, or while a request is executed. */
    @Test
    void aServerWhoseClientIsKilledEnds() throws Exception {
        SampleThread server = sampleServer(List.of("-v"));
        try (RdmacmProgram client = program("-c", settings.sampleAddress(), ENDLESS)) {
            client.awaitLine(PINGED + "rdma-ping-3");
            client.kill();
        }
        Outcome ended = server.await();
        assertTrue(ended.status().equals("0") || ended.lines().getLast().contains("the peer disconnected"),
                () -> ended.describe("the server"));
    }

    @Test
    void aClientWhoseServerIsKilledSaysSo() throws Exception {
        try (RdmacmProgram server = programServer(List.of("-v"))) {
            SampleThread client = sample("-c", settings.programAddress(), ENDLESS);
            client.awaitLine(PINGED + "rdma-ping-3");
            server.kill();
            Outcome ended = client.await();
            assertEquals("1", ended.status(), () -> ended.describe("the client"));
            assertTrue(ended.lines().getLast().contains("disconnected"), () -> ended.describe("the client"));
        }
    }

    /** With rxe0 only, for which the kernel sends the DREQ of a killed JVM. */
    @Test
    void aCProgramWhoseServerIsAKilledJvmEnds() throws Exception {
        assumeTrue(settings.isNative(), "with rxe0 only");
        try (RdmacmProgram server = jvmServer();
                RdmacmProgram client = program("-c", settings.jvmAddress(), ENDLESS)) {
            client.awaitLine(PINGED + "rdma-ping-3");
            server.kill();
            Outcome ended = client.await();
            String outputs = server.await().describe("the server") + ended.describe("the client");
            assertEquals("0", ended.status(), outputs);
            assertFalse(data(ended, PINGED).isEmpty(), outputs);
        }
    }

    /**
     * Nobody tells a C program that its server on a software device was killed, and rxe0 repeats a packet without end
     * if retry_count is 7, as that of rping. The next server at the address serves the next client all the same.
     */
    @Test
    void theNextSoftwareDeviceAtTheAddressOfAKilledOneServesTheNextCProgram() throws Exception {
        assumeFalse(settings.isNative(), "with the software device only");
        try (RdmacmProgram killed = jvmServer();
                RdmacmProgram left = program("-c", settings.jvmAddress(), ENDLESS)) {
            left.awaitLine(PINGED + "rdma-ping-3");
            killed.kill();
            Outcome ended = killed.await();
            assertEquals("137", ended.status(), () -> ended.describe("the killed server"));
            try (RdmacmProgram next = jvmServer();
                    RdmacmProgram client = program("-c", settings.jvmAddress(), List.of("-C", "2", "-v", "-V"))) {
                check(2, next.await(), client.await());
            }
            left.kill();
            Outcome served = left.await();
            assertEquals("137", served.status(), () -> served.describe("the client of the killed server"));
        }
    }
}
