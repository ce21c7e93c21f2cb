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
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamException;
import io.jverbs.rsocket.RdmaStreamException.Reason;
import io.jverbs.rsocket.RdmaStreamListener;
import io.jverbs.rsocket.RdmaStreamOptions;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connect data and iomap entries that lie, and peers that reach for memory: only their own connection fails. */
@Timeout(60)
final class RdmaStreamBadPeerTest {
    private static final Duration SECONDS = Duration.ofSeconds(30);
    private static final int CREDITS = 2;
    private static final int SGL_KEY = 16;
    private static final int BUFFER_KEY = 32;
    private static final int TARGET_SGL_BYTES = 32;
    private static final int IOMAP_MESSAGE = 0xC000_0000;

    private RdmaContext context;
    private RdmaStreamListener listener;
    private RdmaStream otherClient;
    private RdmaStream otherServer;

    @BeforeEach
    void connect() throws Exception {
        context = Verbs.open("soft");
        listener = RdmaStreamListener.bind(context, StreamPair.anyPort(context),
                RdmaStreamOptions.DEFAULT.withIomapSize(2));
        otherClient = RdmaStream.connect(context, listener.localAddress());
        otherServer = listener.accept(SECONDS);
    }

    @AfterEach
    void theOtherStreamContinues() throws Exception {
        otherClient.write(ByteBuffer.wrap(new byte[] {7}));
        ByteBuffer into = ByteBuffer.allocate(1);
        assertEquals(1, otherServer.read(into));
        assertEquals(7, into.get(0));
        otherServer.close();
        otherClient.close();
        listener.close();
        context.close();
    }

    /** Returns a change of the connect data: the value is a number of two, four, eight or sixteen digits. */
    private static Consumer<ByteBuffer> lie(int offset, String hex) {
        return data -> data.put(offset, HexFormat.of().parseHex(hex));
    }

    private static void assertFails(RdmaStream stream, Reason reason, String expected) {
        RdmaStreamException failed = assertThrows(RdmaStreamException.class, () -> {
            ByteBuffer into = ByteBuffer.allocate(100);
            while (stream.read(into) >= 0) {
                into.clear();
            }
        });
        assertEquals(reason, failed.reason(), failed::getMessage);
        assertTrue(failed.getMessage().contains(expected), failed::getMessage);
    }

