package io.jverbs.samples.perftest.exchange;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Mtu;
import io.jverbs.samples.TwoSides;
import io.jverbs.samples.connect.Messages;
import io.jverbs.samples.connect.TcpMessageChannel;
import io.jverbs.samples.console.SampleFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The steps of the exchange, with a peer of bytes. Each wrong message is refused with its part and its value. */
class ParameterExchangeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final int TIMEOUT_SECONDS = 20;

    private SocketChannel own;
    private SocketChannel peer;

    @BeforeEach
    void connect() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            own = SocketChannel.open(listener.getLocalAddress());
            peer = listener.accept();
        }
    }

    @AfterEach
    void close() throws IOException {
        own.close();
        peer.close();
    }

    private ParameterExchange exchange(boolean client, Duration patience) throws IOException {
        ParameterExchange exchange = new ParameterExchange(new TcpMessageChannel(own, PATIENCE), client, patience);
        exchange.useGids(true);
        return exchange;
    }

    private void peerSends(byte[] bytes) throws IOException {
        peer.write(ByteBuffer.wrap(bytes));
    }

    private void peerSends(String text, int length) throws IOException {
        peerSends(Arrays.copyOf(text.getBytes(StandardCharsets.ISO_8859_1), length));
    }

    private byte[] sent(int length) throws IOException {
        ByteBuffer message = ByteBuffer.allocate(length);
        while (message.hasRemaining() && peer.read(message) >= 0) {
            // until it is complete
        }
        return message.array();
    }

    @Test
    void theClientSendsFirstAndTheServerResponds() throws Exception {
        CompletableFuture<Version> client = TwoSides.inThread(() -> {
            try {
                return exchange(true, PATIENCE).versions();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });

        assertEquals("6.06 jverbs", Messages.text(sent(16)));
        assertFalse(client.isDone());
        peerSends("6.06", 16);
        assertEquals(new Version("6.06", false), client.get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
    }

    @Test
    void theServerRespondsToTheVersionOnly() throws Exception {
        peerSends("6.06 jverbs", 16);

        assertEquals(Version.OWN, exchange(false, PATIENCE).versions());
        assertEquals("6.06 jverbs", Messages.text(sent(16)));
    }

    @Test
    void theLargerPageAndTheSmallerMtuOfBothSidesAreUsed() throws Exception {
        ParameterExchange exchange = exchange(true, PATIENCE);
        peerSends(HexFormat.of().parseHex("00010000" + "00000080" + "3400"));

        assertEquals(65_536, exchange.pageSize(4096, 64));
        assertEquals(Mtu.MTU_2048, exchange.mtu(Mtu.MTU_4096));
        assertArrayEquals(HexFormat.of().parseHex("00001000" + "00000040" + "3500"), sent(10));
    }

    @Test
    void theBandwidthIsFiveNumbersInNetworkByteOrder() throws Exception {
        BandwidthMessage message = new BandwidthMessage(64, 1000, 1.5, 1, 0.25);
        String bytes = "0000000000000040" + "00000000000003e8" + "3ff8000000000000" + "3ff0000000000000"
                + "3fd0000000000000";
        peerSends(HexFormat.of().parseHex(bytes));

        assertEquals(message, exchange(true, PATIENCE).bandwidths(message));
        assertEquals(bytes, HexFormat.of().formatHex(sent(40)));
    }

    @Test
    void theNumbersOfASideThatHasMeasuredNothingAreNotChecked() throws Exception {
        peerSends(HexFormat.of().parseHex("ff".repeat(40)));

        ParameterExchange exchange = exchange(true, PATIENCE);
        BandwidthMessage garbage = exchange.bandwidths(BandwidthMessage.NONE);

        assertEquals("the peer's message is not the one expected: the size of the messages is -1, outside"
                + " 0..2147483647.", assertThrows(SampleFailure.class, () -> exchange.checked(garbage)).getMessage());
    }

    @Test
    void aRequestIsSentInTheNumberOfTheSharedReceiveQueue() throws Exception {
        ParameterExchange exchange = exchange(true, PATIENCE);
        peerSends(AddressFormat.TEXT_WITH_GID.encode(PeerAddress.NONE));

        assertEquals(Request.NONE,
                exchange.synchronize(PeerAddress.NONE, new Request(Request.Kind.WARM_UP, 0x1234)));
        assertTrue(Messages.text(sent(108)).endsWith(":10001234:"));
    }

    @Test
    void theExchangeEndsWithDone() throws Exception {
        ParameterExchange exchange = exchange(true, PATIENCE);
        peerSends("done", 5);
        peer.shutdownOutput();

        exchange.end();

        assertEquals("done", Messages.text(sent(5)));
        assertTrue(exchange.isPeerGone());
    }

    private static String failure(ParameterExchange exchange, Consumer<ParameterExchange> step) {
        return assertThrows(SampleFailure.class, () -> step.accept(exchange)).getMessage();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "00000010 00000040 | the page size is 16, outside 4096..1048576",
        "7fffffff 00000040 | the page size is 2147483647, outside 4096..1048576",
        "00001000 ffffffff | the size of a cache line is -1, outside 1..4096"})
    void anImplausiblePageIsRefused(String bytes, String sentence) throws Exception {
        peerSends(HexFormat.of().parseHex(bytes.replace(" ", "")));

        assertEquals("the peer's message is not the one expected: " + sentence + ".",
                failure(exchange(true, PATIENCE), exchange -> exchange.pageSize(4096, 64)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"3000 | \"0\"", "3600 | \"6\"", "3435 | \"45\"", "ff00 | 0xff00"})
    void anMtuThatIsNoneIsRefused(String bytes, String quoted) throws Exception {
        peerSends(HexFormat.of().parseHex(bytes));

        assertEquals("the peer's message is not the one expected: the MTU is " + quoted
                + ", not a code from 1 (256 bytes) to 5 (4096).",
                failure(exchange(true, PATIENCE), exchange -> exchange.mtu(Mtu.MTU_1024)));
    }

    @Test
    void aMalformedAddressIsRefused() throws Exception {
        peerSends("0:1:2:3", 108);

        assertEquals("the peer's message is not the one expected: the address is malformed: \"0:1:2:3\" is not 23"
                + " hexadecimal numbers with colons between them.",
                failure(exchange(true, PATIENCE), exchange -> exchange.addresses(PeerAddress.NONE)));
    }

    @Test
    void anUnknownRequestIsRefused() throws Exception {
        peerSends(AddressFormat.TEXT_WITH_GID.encode(new PeerAddress(0, 0, 0, 0, 0, 0, PeerAddress.NONE.gid(),
                0x3000_0001)));

        assertEquals("the peer's message is not the one expected: the request is 0x30000001, not a kind from 0x0 to 0x2"
                + " and a count.",
                failure(exchange(true, PATIENCE), exchange -> exchange.synchronize(PeerAddress.NONE, Request.NONE)));
    }

    @Test
    void aMessageThatIsTooShortIsQuotedAfterTheTimeout() throws Exception {
        peerSends("6.0", 3);

        assertEquals("the peer sent 3 of the 16 bytes of the version of perftest, \"6.0\", and then nothing for 0 s:"
                + " start both sides with the same program and the same options.",
                failure(exchange(true, SHORT), ParameterExchange::versions));
    }

    /** A side without a GID sends a shorter address. */
    @Test
    void aMessageThatIsTooShortIsQuotedAtTheEndOfTheConnection() throws Exception {
        peerSends("done", 4);
        peer.close();

        assertEquals("the peer exited after 4 of the 108 bytes of the address, \"done\": start both sides with the same"
                + " program and the same options.",
                failure(exchange(false, PATIENCE), exchange -> exchange.addresses(PeerAddress.NONE)));
    }

    @ParameterizedTest
    @CsvSource({"6.06, 6.06, false, true", "6.06 jverbs, 6.06, true, true", "26.01, 26.01, false, true",
        "5.70, 5.70, false, true", "5.69, 5.69, false, false", "6.06x, 6.06, false, true"})
    void aVersionIsItsFirstNumber(String text, String number, boolean jverbs, boolean compatible) {
        Version version = Version.of(Arrays.copyOf(text.getBytes(StandardCharsets.US_ASCII), 16));

        assertEquals(new Version(number, jverbs), version);
        assertEquals(compatible, version.isCompatible());
    }
}
