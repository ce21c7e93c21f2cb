package io.jverbs.soft.rsocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.CompletionQueue;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmException;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.cm.SynchronousCmId;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamException;
import io.jverbs.rsocket.RdmaStreamException.Reason;
import io.jverbs.rsocket.RdmaStreamListener;
import io.jverbs.rsocket.RdmaStreamOptions;
import io.jverbs.soft.wire.WireOpcode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that violate the protocol, that end or that are silent, and bad input: only their own stream fails. */
@Timeout(60)
final class RdmaStreamFailureTest {
    private static final Duration SECONDS = Duration.ofSeconds(30);

    private RdmaContext context;
    private RdmaStreamListener listener;
    private RdmaStream otherClient;
    private RdmaStream otherServer;
    private VerbsPeer peer;
    private RdmaStream stream;

    @BeforeEach
    void connect() throws Exception {
        context = Verbs.open("soft");
        listener = RdmaStreamListener.bind(context, StreamPair.anyPort(context));
        otherClient = RdmaStream.connect(context, listener.localAddress());
        otherServer = listener.accept(SECONDS);
        peer = new VerbsPeer(listener.localAddress());
        stream = listener.accept(SECONDS);
    }

    @AfterEach
    void theOtherStreamContinues() throws Exception {
        otherClient.write(ByteBuffer.wrap(new byte[] {7}));
        ByteBuffer into = ByteBuffer.allocate(1);
        assertEquals(1, otherServer.read(into));
        assertEquals(7, into.get(0));
        stream.close();
        peer.close();
        otherServer.close();
        otherClient.close();
        listener.close();
        context.close();
    }

    private static RdmaStreamException failure(RdmaStream of) {
        return assertThrows(RdmaStreamException.class, () -> {
            ByteBuffer into = ByteBuffer.allocate(100);
            while (of.read(into) >= 0) {
                into.clear();
            }
        });
    }

    private void assertFails(Reason reason, String expected) {
        RdmaStreamException failed = failure(stream);
        assertEquals(reason, failed.reason(), failed::getMessage);
        assertTrue(failed.getMessage().contains(expected), failed::getMessage);
        assertEquals(reason, assertThrows(RdmaStreamException.class, () -> stream.write(ByteBuffer.allocate(1)))
                .reason());
    }

    @ParameterizedTest
    @CsvSource({"0x00000000, 'a message of 0 bytes, which is outside 1..262144'",
        "0x00040001, 'a message of 262145 bytes, which is outside 1..262144'",
        "0x1fffffff, a message of 536870911 bytes", "0x20000001, 'operation 1, reserved'",
        "0x40000001, 'operation 2, reserved'", "0x60000001, 'operation 3, reserved'",
        "0xa0000001, 'operation 5, reserved'", "0x80000021, 'to 33, which is outside 32..32 modulo 65536'",
        "0x8000001f, 'to 31, which is outside 32..32 modulo 65536'",
        "0xc0000000, 'index 0; it must be less than 0'", "0xe0000003, 'operation 7, control, value 3'",
        "0xffffffff, 'operation 7, control, value 536870911'"})
    void aMessageThatNoRsocketSendsFailsTheStreamWithItsValue(String message, String expected) {
        peer.sendAcknowledged(Long.decode(message).intValue());
        assertFails(Reason.PROTOCOL_ERROR, expected);
    }

    @Test
    void moreMessagesThanCreditsFailTheStream() {
        for (int i = 0; i < 385; i++) {
            peer.sendAcknowledged(1);
            stream.ready();
        }
        assertFails(Reason.PROTOCOL_ERROR, "more than 384 messages");
    }

    /** An rsocket of librdmacm sends such data if one thread shuts down while another one writes. */
    @Test
    void dataAfterAShutdownAreIgnored() throws Exception {
        peer.memory().put(0, (byte) 9);
        peer.send(1, 1, peer.buffer(), peer.bufferKey());
        peer.awaitSent();
        peer.sendAcknowledged(0xE000_0002);
        peer.sendAcknowledged(1);
        ByteBuffer into = ByteBuffer.allocate(10);
        assertEquals(1, stream.read(into));
        assertEquals(-1, stream.read(into));
        stream.write(ByteBuffer.allocate(1));
        assertTrue(stream.isOpen());
    }

    @Test
    void theEndOfTheInputStaysWhenThePeerIsLostLater() throws Exception {
        peer.sendAcknowledged(0xE000_0002);
        assertEquals(-1, stream.read(ByteBuffer.allocate(1)));
        peer.close();
        StreamPair.await("the loss of the peer", () -> !stream.isOpen());
        assertEquals(-1, stream.read(ByteBuffer.allocate(1)));
        assertEquals(Reason.PEER_LOST,
                assertThrows(RdmaStreamException.class, () -> stream.write(ByteBuffer.allocate(1))).reason());
    }

