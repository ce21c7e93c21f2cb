package io.jverbs.samples.pingpong;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Gid;
import io.jverbs.samples.TwoSides;
import io.jverbs.samples.console.SampleFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The peer in these tests is a socket that behaves like the C programs. */
class DestinationExchangeTest {
    private static final byte[] DONE = {'d', 'o', 'n', 'e', 0};
    private static final Destination OURS = new Destination(0, 0x11, 0x111111, Gid.parse("192.0.2.1"));
    private static final Destination THEIRS = new Destination(0, 0x22, 0x222222, Gid.parse("fe80::2"));

    private static byte[] wire(Destination destination, int count) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            bytes.writeBytes(destination.toWire());
        }
        return bytes.toByteArray();
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        try {
            return future.get(20, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private static Socket connect(int port) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            try {
                return new Socket(InetAddress.getLoopbackAddress(), port);
            } catch (IOException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                Thread.sleep(5);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 256})
    void theClientSendsFirstAndSendsDoneAfterTheReply(int count) throws Exception {
        try (ServerSocket listening = new ServerSocket(0)) {
            CompletableFuture<List<Destination>> client = CompletableFuture.supplyAsync(
                    () -> DestinationExchange.asClient("localhost", listening.getLocalPort(),
                            Collections.nCopies(count, OURS)));
            try (Socket server = listening.accept()) {
                assertArrayEquals(wire(OURS, count),
                        server.getInputStream().readNBytes(count * Destination.WIRE_BYTES));
                server.getOutputStream().write(wire(THEIRS, count));
                assertArrayEquals(DONE, server.getInputStream().readAllBytes());
            }
            assertEquals(Collections.nCopies(count, THEIRS), get(client));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 256})
    void theServerRepliesAfterItsQueuePairsAreConnected(int count) throws Exception {
        int port = TwoSides.freePort();
        List<List<Destination>> connected = Collections.synchronizedList(new ArrayList<>());
        CompletableFuture<List<Destination>> server = CompletableFuture.supplyAsync(
                () -> DestinationExchange.asServer(port, Collections.nCopies(count, OURS), connected::add));
        try (Socket client = connect(port)) {
            client.getOutputStream().write(wire(THEIRS, count));
            // The C program expects one read to return a whole text.
            byte[] reply = new byte[Destination.WIRE_BYTES];
            assertEquals(reply.length, client.getInputStream().read(reply));
            assertEquals(List.of(Collections.nCopies(count, THEIRS)), connected);
            assertArrayEquals(wire(OURS, 1), reply);
            assertArrayEquals(wire(OURS, count - 1),
                    client.getInputStream().readNBytes((count - 1) * Destination.WIRE_BYTES));
            client.getOutputStream().write(DONE);
        }
        assertEquals(Collections.nCopies(count, THEIRS), get(server));
    }

    @Test
    void aTextThatArrivesByteByByteIsReassembled() throws Exception {
        int port = TwoSides.freePort();
        CompletableFuture<List<Destination>> server = CompletableFuture
                .supplyAsync(() -> DestinationExchange.asServer(port, List.of(OURS), peers -> {}));
        try (Socket client = connect(port)) {
            client.setTcpNoDelay(true);
            for (byte piece : THEIRS.toWire()) {
                client.getOutputStream().write(piece);
            }
            client.getInputStream().readNBytes(Destination.WIRE_BYTES);
            client.getOutputStream().write(DONE);
        }
        assertEquals(List.of(THEIRS), get(server));
    }

    @Test
    void aPeerThatClosesTheConnectionIsReportedWithTheMissingPart() throws Exception {
        int port = TwoSides.freePort();
        CompletableFuture<List<Destination>> server = CompletableFuture
                .supplyAsync(() -> DestinationExchange.asServer(port, List.of(OURS), peers -> {}));
        try (Socket client = connect(port)) {
            client.getOutputStream().write(Arrays.copyOf(THEIRS.toWire(), 20));
        }

        assertEquals(
                "the peer closed the connection after 20 of 52 bytes of address 1 of 1: it failed, or it is another"
                        + " ping-pong program.",
                assertThrows(SampleFailure.class, () -> get(server)).getMessage());
    }

    @Test
    void aClientThatDoesNotSendDoneIsReported() throws Exception {
        int port = TwoSides.freePort();
        CompletableFuture<List<Destination>> server = CompletableFuture
                .supplyAsync(() -> DestinationExchange.asServer(port, List.of(OURS), peers -> {}));
        try (Socket client = connect(port)) {
            client.getOutputStream().write(THEIRS.toWire());
            client.getOutputStream().write("gone\0".getBytes(StandardCharsets.US_ASCII));
            client.getInputStream().readAllBytes();
        }

        assertTrue(assertThrows(SampleFailure.class, () -> get(server)).getMessage().contains("\"done\""));
    }

    @Test
    void aMissingServerIsReportedWithHostAndPort() {
        int port = TwoSides.freePort();

        String message = assertThrows(SampleFailure.class,
                () -> DestinationExchange.asClient("localhost", port, List.of(OURS))).getMessage();
        assertTrue(message.startsWith("no connection to localhost:" + port + " ("), message);
    }

    @Test
    void aPortInUseIsReported() throws Exception {
        try (ServerSocket other = new ServerSocket(0)) {
            String message = assertThrows(SampleFailure.class,
                    () -> DestinationExchange.asServer(other.getLocalPort(), List.of(OURS), peers -> {})).getMessage();
            assertTrue(message.startsWith("cannot listen on TCP port " + other.getLocalPort() + ": "), message);
        }
    }
}