    @ParameterizedTest
    @CsvSource({"0, 00", "0, 02", "2, 0000", "20, 00000000", "20, 00000001", "20, 00000401", "20, ffffffff",
        "36, 00000000", "36, 80000001", "36, ffffffff", "8, fffffffffffffff0", "24, ffffffffffffff00"})
    void aConnectRequestThatLiesIsRejectedAndTheNextOneIsAccepted(int offset, String hex) throws Exception {
        CmException rejected = assertThrows(CmException.class,
                () -> new VerbsPeer(listener.localAddress(), lie(offset, hex)));
        assertTrue(rejected.getMessage().contains("REJECTED"), rejected.getMessage());
        try (RdmaStream next = RdmaStream.connect(context, listener.localAddress());
                RdmaStream accepted = listener.accept(SECONDS)) {
            next.write(ByteBuffer.allocate(1));
            assertEquals(1, accepted.read(ByteBuffer.allocate(2)));
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 02, 'version 2 of it: this side has version 1'",
        "2, 0000, '0 credits, which is outside 1..65535'",
        "20, 00000001, '1 entries of the target SGL, which is outside 2..1024'",
        "36, 80000001, '2147483649 bytes of the data buffer, which is outside 1..2147483648'",
        "8, fffffffffffffff0, exceeds the address space", "24, ffffffffffffff00, exceeds the address space"})
    void aReplyThatLiesFailsTheConnectAndDisconnects(int offset, String hex, String expected) throws Exception {
        ByteBuffer reply = ByteBuffer.allocate(40).put((byte) 1).put((byte) 0).putShort((short) 32).putInt(0);
        reply.putLong(8192).putInt(1).putInt(2).putLong(4096).putInt(1).putInt(4096).flip();
        lie(offset, hex).accept(reply);
        try (SynchronousCmId lying = SynchronousCmId.create(context, PortSpace.TCP)) {
            lying.bind(StreamPair.anyPort(context));
            lying.listen(1);
            BackgroundTransfer acceptor = BackgroundTransfer.start(() -> {
                try (CompletionQueue cq = context.createCompletionQueue(16);
                        SynchronousCmId request = lying.getRequest()) {
                    request.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build());
                    request.accept(ConnectionParameters.builder().privateData(reply).build());
                    try (CmEvent end = request.id().channel().awaitEvent(SECONDS)) {
                        assertEquals(CmEventType.DISCONNECTED, end == null ? null : end.type());
                    }
                    request.id().destroyQueuePair();
                }
            });
            RdmaStreamException failed = assertThrows(RdmaStreamException.class,
                    () -> RdmaStream.connect(context, lying.id().localAddress()));
            assertEquals(Reason.PROTOCOL_ERROR, failed.reason(), failed::getMessage);
            assertTrue(failed.getMessage().contains(expected), failed::getMessage);
            acceptor.get();
        }
    }

    @Test
    void aReceiveBufferWithAWrongKeyFailsTheStreamThatWritesToIt() throws Exception {
        try (VerbsPeer peer = new VerbsPeer(listener.localAddress(), lie(BUFFER_KEY, "00001234"));
                RdmaStream stream = listener.accept(SECONDS)) {
            stream.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            assertFails(stream, Reason.PROTOCOL_ERROR, "does not let this side write, REM_ACCESS_ERR");
            assertEquals(0, peer.region().segment().get(ValueLayout.JAVA_BYTE, 0));
        }
    }

    @Test
    void aTargetSglWithAWrongKeyFailsTheStreamThatPublishesItsBuffer() throws Exception {
        try (VerbsPeer peer = new VerbsPeer(listener.localAddress(), lie(SGL_KEY, "00001234"));
                RdmaStream stream = listener.accept(SECONDS)) {
            assertFails(stream, Reason.PROTOCOL_ERROR, "does not let this side write, REM_ACCESS_ERR");
            assertEquals(0, peer.region().segment().get(ValueLayout.JAVA_LONG, VerbsPeer.BUFFER + 16));
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 4096, 0, 'mapped 0 bytes at offset 0; allowed is at least 1 byte'",
        "9223372036854775807, 4096, 2, at offset 9223372036854775807",
        "0, -8, 4096, exceeds the address space"})
    void anIomapEntryThatLiesFailsTheStream(long offset, long address, int length, String expected) throws Exception {
        try (VerbsPeer peer = new VerbsPeer(listener.localAddress()); RdmaStream stream = listener.accept(SECONDS)) {
            peer.memory().putLong(offset).putLong(address).putInt(1).putInt(length);
            peer.send(IOMAP_MESSAGE, 24, peer.targetSgl() + TARGET_SGL_BYTES, peer.targetKey());
            assertEquals(WcStatus.SUCCESS, peer.awaitSent());
            assertFails(stream, Reason.PROTOCOL_ERROR, expected);
        }
    }

    @Test
    void anIomapEntryBeyondTheLastOneFailsTheStream() throws Exception {
        try (VerbsPeer peer = new VerbsPeer(listener.localAddress()); RdmaStream stream = listener.accept(SECONDS)) {
            peer.sendAcknowledged(IOMAP_MESSAGE | 2);
            assertFails(stream, Reason.PROTOCOL_ERROR, "index 2; it must be less than 2");
        }
    }

    @Test
    void aMappedBufferWithAWrongKeyFailsTheStreamThatWritesToIt() throws Exception {
        try (VerbsPeer peer = new VerbsPeer(listener.localAddress()); RdmaStream stream = listener.accept(SECONDS)) {
            peer.memory().putLong(0).putLong(4096).putInt(0x1234).putInt(4096);
            peer.send(IOMAP_MESSAGE, 24, peer.targetSgl() + TARGET_SGL_BYTES, peer.targetKey());
            assertEquals(WcStatus.SUCCESS, peer.awaitSent());
            stream.ready();
            assertEquals(100, stream.iomap().tryWrite(ByteBuffer.allocate(100), 0));
            assertFails(stream, Reason.PROTOCOL_ERROR, "REM_ACCESS_ERR");
        }
    }

    @Test
    void moreIomapMessagesThanCreditsFailTheStream() throws Exception {
        RdmaStreamOptions few = RdmaStreamOptions.DEFAULT.withReceiveQueueSize(16).withIomapSize(1);
        try (RdmaStreamListener own = RdmaStreamListener.bind(context, StreamPair.anyPort(context), few);
                VerbsPeer peer = new VerbsPeer(own.localAddress());
                RdmaStream stream = own.accept(SECONDS)) {
            peer.memory().putLong(0).putLong(4096).putInt(1).putInt(4096);
            // this side does not poll, so it grants no credits
            for (int i = 0; i < 17; i++) {
                peer.send(IOMAP_MESSAGE, 24, peer.targetSgl() + TARGET_SGL_BYTES, peer.targetKey());
                assertEquals(WcStatus.SUCCESS, peer.awaitSent());
            }
            assertFails(stream, Reason.PROTOCOL_ERROR, "more than 16 messages");
        }
    }

    /** The device repeats the messages for which the peer has no receive request, without end. */
    @Test
    void moreCreditsThanReceiveRequestsStopOnlyTheStreamThatWrites() throws Exception {
        try (VerbsPeer peer = new VerbsPeer(listener.localAddress(), lie(CREDITS, "ffff"));
                RdmaStream stream = listener.accept(SECONDS)) {
            int written = 0;
            while (stream.awaitWritable(Duration.ofMillis(100))) {
                written += stream.tryWrite(ByteBuffer.wrap(new byte[] {1}));
            }
            assertTrue(written > 0 && written < 1000, "bytes: " + written);
            assertEquals(1, peer.region().segment().get(ValueLayout.JAVA_BYTE, 0));
            assertTrue(stream.isOpen());
            stream.abort();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"RDMA_READ", "ATOMIC_FETCH_AND_ADD"})
    void aPeerThatReadsMemoryIsRefusedAndGetsNothing(String opcode) throws Exception {
        try (VerbsPeer peer = new VerbsPeer(listener.localAddress()); RdmaStream stream = listener.accept(SECONDS)) {
            byte[] before = new byte[8];
            Arrays.fill(before, (byte) 'x');
            peer.memory().put(before);
            peer.post(SendWorkRequest.create(1).opcode(WrOpcode.valueOf(opcode))
                    .remote(peer.buffer(), peer.bufferKey()).sge(peer.region(), VerbsPeer.BUFFER + 64, 8));
            WcStatus status = peer.awaitSent();
            assertTrue(status == WcStatus.REM_ACCESS_ERR || status == WcStatus.REM_INV_REQ_ERR, status::toString);
            byte[] after = new byte[8];
            peer.memory().get(after);
            assertEquals(new String(before), new String(after));
            assertFails(stream, Reason.PEER_LOST, "the peer has disconnected");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-8, 1})
    void aPeerThatWritesOutsideTheTargetsIsRefused(int beyond) throws Exception {
        try (VerbsPeer peer = new VerbsPeer(listener.localAddress()); RdmaStream stream = listener.accept(SECONDS)) {
            long end = peer.targetSgl() + TARGET_SGL_BYTES + 2 * 24;
            peer.send(0x8000_0020, 8, beyond < 0 ? peer.targetSgl() + beyond : end - 8 + beyond, peer.targetKey());
            assertEquals(WcStatus.REM_ACCESS_ERR, peer.awaitSent());
            assertFails(stream, Reason.PEER_LOST, "the peer has disconnected");
        }
    }

    /** They end the same direction once more, and grant nothing. */
    @Test
    void repeatedShutdownsOfThePeerChangeNothing() throws Exception {
        try (VerbsPeer peer = new VerbsPeer(listener.localAddress()); RdmaStream stream = listener.accept(SECONDS)) {
            for (int i = 0; i < 3; i++) {
                peer.sendAcknowledged(0xE000_0002);
            }
            assertEquals(-1, stream.read(ByteBuffer.allocate(1)));
            stream.write(ByteBuffer.allocate(1));
            assertTrue(stream.isOpen());
            peer.sendAcknowledged(0xE000_0000);
            peer.sendAcknowledged(0xE000_0002);
            assertEquals(-1, stream.read(ByteBuffer.allocate(1)));
            assertEquals(Reason.PEER_CLOSED,
                    assertThrows(RdmaStreamException.class, () -> stream.write(ByteBuffer.allocate(1))).reason());
        }
    }
}
