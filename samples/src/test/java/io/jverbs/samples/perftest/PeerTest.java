package io.jverbs.samples.perftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Gid;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.samples.Run;
import io.jverbs.samples.TwoSides;
import io.jverbs.samples.connect.Tcp;
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

/** Whatever the other side does or fails to do, a test ends, with a sentence that says why. */
class PeerTest {
    private static final String DEVICE = "soft:soft48";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Runs the client against a server that does what the test says. */
    private static Run clientWith(Consumer<SocketChannel> server, String... words) throws Exception {
        try (ServerSocketChannel listener = Tcp
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
            CompletableFuture<Void> played = TwoSides.inThread(() -> {
                try (SocketChannel channel = listener.accept()) {
                    server.accept(channel);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                return null;
            });
            CompletableFuture<Run> client = TwoSides.inThread(() -> Run.of((String.join(" ", words) + " -d " + DEVICE
                    + " -p " + port + " --warm-up 0 127.0.0.1").split(" ")));
            Run run = client.get(Pair.PATIENCE_SECONDS, TimeUnit.SECONDS);
            played.get(Pair.PATIENCE_SECONDS, TimeUnit.SECONDS);
            return run;
        }
    }

    private static void say(SocketChannel channel, byte[] bytes) {
        try {
            channel.write(ByteBuffer.wrap(bytes));
            // Until the other side has had enough of it.
            while (channel.read(ByteBuffer.allocate(100)) >= 0) {
                Thread.onSpinWait();
            }
        } catch (IOException e) {
            // It has.
        }
    }

    private static void assertFailed(String sentence, Run run) {
        assertEquals(1, run.complaints().size(), run.err());
        assertTrue(run.err().startsWith("samples/run ") && run.err().contains(": " + sentence), run.err());
        assertEquals(1, run.status());
    }

    @Test
    void nobodyIsThere() {
        String port = Integer.toString(TwoSides.freePort());

        assertFailed("no connection to localhost:" + port, Run.of("send-lat", "-d", DEVICE, "-p", port, "localhost"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.24\0\0\0\0\0\0\0\0\0\0\0\0", "0000:000011:5af10a:00000000000000000000000000000000",
        "SSH-2.0-OpenSSH_9.2\r\n"})
    void anotherProgramIsThere(String words) throws Exception {
        byte[] said = words.getBytes(StandardCharsets.US_ASCII);
        String seen = words.replaceAll("[\0\r\n]+$", "");

        assertFailed("the program at the other end is not this one: it said \"" + seen + "\".",
                clientWith(channel -> say(channel, said), "write-bw"));
    }

    @Test
    void anotherVersionIsThere() throws Exception {
        assertFailed("the program at the other end is not this one: it said \"jverbs perftest 3\".",
                clientWith(channel -> say(channel, "jverbs perftest 3\n".getBytes(StandardCharsets.US_ASCII)),
                        "write-bw"));
    }

    @Test
    void whoIsThereSaysNothing() throws Exception {
        assertFailed("the program at the other end said nothing for 1 s",
                clientWith(channel -> say(channel, new byte[0]), "write-bw", "--patience", "1"));
    }

    @ParameterizedTest
    @CsvSource({"send-lat, -s 64, -s 65, --size is 64 here and 65 at the peer", "send-bw, -n 100, -n 200, --iters is",
        "send-lat, -c UC, -c RC, --connection is UC here and RC at the peer",
        "write-bw, -a, -s 2, --size is all here and 2 at the peer",
        "write-bw, -b, -s 65536, --bidirectional is yes here and no at the peer",
        "send-bw, -b -l 8, -b, --post_list is 8 here and 1 at the peer",
        "read-lat, -D 5, -n 100, --duration is 5 here and not given at the peer"})
    void bothSidesWereAskedForSomethingElse(String program, String server, String client, String sentence)
            throws Exception {
        Pair pair = Pair.of(program, List.of(server.split(" ")), List.of(client.split(" ")));

        assertFailed("the two sides differ: " + sentence, pair.server());
        assertFailed("the two sides differ: ", pair.client());
    }

    /** Says all that a side says until both are connected, but its queue pair does not exist. */
    private static Control connect(SocketChannel channel, String parameters) throws IOException {
        Control control = new Control(channel);
        control.greet(PATIENCE);
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

    private static Run clientWithDeafQueuePair(String parameters, String... words) throws Exception {
        return clientWith(channel -> {
            try {
                Control control = connect(channel, parameters);
                control.receive("round");
                control.send("ready");
                String said = "";
                while (!said.startsWith("failed")) {
                    said = control.receive();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (Control.PeerFailure e) {
                // What was waited for.
            }
        }, words);
    }

    private static String parameters(String program, String connection, int size, int iterations) {
        return "program=" + program + " --connection=" + connection + " --size=" + size + " --iters=" + iterations
                + " --bidirectional=no mtu=1024";
    }

    @Test
    void aFailedCompletionIsToldWithItsStatus() throws Exception {
        assertFailed("a write failed with RETRY_EXC_ERR (12), vendor error 0x0, after 0 of 100 that were complete",
                clientWithDeafQueuePair(parameters("write-bw", "RC", 64, 100), "write-bw", "-s", "64", "-n", "100",
                        "-u", "8"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UC", "UD"})
    void messagesThatAreLostAreNotWaitedForWithoutEnd(String connection) throws Exception {
        assertFailed("nothing has happened for 1 s after 1 of 200 completions: messages were lost. " + connection
                + " sends nothing again",
                clientWithDeafQueuePair(parameters("send-lat", connection, 64, 100), "send-lat", "-s", "64", "-n",
                        "100", "-c", connection, "--patience", "1"));
    }

    @Test
    void thatTheyAreLostIsNoticedWithEventsToo() throws Exception {
        assertFailed("nothing has happened for 1 s after 1 of 200 completions: messages were lost.",
                clientWithDeafQueuePair(parameters("send-lat", "UC", 64, 100), "send-lat", "-s", "64", "-n", "100",
                        "-c", "UC", "-e", "--patience", "1"));
    }

    @Test
    void theServerEndsInTheMiddle() throws Exception {
        assertFailed("the peer ended before the test did", clientWith(channel -> {
            try {
                connect(channel, parameters("read-bw", "RC", 64, 100)).receive("round");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }, "read-bw", "-s", "64", "-n", "100"));
    }

    /** A server that greets, and then says nothing more, is there, but does not go on. */
    @Test
    void theServerSaysNothingMore() throws Exception {
        assertFailed("the peer said nothing for 1 s where \"parameters\" was expected.", clientWith(
                channel -> say(channel, (Control.HELLO + "\n").getBytes(StandardCharsets.US_ASCII)), "read-bw",
                "--patience", "1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"round 65 100 1", "round 64 4 1", "round 64 100", "round 64 100 x", "round 64 100 3",
        "dance",
        "baseline 64 100 65536"})
    void theClientSaysWhatMeansNothing(String line) throws Exception {
        assertFailed("the peer said \"" + line + "\", which means nothing here.", serverTold(line));
    }

    @Test
    void theClientEndsInTheMiddleOfARound() throws Exception {
        assertFailed("the peer ended before the test did", serverTold("round 64 100 1"));
    }

    /** Runs the server of a test with messages of 64 bytes against a client that says a line, and waits for no more than an answer. */
    private static Run serverTold(String line) throws Exception {
        int port = TwoSides.freePort();
        CompletableFuture<Run> server = TwoSides.inThread(() -> Run.of("send-bw", "-d", DEVICE, "-s", "64", "-n", "100",
                "-p", Integer.toString(port)));
        try (SocketChannel channel = connectTo(port)) {
            Control control = new Control(channel);
            control.greet(PATIENCE);
            control.send("parameters " + parameters("send-bw", "RC", 64, 100));
            control.receive("parameters");
            String[] address = control.receive("address");
            control.send("address " + String.join(" ", address));
            control.send("connected");
            control.receive("connected");
            control.send(line);
            control.receive("ready");
        } catch (Control.PeerFailure e) {
            // It said why.
        }
        return server.get(Pair.PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void theServerTellsWhyItGaveUp() throws Exception {
        assertFailed("the peer gave up: out of luck", clientWith(channel -> {
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
        long deadline = System.nanoTime() + PATIENCE.toNanos();
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