    @Test
    void thePeerOfAStreamCannotWriteToTheMemoryOfAnotherOne() throws Exception {
        try (VerbsPeer other = new VerbsPeer(listener.localAddress()); RdmaStream victim = listener.accept(SECONDS)) {
            peer.send(1, 1, other.buffer(), other.bufferKey());
            assertEquals(WcStatus.REM_ACCESS_ERR, peer.awaitSent());
            assertEquals(0, victim.tryRead(ByteBuffer.allocate(1)));
            assertTrue(victim.isOpen());
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 1, 0xffffffff, '4294967295 bytes of its receive buffer, which is outside 1..2147483648'",
        "0xfffffffffffffff0, 1, 100, exceeds the address space"})
    void anEntryOfTheTargetSglThatIsNoMemoryFailsTheStream(String address, int key, String length, String expected) {
        peer.memory().putLong(Long.parseUnsignedLong(address.replace("0x", ""), 16)).putInt(key)
                .putInt(Long.decode(length).intValue());
        peer.send(0x8000_0020, 16, peer.targetSgl() + 16, peer.targetKey());
        assertEquals(WcStatus.SUCCESS, peer.awaitSent());
        assertFails(Reason.PROTOCOL_ERROR, expected);
    }

    @Test
    void aPublishedBufferThatThePeerDoesNotOwnFailsTheStreamThatWritesToIt() {
        peer.memory().putLong(4096).putInt(0x1234).putInt(4096);
        peer.send(0x8000_0020, 16, peer.targetSgl() + 16, peer.targetKey());
        assertEquals(WcStatus.SUCCESS, peer.awaitSent());
        RdmaStreamException failed = assertThrows(RdmaStreamException.class, () -> {
            stream.write(ByteBuffer.allocate(VerbsPeer.BUFFER / 2 + 100));
            stream.read(ByteBuffer.allocate(1));
        });
        assertEquals(Reason.PROTOCOL_ERROR, failed.reason(), failed::getMessage);
        assertTrue(failed.getMessage().contains("REM_ACCESS_ERR"), failed.getMessage());
    }

    @Test
    void aSendWithBytesFailsTheStream() {
        peer.post(SendWorkRequest.create(1).opcode(WrOpcode.SEND).sge(peer.region(), 0, 4));
        assertFails(Reason.PROTOCOL_ERROR, "a message that is no RDMA WRITE");
    }

    @Test
    void aSendWithoutImmediateDataFailsTheStream() {
        peer.post(SendWorkRequest.create(0).opcode(WrOpcode.SEND));
        assertFails(Reason.PROTOCOL_ERROR, "without immediate data");
    }

    @Test
    void aWriteOutsideTheReceiveBufferIsRefusedAndEndsTheStream() {
        peer.send(16, 16, peer.buffer() + 2L * peer.bufferLength() - 8, peer.bufferKey());
        assertEquals(WcStatus.REM_ACCESS_ERR, peer.awaitSent());
        assertFails(Reason.PEER_LOST, "the peer has disconnected");
    }

    @Test
    void bytesThatThePeerAnnouncesAndHasNotWrittenAreZeroAndNotThoseOfAnotherStream() throws Exception {
        byte[] secret = new byte[500_000];
        java.util.Arrays.fill(secret, (byte) 'S');
        for (int i = 0; i < 5; i++) {
            try (RdmaStream sender = RdmaStream.connect(context, listener.localAddress());
                    RdmaStream receiver = listener.accept(SECONDS)) {
                sender.write(ByteBuffer.wrap(secret, 0, 200_000));
                receiver.read(ByteBuffer.allocate(100_000));
            }
            try (VerbsPeer lying = new VerbsPeer(listener.localAddress());
                    RdmaStream victim = listener.accept(SECONDS)) {
                lying.sendAcknowledged(lying.bufferLength());
                ByteBuffer into = ByteBuffer.allocate(lying.bufferLength());
                while (into.hasRemaining()) {
                    victim.read(into);
                }
                assertEquals(ByteBuffer.allocate(lying.bufferLength()), into.flip());
            }
        }
    }

    @Test
    void bytesAnnouncedBeforeAViolationAreReadAndThenTheStreamFails() throws Exception {
        peer.memory().put(0, (byte) 9);
        peer.send(1, 1, peer.buffer(), peer.bufferKey());
        peer.awaitSent();
        peer.sendAcknowledged(0x2000_0000);
        ByteBuffer into = ByteBuffer.allocate(10);
        assertEquals(1, stream.read(into));
        assertEquals(9, into.get(0));
        assertFails(Reason.PROTOCOL_ERROR, "operation 1, reserved");
    }

