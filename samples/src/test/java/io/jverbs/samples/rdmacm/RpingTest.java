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

    @Test
    void theServerReadsAndWritesWhatTheClientOffers() throws Exception {
        CompletableFuture<Run> server = TwoSides.inThread(() -> Run.of("rping", "-s", "-v", "-p", PORT));
        Run client = client("rping", "-c", "-a", address(), "-p", PORT, "-C", "2", "-v", "-V");
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

    @Test
    void aPortWithoutAListenerIsReportedWithTheReason() {
        Run run = Run.of("rping", "-c", "-a", address(), "-p", "7302", "-C", "1");
        assertEquals(1, run.status());
        assertTrue(run.err().contains("REJECTED, reason 8: there is no listener at this port"), run.err());
    }

    @Test
    void theSideMustBeGiven() {
        for (String[] options : List.of(new String[] {"rping"}, new String[] {"rping", "-s", "-c"},
                new String[] {"rping", "-c"})) {
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
