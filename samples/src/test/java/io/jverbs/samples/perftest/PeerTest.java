package io.jverbs.samples.perftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.samples.Run;
import io.jverbs.samples.TwoSides;
import io.jverbs.samples.connect.Tcp;
import io.jverbs.samples.console.SampleFailure;
import io.jverbs.samples.perftest.exchange.ParameterExchange;
import io.jverbs.samples.perftest.exchange.PeerAddress;
import io.jverbs.samples.perftest.exchange.Request;
import io.jverbs.samples.connect.TcpMessageChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the peer does, a test exits with a sentence that says why. */
class PeerTest {
    private static final String DEVICE = "soft:soft48";
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    /** The address of a queue pair that does not exist. */
    private static final PeerAddress MISSING = new PeerAddress(0, 1, 0xfffff0, 1, 1, 4096, gid(), 0);

    private static Gid gid() {
        try (RdmaContext context = Verbs.open(DEVICE)) {
            return context.preferredGid(1).gid();
        }
    }

    /** Runs the client with a simulated server. */
    private static Run clientWith(Consumer<SocketChannel> server, String... words) throws Exception {
        try (ServerSocketChannel listener = Tcp
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
            CompletableFuture<Void> serverDone = TwoSides.inThread(() -> {
                try (SocketChannel channel = listener.accept()) {
                    server.accept(channel);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                return null;
            });
            CompletableFuture<Run> client = TwoSides.inThread(() -> Run.of((String.join(" ", words) + " -d " + DEVICE
                    + " -p " + port + " --warm-up 0 127.0.0.1").split(" ")));
            Run run = client.get(Pair.TIMEOUT_SECONDS, TimeUnit.SECONDS);
            serverDone.get(Pair.TIMEOUT_SECONDS, TimeUnit.SECONDS);
            return run;
        }
    }

    /** Sends bytes, and waits until the other side closes the connection. */
    private static void send(SocketChannel channel, byte[] bytes) {
        try {
            channel.write(ByteBuffer.wrap(bytes));
            while (channel.read(ByteBuffer.allocate(100)) >= 0) {
                Thread.onSpinWait();
            }
        } catch (IOException e) {
            // the other side has closed it
        }
    }

    private static void assertFailed(String sentence, Run run) {
        assertEquals(1, run.errors().size(), run.err());
        assertTrue(run.err().startsWith("samples/run ") && run.err().contains(": " + sentence), run.err());
        assertEquals(1, run.status());
    }

    @Test
    void aMissingServerIsReported() {
        String port = Integer.toString(TwoSides.freePort());

        assertFailed("no connection to localhost:" + port, Run.of("send-lat", "-d", DEVICE, "-p", port, "localhost"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0000:000011:5af10a:00000000000000000000000000000000", "SSH-2.0-OpenSSH_9.2\r\n",
        "jverbs perftest 2\n"})
    void anotherProgramIsRefused(String words) throws Exception {
        byte[] sent = words.getBytes(StandardCharsets.US_ASCII);

        assertFailed("the peer is another program: it sent \"" + words.substring(0, 16) + "\" instead of the version of"
                + " perftest.", clientWith(channel -> send(channel, sent), "write-bw"));
    }

    @Test
    void anOldVersionIsRefusedInASentenceWithBoth() throws Exception {
        assertFailed("the peer has version 5.60 of perftest, and this program has 6.06, which needs a peer with 5.70 or"
                + " later: update the peer's perftest.",
                clientWith(channel -> send(channel, Arrays.copyOf("5.60".getBytes(StandardCharsets.US_ASCII), 16)),
                        "write-bw"));
    }

    @Test
    void aPeerOfAnotherVersionIsPrintedAndNamedInAFailure() throws Exception {
        byte[] sent = Arrays.copyOf(
                "26.01\0\0\0\0\0\0\0\0\0\0\0\0\0\20\0\0\0\0\100x".getBytes(StandardCharsets.US_ASCII),
                26);

        Run run = clientWith(channel -> send(channel, sent), "write-bw");

        assertTrue(run.out().contains("The peer has version 26.01 of perftest, and this program has 6.06"), run.out());
        assertFailed("the peer's message is not the one expected: the MTU is \"x\", not a code from 1 (256 bytes) to 5"
                + " (4096). The peer has version 26.01 of perftest, and this program has 6.06.", run);
    }

    @Test
    void aPeerThatSendsNothingIsReported() throws Exception {
        assertFailed("the peer sent nothing for 1 s where the version of perftest was expected.",
                clientWith(channel -> send(channel, new byte[0]), "write-bw", "--patience", "1"));
    }

    @Test
    void longerMessagesThanExpectedAreReported() throws Exception {
        Pair pair = Pair.of("send-lat", List.of("-s", "64"), List.of("-s", "65"));

        assertFailed("a receive failed with LOC_LEN_ERR (1), vendor error 0x0, after 0 of 1000 completions",
                pair.server());
        assertEquals(1, pair.client().status());
    }

    @Test
    void shorterMessagesThanExpectedAreReported() throws Exception {
        Pair pair = Pair.of("send-lat", List.of("-s", "64"), List.of("-s", "63"));

        assertFailed("received a message of 63 bytes instead of 64.", pair.server());
        assertEquals(1, pair.client().status());
    }

    @Test
    void messagesThatNeverArriveAreReported() throws Exception {
        Pair pair = Pair.of("send-bw", List.of("-n", "200", "--patience", "1"), List.of("-n", "100"));

        assertFailed("no completion for 1 s after 100 of 200: the peer is connected, but its side of the test makes no"
                + " progress: start both sides with the same options.", pair.server());
        assertFailed("the peer exited before the end of the test, where the address was expected", pair.client());
    }

    @Test
    void anotherProgramOfPerftestIsReported() throws Exception {
        Pair pair = Pair.of("read-bw", "write-bw");

        assertFailed("a write failed with REM_INV_REQ_ERR (9)", pair.client());
        assertEquals(1, pair.server().status());
    }

    /** Performs the exchange of a side until both are connected, with a queue pair that does not exist. */
    private static ParameterExchange connect(SocketChannel channel, boolean client) {
        try {
            ParameterExchange exchange = new ParameterExchange(new TcpMessageChannel(channel, TIMEOUT), client,
                    TIMEOUT);
            exchange.versions();
            exchange.pageSize(4096, 64);
            exchange.mtu(Mtu.MTU_1024);
            exchange.useGids(true);
            for (int i = 0; i < 3; i++) {
                exchange.addresses(MISSING);
            }
            return exchange;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs the client of a test with a server whose queue pair does not exist, until the client fails. */
    private static Run clientWithMissingQueuePair(String... words) throws Exception {
        return clientWith(channel -> {
            try (ParameterExchange exchange = connect(channel, false)) {
                exchange.synchronize(MISSING, Request.NONE);
                exchange.synchronize(MISSING, Request.NONE);
            } catch (SampleFailure e) {
                // the client has failed
            }
        }, words);
    }

    @Test
    void aFailedCompletionIsReportedWithItsStatus() throws Exception {
        assertFailed("a write failed with RETRY_EXC_ERR (12), vendor error 0x0, after 0 of 100 completions",
                clientWithMissingQueuePair("write-bw", "-s", "64", "-n", "100", "-u", "8"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UC", "UD"})
    void theWaitForLostMessagesIsLimited(String connection) throws Exception {
        assertFailed("no completion for 1 s after 1 of 200: messages were lost. " + connection
                + " does not retransmit",
                clientWithMissingQueuePair("send-lat", "-s", "64", "-n", "100", "-c", connection, "--patience", "1"));
    }

    @Test
    void theWaitForLostMessagesIsLimitedWithEventsToo() throws Exception {
        assertFailed("no completion for 1 s after 1 of 200: messages were lost.",
                clientWithMissingQueuePair("send-lat", "-s", "64", "-n", "100", "-c", "UC", "-e", "--patience", "1"));
    }

    @Test
    void aServerThatExitsDuringTheTestIsReported() throws Exception {
        assertFailed("the peer exited before the end of the test, after 1 of 200 completions", clientWith(channel -> {
            try (ParameterExchange exchange = connect(channel, false)) {
                exchange.synchronize(MISSING, Request.NONE);
            }
        }, "send-lat", "-s", "64", "-n", "100", "-c", "UC"));
    }

    @Test
    void aServerThatSendsNothingAfterTheVersionIsReported() throws Exception {
        assertFailed("the peer sent nothing for 1 s where the page size was expected.", clientWith(
                channel -> send(channel, Arrays.copyOf("6.06".getBytes(StandardCharsets.US_ASCII), 16)), "read-bw",
                "--patience", "1"));
    }

    @Test
    void aClientThatExitsDuringTheTestIsReported() throws Exception {
        assertFailed("the peer exited before the end of the test, where the address was expected",
                serverWith(exchange -> {}, "write-bw"));
        assertFailed("the peer exited before the end of the test, after 0 of 100 completions",
                serverWith(exchange -> exchange.synchronize(MISSING, Request.NONE), "send-bw"));
    }

    @Test
    void aRequestThatDoesNotFitTheTestIsRefused() throws Exception {
        assertFailed("the peer asked for WARM_UP 100 where it cannot",
                serverWith(exchange -> exchange.synchronize(MISSING, new Request(Request.Kind.WARM_UP, 100)),
                        "write-bw"));
    }

    /** Runs the server of a test of 64-byte messages with a client whose queue pair does not exist. */
    private static Run serverWith(Consumer<ParameterExchange> client, String program) throws Exception {
        int port = TwoSides.freePort();
        CompletableFuture<Run> server = TwoSides.inThread(() -> Run.of(program, "-d", DEVICE, "-s", "64", "-n", "100",
                "-p", Integer.toString(port)));
        try (ParameterExchange exchange = connect(connectTo(port), true)) {
            client.accept(exchange);
        }
        return server.get(Pair.TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    private static SocketChannel connectTo(int port) throws Exception {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            try {
                return SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            } catch (IOException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                Thread.sleep(5);
            }
        }
    }
}
