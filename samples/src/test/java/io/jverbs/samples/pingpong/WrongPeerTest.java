package io.jverbs.samples.pingpong;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Mtu;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.samples.Run;
import io.jverbs.samples.TwoSides;
import io.jverbs.samples.connect.LocalAddress;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A server detects that its client does not follow the protocol. */
class WrongPeerTest {
    private static final int SIZE = 10_000;

    /** Runs the server with a client that sends one message and does nothing else. */
    private static Run serverWith(String device, int size, Consumer<MemorySegment> contents, String... options)
            throws Exception {
        int port = TwoSides.freePort();
        CompletableFuture<Run> server = TwoSides.inThread(() -> Run.of(arguments(port, options)));
        Settings settings = new Settings("localhost", port, device, 1, size, Mtu.MTU_1024, 10, 1, 0, false,
                LocalAddress.NO_GID_INDEX, false, 1, false);
        try (RdmaContext context = Verbs.open(device)) {
            Endpoint client = new Endpoint(context, settings, new RcTransport(), false, null);
            List<Destination> peers = PingPongRun
                    .untilConnected(() -> DestinationExchange.asClient("localhost", port, client.destinations()));
            client.connect(peers);
            contents.accept(client.own().message(0));
            client.own().setElement(client.requests().getFirst(), 0);
            client.queuePairs().getFirst().postSend(client.requests().getFirst());
            return server.get(60, TimeUnit.SECONDS);
        }
    }

    private static String[] arguments(int port, String... options) {
        return ("rc-pingpong -d " + PingPongRun.SERVER_DEVICE + " -s " + SIZE + " -p " + port + " "
                + String.join(" ", options))
                .split(" ");
    }

    @Test
    void wrongContentsAreReportedWithPageAndByte() throws Exception {
        Run run = serverWith("soft:soft42", SIZE, memory -> {
            memory.fill((byte) 0x7b);
            memory.set(ValueLayout.JAVA_BYTE, 8193, (byte) 0x42);
        }, "-c", "-n", "1");

        assertEquals(1, run.status());
        assertEquals("invalid data in page 2", run.lines().getLast());
        assertTrue(run.lines().get(3).startsWith("1 iters in "), run.out());
        assertTrue(
                run.err().matches("samples/run rc-pingpong: 1 messages had wrong contents; the first was message 1 to"
                        + " QPN 0x[0-9a-f]{6}, in which byte 8193 was 0x42\\.\\R"),
                run.err());
    }

    @Test
    void contentsAreNotCheckedWithoutTheOption() throws Exception {
        Run run = serverWith("soft:soft42", SIZE, memory -> memory.fill((byte) 1), "-n", "1");

        assertEquals("", run.err());
        assertEquals(0, run.status());
    }

    @Test
    void aMessageOfAnotherSizeIsReportedWithBothSizes() throws Exception {
        Run run = serverWith("soft:soft42", 77, memory -> memory.fill((byte) 1), "-n", "1");

        assertEquals(1, run.status());
        assertEquals("samples/run rc-pingpong: received a message of 77 bytes instead of 10000: start both sides with"
                + " the same --size.", run.err().strip());
    }

    @Test
    void aMessageThatIsTooLongIsReportedWithItsStatus() throws Exception {
        Run run = serverWith("soft:soft42", SIZE + 1, memory -> memory.fill((byte) 1), "-n", "1");

        assertEquals(1, run.status());
        assertTrue(
                run.err().startsWith("samples/run rc-pingpong: a receive failed with LOC_LEN_ERR (1), vendor error 0x"),
                run.err());
        assertEquals(1, run.errors().size());
    }
}
