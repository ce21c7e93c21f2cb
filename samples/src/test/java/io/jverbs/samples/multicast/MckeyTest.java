package io.jverbs.samples.multicast;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Gid;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.cm.PortSpace;
import io.jverbs.samples.Run;
import io.jverbs.samples.TwoSides;
import io.jverbs.samples.nodes.Endpoints;
import io.jverbs.samples.nodes.Transfer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Senders and receivers of mckey in one JVM. Catalogue K127, K132. */
class MckeyTest {
    private static final int LIMIT_SECONDS = 30;
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final Mckey.Options RECEIVER = new Mckey.Options(false, false, false);
    private static final Mckey.Options SENDER = new Mckey.Options(true, false, false);
    private static final Transfer USUAL = new Transfer(1, 10, 100);

    private static int nextGroup = 1;

    /** The group's number is that of no other test, since tests may run in parallel. */
    private final int number = number();

    private static synchronized int number() {
        return nextGroup++;
    }

    /** A program that runs in a thread with a device of its own. */
    private final class Program {
        private final StringWriter out = new StringWriter();
        private final StringWriter err = new StringWriter();
        private final CompletableFuture<Integer> status;

        Program(String selector, Mckey.Options options, Transfer transfer, boolean isBound) {
            status = TwoSides.inThread(() -> {
                try (RdmaContext context = Verbs.open(selector)) {
                    Gid own = context.preferredGid(1).gid();
                    InetSocketAddress local = isBound ? new InetSocketAddress(own.toInetAddress(), 0) : null;
                    return new Mckey(new Endpoints(new InetSocketAddress(group(own), 0), local), transfer, options,
                            PAUSE, new PrintWriter(out, true), new PrintWriter(err, true)).run(context, PortSpace.UDP);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
        }

        Program joined(int queuePairs) throws InterruptedException {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
            while (out.toString().lines().filter(line -> line.startsWith("mckey: joined ")).count() < queuePairs) {
                assertTrue(System.nanoTime() < deadline && !status.isCompletedExceptionally(), () -> out + " " + err);
                Thread.sleep(2);
            }
            return this;
        }

        void assertEnds(String joined, Transfer transfer, String... lines) throws Exception {
            int code = status.get(LIMIT_SECONDS, TimeUnit.SECONDS);
            List<String> expected = new ArrayList<>(List.of(lines));
            for (int i = 0; i < transfer.connections(); i++) {
                expected.add(2, joined);
            }
            assertEquals("", err.toString());
            assertEquals(expected, out.toString().lines().toList());
            assertEquals(0, code);
        }
    }

    private InetAddress group(Gid own) {
        return Gid.parse((own.isIpv4Mapped() ? "::ffff:239.9.7." : "ff12::9:") + number).toInetAddress();
    }

    private String joinedLine(String selector) {
        try (RdmaContext context = Verbs.open(selector)) {
            return "mckey: joined dgid: " + Gid.ofAddress(group(context.preferredGid(1).gid())) + " mlid 0x0 sl 0";
        }
    }

    private static void assertReceived(Program receiver, String joined, Transfer transfer) throws Exception {
        receiver.assertEnds(joined, transfer, "mckey: starting server", "mckey: joining", "receiving data transfers",
                "data transfers complete", "test complete", "return status 0");
    }

    private static void assertSent(Program sender, String joined, Transfer transfer) throws Exception {
        sender.assertEnds(joined, transfer, "mckey: starting client", "mckey: joining", "initiating data transfers",
                "data transfers complete", "test complete", "return status 0");
    }

    @ParameterizedTest
    @CsvSource({
        "soft:soft1, soft:soft2, false", "soft:soft1, soft:soft2, true",
        "soft:127.0.77.1, soft:127.0.77.2, true", "soft:127.0.77.1, soft:127.0.77.2, false",
        "soft:sim0?network=mckey&time=real, soft:sim1?network=mckey&time=real, false"})
    void everyMemberReceivesWhatTheSenderSends(String near, String far, boolean isBound) throws Exception {
        String joined = joinedLine(near);
        Program first = new Program(near, RECEIVER, USUAL, isBound).joined(1);
        Program second = new Program(far, RECEIVER, USUAL, isBound).joined(1);
        Program sender = new Program(near, SENDER, USUAL, isBound);
        assertSent(sender, joined, USUAL);
        assertReceived(first, joined, USUAL);
        assertReceived(second, joined, USUAL);
    }

    @ParameterizedTest
    @CsvSource({"4, 3, 1000, false, false", "1, 1, 1, true, false", "2, 5, 64, false, true", "1, 2, 256, true, true"})
    void everyQueuePairIsAMember(int queuePairs, int messages, int size, boolean sendOnly, boolean blockLoopback)
            throws Exception {
        String joined = joinedLine("soft:soft1");
        Transfer transfer = new Transfer(queuePairs, messages, size);
        Transfer received = new Transfer(queuePairs, queuePairs * messages, size);
        Program receiver = new Program("soft:soft2", RECEIVER, received, false).joined(queuePairs);
        Program sender = new Program("soft:soft1", new Mckey.Options(true, sendOnly, blockLoopback), transfer, false);
        assertSent(sender, joined, transfer);
        assertReceived(receiver, joined, received);
    }

    @Test
    void withoutMessagesTheQueuePairsJoinAndLeave() throws Exception {
        Transfer none = new Transfer(3, 0, 100);
        String joined = joinedLine("soft:soft1");
        for (Mckey.Options options : List.of(RECEIVER, SENDER)) {
            new Program("soft:soft1", options, none, false).assertEnds(joined, none,
                    "mckey: starting " + (options.isSender() ? "client" : "server"), "mckey: joining", "test complete",
                    "return status 0");
        }
    }

    @Test
    void theCommandTransfersMessagesAfterItsPause() throws Exception {
        StringWriter out = new StringWriter();
        String[] words = ("mckey -m " + address() + " -C 2 -S 32").split(" ");
        CompletableFuture<Integer> receiver = TwoSides.inThread(() -> Run.to(new PrintWriter(out, true), words));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!out.toString().contains("joined") && System.nanoTime() < deadline) {
            Thread.sleep(2);
        }
        Run sender = Run.of(Stream.concat(Stream.of(words), Stream.of("-s")).toArray(String[]::new));
        assertEquals(0, sender.status(), sender.err());
        assertTrue(sender.lines().containsAll(List.of("initiating data transfers", "return status 0")), sender.out());
        assertEquals(0, receiver.get(LIMIT_SECONDS, TimeUnit.SECONDS), out.toString());
        assertTrue(out.toString().lines().toList().containsAll(List.of("receiving data transfers", "return status 0")),
                out.toString());
    }

    private String address() {
        try (RdmaContext context = Verbs.open()) {
            return group(context.preferredGid(1).gid()).getHostAddress();
        }
    }

    @Test
    void messagesThatAreLargerThanADatagramAreRefused() {
        Run run = Run.of("mckey", "-m", address(), "-S", "5000");
        assertEquals(1, run.status());
        assertTrue(run.err().contains("mckey: message_size 5000 is larger than active mtu 4096"), run.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-s", ""})
    void anAddressThatIsNotThatOfAGroupIsRefused(String side) {
        String own = own();
        Run run = Run.of(("mckey -m " + own + " " + side).strip().split(" "));
        assertEquals(1, run.status());
        assertTrue(run.err().contains(own + " is not a multicast address; allowed are 224.0.0.0/4 and ff00::/8"),
                run.err());
    }

    @Test
    void aDeviceThatHasOnlyTheUsualPortSpacesRefusesAnother() {
        Run run = Run.of("mckey", "-m", address(), "-p", "2");
        assertEquals(1, run.status());
        assertTrue(run.err().contains("port space 0x2 with queue pairs of type 4: allowed are"), run.err());
    }

    private static String own() {
        try (RdmaContext context = Verbs.open()) {
            return context.preferredGid(1).gid().toInetAddress().getHostAddress();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "-s -C 1                | -m is missing; it gives the IP address of a multicast group",
        "-M ff12::1 -b 10.0.0.1 | -M ff12::1 is not supported, since an ID has an IP address; allowed is -m with the IP"
                + " address of a multicast group",
        "-m 239.9.7.1 -p 3      | -p 3 is not a port space; allowed are 0x111 for UDP and 0x2 for IPOIB",
        "-m 239.9.7.1 -c 0      | -c 0 is outside 1..65535",
        "-m 239.9.7.1 -C -1     | -C -1 is outside 0..1000000",
        "-m 239.9.7.1 -S -1     | -S -1 is outside 0..1073741824"})
    void aWrongOptionIsRefused(String options, String sentence) {
        Run run = Run.of(("mckey " + options).split(" +"));
        assertEquals(1, run.status());
        assertEquals("samples/run mckey: " + sentence + ".", run.err().strip());
    }
}