    @Test
    void aPeerThatEndsWithoutDisconnectIsLost() {
        peer.close();
        assertFails(Reason.PEER_LOST, "the peer has disconnected without closing the stream");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "02", "0102000000"})
    void aConnectRequestOfAnotherProtocolIsRejectedAndTheListenerContinues(String hex) throws Exception {
        try (RdmaContext own = Verbs.open("soft"); SynchronousCmId id = SynchronousCmId.create(own, PortSpace.TCP)) {
            id.resolve(listener.localAddress(), SECONDS);
            ConnectionParameters parameters = ConnectionParameters.builder()
                    .privateData(ByteBuffer.wrap(java.util.HexFormat.of().parseHex(hex))).queuePair(77, false).build();
            CmException rejected = assertThrows(CmException.class, () -> id.connect(parameters, SECONDS));
            assertTrue(rejected.getMessage().contains("REJECTED"), rejected.getMessage());
        }
        RdmaStream.connect(context, listener.localAddress()).close();
    }

    @Test
    void aListenerOfAnotherProtocolIsNoStreamAndIsDisconnectedAtOnce() throws Exception {
        try (SynchronousCmId other = SynchronousCmId.create(context, PortSpace.TCP)) {
            other.bind(StreamPair.anyPort(context));
            other.listen(1);
            InetSocketAddress address = other.id().localAddress();
            BackgroundTransfer acceptor = BackgroundTransfer.start(() -> {
                try (CompletionQueue cq = context.createCompletionQueue(16);
                        SynchronousCmId request = other.getRequest()) {
                    request.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build());
                    request.accept(ConnectionParameters.DEFAULT);
                    try (CmEvent end = request.id().channel().awaitEvent(SECONDS)) {
                        assertEquals(CmEventType.DISCONNECTED, end == null ? null : end.type());
                    }
                    request.id().destroyQueuePair();
                }
            });
            try (RdmaStream client = RdmaStream.beginConnect(context, address, RdmaStreamOptions.DEFAULT)) {
                acceptor.get();
                RdmaStreamException failed = assertThrows(RdmaStreamException.class, () -> {
                    while (!client.finishConnect()) {
                        Thread.onSpinWait();
                    }
                });
                assertEquals(Reason.PROTOCOL_ERROR, failed.reason(), failed::getMessage);
                assertTrue(failed.getMessage().contains("version 0 of it: this side has version 1"),
                        failed.getMessage());
            }
        }
    }

    @Test
    void aSilentPeerIsNoticedByTheKeepAlive() throws Exception {
        RdmaStreamOptions checking = RdmaStreamOptions.DEFAULT.withKeepAlive(Duration.ofMillis(100))
                .withKeepAliveTimeout(Duration.ofMillis(200)).withCloseTimeout(Duration.ofMillis(100));
        String probe = WireOpcode.name(WireOpcode.RC | WireOpcode.WRITE_ONLY);
        try (StreamPair pair = StreamPair.connect("perfect", checking,
                RdmaStreamOptions.DEFAULT.withCloseTimeout(Duration.ofMillis(100)))) {
            SimulatedNetwork network = pair.clientContext().device().capability(SimulatedNetwork.class).orElseThrow();
            StreamPair.await("three keep-alives", () -> network.packetLog().stream()
                    .filter(each -> each.from() == 0 && each.opcode().equals(probe)).count() == 3);
            assertTrue(pair.client().isOpen(), "the peer responds");
            network.partition(1);
            RdmaStreamException failed = failure(pair.client());
            assertEquals(Reason.PEER_SILENT, failed.reason(), failed::getMessage);
            assertTrue(pair.server().isOpen(), "without a keep-alive, nothing is noticed");
        }
    }

    @Test
    void aHostThatDoesNotRespondEndsTheConnectWithinItsTimeout() {
        try (RdmaContext lonely = Verbs.open("soft:sim0?seed=1&time=real&network=rsocket-lonely")) {
            InetSocketAddress nobody = new InetSocketAddress("198.51.100.77", 4000);
            RdmaStreamException failed = assertThrows(RdmaStreamException.class, () -> RdmaStream.connect(lonely,
                    nobody, RdmaStreamOptions.DEFAULT.withConnectTimeout(Duration.ofMillis(200))));
            assertTrue(failed.reason() == Reason.TIMED_OUT || failed.reason() == Reason.UNREACHABLE,
                    failed::getMessage);
        }
    }

    @Test
    void badInputIsRefusedAndTheStreamContinues() throws IOException, InterruptedException {
        MemorySegment segment = Arena.ofAuto().allocate(8);
        assertThrows(IndexOutOfBoundsException.class, () -> otherClient.tryWrite(segment, 1, 8));
        assertThrows(IndexOutOfBoundsException.class, () -> otherClient.tryRead(segment, -1, 8));
        assertThrows(IllegalArgumentException.class, () -> otherClient.tryRead(segment.asReadOnly(), 0, 8));
        assertThrows(ReadOnlyBufferException.class, () -> {
            otherServer.write(ByteBuffer.allocate(1));
            otherClient.read(ByteBuffer.allocate(8).asReadOnlyBuffer());
        });
        assertEquals(1, otherClient.read(ByteBuffer.allocate(8)), "the refused read has taken nothing");
        assertThrows(IllegalArgumentException.class, () -> otherClient.awaitReadable(Duration.ofNanos(-1)));
        assertEquals(0, otherClient.tryWrite(ByteBuffer.allocate(0)));
    }
}
