package io.jverbs.samples.rdmacm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.samples.Run;
import io.jverbs.samples.TwoSides;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Server and client of rping in one JVM. */
class RpingTest {
    private static final String PORT = "7301";

    private static String address() {
        try (RdmaContext context = Verbs.open()) {
            return context.preferredGid(1).gid().toInetAddress().getHostAddress();
        }
    }

    /** Runs a client repeatedly until the server listens. */
    private static Run client(String... options) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        Run run = Run.of(options);
        while (run.err().contains("reason 8") && System.nanoTime() < deadline) {
            run = Run.of(options);
        }
        return run;
    }

    /** With the second, each side creates its queue pair and moves it itself. */
    @ParameterizedTest
    @ValueSource(strings = {"-V", "-q"})
    void theServerReadsAndWritesWhatTheClientOffers(String option) throws Exception {
        CompletableFuture<Run> server = TwoSides.inThread(() -> Run.of("rping", "-s", "-v", "-p", PORT, option));
        Run client = client("rping", "-c", "-a", address(), "-I", address(), "-p", PORT, "-C", "2", "-v", option);
        assertEquals("", client.err());
        assertEquals(0, client.status());
        String first = "rdma-ping-0: ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqr";
        String second = "rdma-ping-1: BCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrs";
        assertEquals(List.of("ping data: " + first, "ping data: " + second), client.lines());
        Run served = server.get(30, TimeUnit.SECONDS);
        assertEquals("", served.err());
        assertEquals(0, served.status());
        assertEquals(List.of("server ping data: " + first, "server ping data: " + second), served.lines());
    }

    private static List<String> events(Run run) {
        return run.lines().stream().filter(line -> line.startsWith("cma_event type RDMA_CM_EVENT_"))
                .map(line -> line.replaceAll("cma_event type RDMA_CM_EVENT_| cma_id .*(?= \\()", "")).toList();
    }

    @Test
    void bothSidesPrintTheirEventsAndCompletions() throws Exception {
        CompletableFuture<Run> server = TwoSides.inThread(() -> Run.of("rping", "-s", "-d", "-p", "7303"));
        Run client = client("rping", "-c", "-d", "-a", address(), "-p", "7303", "-C", "1");
        Run served = server.get(30, TimeUnit.SECONDS);
        assertEquals(List.of("ADDR_RESOLVED (parent)", "ROUTE_RESOLVED (parent)", "ESTABLISHED (parent)"),
                events(client).subList(0, 3));
        assertEquals(List.of("CONNECT_REQUEST (child)", "ESTABLISHED (child)"), events(served).subList(0, 2));
        assertEquals(List.of("send completion", "recv completion", "send completion", "recv completion"),
                client.lines().stream().filter(line -> line.endsWith(" completion")).toList());
        assertEquals(List.of("recv completion", "rdma read completion", "send completion", "recv completion",
                "rdma write completion", "send completion"),
                served.lines().stream().filter(line -> line.endsWith(" completion")).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-V", "-q"})
    void aPortWithoutAListenerIsReportedWithTheReason(String option) {
        Run run = Run.of("rping", "-c", "-a", address(), "-p", "7302", "-C", "1", option);
        assertEquals(1, run.status());
        assertTrue(run.err().contains("REJECTED, reason 8: there is no listener at this port"), run.err());
    }

    @Test
    void theSideMustBeGiven() {
        for (String[] options : List.of(new String[] {"rping"}, new String[] {"rping", "-s", "-c"},
                new String[] {"rping", "-c"}, new String[] {"rping", "-s", "-I", "127.0.0.1"})) {
            Run run = Run.of(options);
            assertEquals(1, run.status());
            assertTrue(run.err().contains("--help describes the options"), run.err());
        }
    }

    @Test
    void theTextOfAPingEndsWithAZero() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(18);
            PingData.fill(buffer, 57);
            assertEquals("rdma-ping-57: zABC".substring(0, 17), PingData.text(buffer));
        }
    }
}
