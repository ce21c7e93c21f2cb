package io.jverbs.samples.perftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Gid;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.samples.Run;
import io.jverbs.samples.TwoSides;
import io.jverbs.samples.connect.Tcp;
import io.jverbs.samples.perftest.run.Control;
import io.jverbs.samples.perftest.run.PeerAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the peer does, a test exits with a sentence that says why. */
class PeerTest {
    private static final String DEVICE = "soft:soft48";
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

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
    @ValueSource(strings = {"6.24\0\0\0\0\0\0\0\0\0\0\0\0", "0000:000011:5af10a:00000000000000000000000000000000",
        "SSH-2.0-OpenSSH_9.2\r\n"})
    void anotherProgramIsRefused(String words) throws Exception {
        byte[] sent = words.getBytes(StandardCharsets.US_ASCII);
        String printed = words.replaceAll("[\0\r\n]+$", "");

        assertFailed("the peer is another program: it sent \"" + printed + "\".",
                clientWith(channel -> send(channel, sent), "write-bw"));
    }

    @Test
    void anotherVersionIsRefused() throws Exception {
        assertFailed("the peer is another program: it sent \"jverbs perftest 3\".",
                clientWith(channel -> send(channel, "jverbs perftest 3\n".getBytes(StandardCharsets.US_ASCII)),
                        "write-bw"));
    }

    @Test
    void aPeerThatSendsNothingIsReported() throws Exception {
        assertFailed("the peer sent nothing for 1 s",
                clientWith(channel -> send(channel, new byte[0]), "write-bw", "--patience", "1"));
    }

    @ParameterizedTest
    @CsvSource({"send-lat, -s 64, -s 65, --size is 64 here and 65 at the peer", "send-bw, -n 100, -n 200, --iters is",
        "send-lat, -c UC, -c RC, --connection is UC here and RC at the peer",
        "write-bw, -a, -s 2, --size is all here and 2 at the peer",
        "write-bw, -b, -s 65536, --bidirectional is yes here and no at the peer",
        "send-bw, -b -l 8, -b, --post_list is 8 here and 1 at the peer",
        "read-lat, -D 5, -n 100, --duration is 5 here and not given at the peer"})
    void differentOptionsOfTheTwoSidesAreReported(String program, String server, String client, String sentence)
            throws Exception {
        Pair pair = Pair.of(program, List.of(server.split(" ")), List.of(client.split(" ")));

        assertFailed("the two sides differ: " + sentence, pair.server());
        assertFailed("the two sides differ: ", pair.client());
    }

    /** Performs the protocol of a side until both are connected, with a queue pair that does not exist. */
    private static Control connect(SocketChannel channel, String parameters) throws IOException {
        Control control = new Control(channel);
        control.greet(TIMEOUT);
        control.send("parameters " + parameters);
        control.receive("parameters");
        try (RdmaContext context = Verbs.open(DEVICE)) {
            Gid gid = context.preferredGid(1).gid();
            control.receive("address");
            control.send("address " + new PeerAddress(0, 0xfffff0, 1, gid, 1, 4096, 1).toWords());
        }
        control.receive("connected");
        control.send("connected");
        return control;
    }

    private static Run clientWithMissingQueuePair(String parameters, String... words) throws Exception {
        return clientWith(channel -> {
            try {
                Control control = connect(channel, parameters);
                control.receive("round");
                control.send("ready");
                String line = "";
                while (!line.startsWith("failed")) {
                    line = control.receive();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (Control.PeerFailure e) {
                // the expected failure of the client
            }
        }, words);
    }

    private static String parameters(String program, String connection, int size, int iterations) {
        return "program=" + program + " --connection=" + connection + " --size=" + size + " --iters=" + iterations
                + " --bidirectional=no mtu=1024";
    }

    @Test
    void aFailedCompletionIsReportedWithItsStatus() throws Exception {
        assertFailed("a write failed with RETRY_EXC_ERR (12), vendor error 0x0, after 0 of 100 completions",
                clientWithMissingQueuePair(parameters("write-bw", "RC", 64, 100), "write-bw", "-s", "64", "-n", "100",
                        "-u", "8"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UC", "UD"})
    void theWaitForLostMessagesIsLimited(String connection) throws Exception {
        assertFailed("no completion for 1 s after 1 of 200: messages were lost. " + connection
                + " does not retransmit",
                clientWithMissingQueuePair(parameters("send-lat", connection, 64, 100), "send-lat", "-s", "64", "-n",
                        "100", "-c", connection, "--patience", "1"));
    }

    @Test
    void theWaitForLostMessagesIsLimitedWithEventsToo() throws Exception {
        assertFailed("no completion for 1 s after 1 of 200: messages were lost.",
                clientWithMissingQueuePair(parameters("send-lat", "UC", 64, 100), "send-lat", "-s", "64", "-n", "100",
                        "-c", "UC", "-e", "--patience", "1"));
    }

    @Test
    void aServerThatExitsDuringTheTestIsReported() throws Exception {
        assertFailed("the peer exited before the end of the test", clientWith(channel -> {
            try {
                connect(channel, parameters("read-bw", "RC", 64, 100)).receive("round");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }, "read-bw", "-s", "64", "-n", "100"));
    }

    @Test
    void aServerThatSendsNothingAfterTheGreetingIsReported() throws Exception {
        assertFailed("the peer sent nothing for 1 s where \"parameters\" was expected.", clientWith(
                channel -> send(channel, (Control.HELLO + "\n").getBytes(StandardCharsets.US_ASCII)), "read-bw",
                "--patience", "1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"round 65 100 1", "round 64 4 1", "round 64 100", "round 64 100 x", "round 64 100 3",
        "dance", "baseline 64 100 65536"})
    void aMalformedRequestOfTheClientIsReported(String line) throws Exception {
        assertFailed("the peer sent \"" + line + "\", which is not a valid request.", serverWith(line));
    }

    @Test
    void aClientThatExitsDuringARoundIsReported() throws Exception {
        assertFailed("the peer exited before the end of the test", serverWith("round 64 100 1"));
    }

    /** Runs the server of a test of 64-byte messages with a client that sends a line and waits for the reply only. */
    private static Run serverWith(String line) throws Exception {
        int port = TwoSides.freePort();
        CompletableFuture<Run> server = TwoSides.inThread(() -> Run.of("send-bw", "-d", DEVICE, "-s", "64", "-n", "100",
                "-p", Integer.toString(port)));
        try (SocketChannel channel = connectTo(port)) {
            Control control = new Control(channel);
            control.greet(TIMEOUT);
            control.send("parameters " + parameters("send-bw", "RC", 64, 100));
            control.receive("parameters");
            String[] address = control.receive("address");
            control.send("address " + String.join(" ", address));
            control.send("connected");
            control.receive("connected");
            control.send(line);
            control.receive("ready");
        } catch (Control.PeerFailure e) {
            // the failure of the server
        }
        return server.get(Pair.TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void theReasonOfAServerFailureIsReported() throws Exception {
        assertFailed("the peer failed: out of luck", clientWith(channel -> {
            try {
                Control control = connect(channel, parameters("read-bw", "RC", 64, 100));
                control.receive("round");
                control.fail("out of luck");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }, "read-bw", "-s", "64", "-n", "100"));
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
