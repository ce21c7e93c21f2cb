package io.jverbs.soft.transport.local;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.jverbs.QpType;
import io.jverbs.WrOpcode;
import io.jverbs.soft.fabric.ServiceTypes;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.queue.Words;
import io.jverbs.soft.transport.BareDevice;
import io.jverbs.soft.transport.RecordingPort;
import io.jverbs.soft.transport.Responses;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The packets of a request within the JVM and of its response, as a capture shows them, at a path MTU of 256 bytes. */
final class PacketRendererTest {
    private static final int QPN = 5;
    private static final int PEER_QPN = 6;
    private static final int MTU = 256;
    private static final int FIRST_PSN = Psns.MASK - 1;
    private static final int IMMEDIATE = 0x01020304;
    private static final int QKEY = 0x1234;

    private final PacketRenderer renderer = renderer(QpType.RC);
    private final RecordingTap tap = new RecordingTap();
    private final MemorySegment memory = BareDevice.memory(4 * MTU);

    private static PacketRenderer renderer(QpType type) {
        return new PacketRenderer(ServiceTypes.WITHIN_JVM.of(type).orElseThrow());
    }

    private Message message(WrOpcode opcode, int length) {
        Message message = new Message(1);
        message.opcode = opcode.code();
        message.psn = FIRST_PSN;
        message.mtu = MTU;
        message.pkey = RecordingPort.PKEY;
        message.qkey = QKEY;
        message.sourceQpn = QPN;
        message.sourceGidHigh = BareDevice.GID.high();
        message.sourceGidLow = BareDevice.GID.low();
        message.destinationGidHigh = BareDevice.PEER.high();
        message.destinationGidLow = BareDevice.PEER.low();
        message.immediate = IMMEDIATE;
        message.remoteAddress = 0x1000;
        message.rkey = 9;
        message.length = length;
        message.packets = Message.packets(length, MTU);
        message.data.clear();
        if (length != 0) {
            message.data.set(memory, 0, length);
        }
        message.dataValid = true;
        return message;
    }

    private List<PacketView> views() {
        return tap.packets().stream().map(RecordingTap.Tapped::view).toList();
    }

    /** The packets: the opcode, the PSN, the length of the payload, ! if an ACK is requested, and * if solicited. */
    private String packets() {
        return views().stream()
                .map(packet -> WireOpcode.name(packet.opcode()) + ":"
                        + Psns.difference(packet.psn(), FIRST_PSN) + ":" + packet.payloadLength()
                        + (packet.ackRequest() ? "!" : "") + (packet.solicited() ? "*" : ""))
                .collect(Collectors.joining(" "));
    }

    /** H19, L20, L24, L25: the columns are the type, the operation, the length, whether solicited, and the packets. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            RC, SEND,                0,   false, RC_SEND_ONLY:0:0!
            RC, SEND,                256, false, RC_SEND_ONLY:0:256!
            RC, SEND,                257, false, RC_SEND_FIRST:0:256 RC_SEND_LAST:1:1!
            RC, SEND,                522, true,  RC_SEND_FIRST:0:256 RC_SEND_MIDDLE:1:256 RC_SEND_LAST:2:10!*
            RC, SEND_WITH_IMM,       10,  false, RC_SEND_ONLY_WITH_IMM:0:10!
            RC, SEND_WITH_IMM,       266, false, RC_SEND_FIRST:0:256 RC_SEND_LAST_WITH_IMM:1:10!
            RC, SEND_WITH_INV,       10,  false, RC_SEND_ONLY_WITH_INV:0:10!
            RC, RDMA_WRITE,          10,  true,  RC_WRITE_ONLY:0:10!
            RC, RDMA_WRITE,          266, false, RC_WRITE_FIRST:0:256 RC_WRITE_LAST:1:10!
            RC, RDMA_WRITE_WITH_IMM, 10,  true,  RC_WRITE_ONLY_WITH_IMM:0:10!*
            RC, RDMA_READ,           522, false, RC_READ_REQUEST:0:0!
            RC, ATOMIC_CMP_AND_SWP,  8,   false, RC_COMPARE_SWAP:0:0!
            RC, ATOMIC_FETCH_AND_ADD, 8,  false, RC_FETCH_ADD:0:0!
            UC, SEND,                266, true,  UC_SEND_FIRST:0:256 UC_SEND_LAST:1:10*
            UC, RDMA_WRITE,          10,  false, UC_WRITE_ONLY:0:10
            UD, SEND,                10,  false, UD_SEND_ONLY:0:10
            UD, SEND_WITH_IMM,       10,  true,  UD_SEND_ONLY_WITH_IMM:0:10*
            """)
    void aRequestHasThePacketsOfTheWire(QpType type, WrOpcode opcode, int length, boolean solicited, String packets) {
        PacketRenderer ofType = renderer(type);
        ofType.between(tap, null);
        Message message = message(opcode, length);
        message.solicited = solicited;
        ofType.request(message, PEER_QPN);
        assertEquals(packets, packets());
        assertEquals(List.of(), views().stream().filter(packet -> packet.destinationQpn() != PEER_QPN).toList());
    }

    /** F26: the columns are the packets that are acknowledged, and the packets of the retry. */
    @ParameterizedTest
    @CsvSource({"1, RC_WRITE_MIDDLE:1:256 RC_WRITE_LAST_WITH_IMM:2:10!", "2, RC_WRITE_LAST_WITH_IMM:2:10!"})
    void aRetryHasThePacketsThatAreLeft(int acknowledged, String packets) {
        renderer.between(tap, null);
        Message message = message(WrOpcode.RDMA_WRITE_WITH_IMM, 2 * MTU + 10);
        message.psn = Psns.add(FIRST_PSN, acknowledged);
        message.packets -= acknowledged;
        message.offset = (long) acknowledged * MTU;
        renderer.request(message, PEER_QPN);
        assertEquals(packets, packets());
    }

    /**
     * L21, L30, L34, L39: the columns are the operation, the length, the response, how many packets were executed, the
     * response packets as {@link Responses} names them, and their MSNs if 5 messages were executed before.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            SEND,                 10,  1,    1, ack0,              6
            SEND,                 522, 1,    3, ack2,              6
            RDMA_READ,            10,  1,    1, only0,             6
            RDMA_READ,            0,   1,    1, only0,             6
            RDMA_READ,            522, 1,    3, first0 mid1 last2, 6 0 6
            ATOMIC_FETCH_AND_ADD, 8,   1,    1, atom0,             6
            ATOMIC_CMP_AND_SWP,   8,   1,    1, atom0,             6
            SEND,                 10,  1,    0, ack-1,             5
            SEND,                 10,  0,    1, '',                ''
            RDMA_READ,            10,  0,    1, '',                ''
            SEND,                 10,  2,    1, rnr0,              5
            SEND,                 10,  0x60, 1, seq0,              5
            SEND,                 10,  0x61, 1, inv0,              5
            RDMA_READ,            522, 0x62, 1, acc0,              5
            ATOMIC_FETCH_AND_ADD, 8,   0x61, 1, inv0,              5
            SEND,                 10,  0x63, 1, op0,               5
            """)
    void aResponseHasThePacketsOfTheWire(WrOpcode opcode, int length, String reply, int executed, String packets,
            String msns) {
        renderer.between(null, tap);
        Message message = message(opcode, length);
        message.reply = Integer.decode(reply);
        message.replyPsn = Psns.add(FIRST_PSN, executed - 1);
        message.rnrTimer = 7;
        message.original = 77;
        renderer.response(message, 5);
        assertEquals(packets, Responses.names(views(), FIRST_PSN));
        assertEquals(msns, views().stream().map(PacketView::msn).map(String::valueOf).collect(Collectors.joining(" ")));
        assertEquals(List.of(), views().stream().filter(packet -> packet.destinationQpn() != QPN).toList());
    }

    /** L11 to L14: the columns are the operation and the fields of its extension headers, in hexadecimal. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            RC, RDMA_WRITE,           1000 9 a 0 0 0 0 0 0
            RC, RDMA_WRITE_WITH_IMM,  1000 9 a 0 0 1020304 0 0 0
            RC, RDMA_READ,            1000 9 a 0 0 0 0 0 0
            RC, SEND_WITH_IMM,        0 0 0 0 0 1020304 0 0 0
            RC, SEND_WITH_INV,        0 0 0 0 0 0 4030201 0 0
            RC, ATOMIC_CMP_AND_SWP,   1000 9 0 b a 0 0 0 0
            RC, ATOMIC_FETCH_AND_ADD, 1000 9 0 a 0 0 0 0 0
            UD, SEND,                 0 0 0 0 0 0 0 1234 5
            """)
    void theHeadersHaveTheFieldsOfTheRequest(QpType type, WrOpcode opcode, String fields) {
        PacketRenderer ofType = renderer(type);
        ofType.between(tap, null);
        Message message = message(opcode, 10);
        // in the byte order of the work request: immediate data as on the wire, an rkey as a number
        message.immediate = opcode == WrOpcode.SEND_WITH_INV
                ? 0x04030201
                : Words.bigEndian(IMMEDIATE);
        message.compareAdd = 10;
        message.swap = 11;
        ofType.request(message, PEER_QPN);
        PacketView packet = views().getFirst();
        assertEquals(fields, String.format("%x %x %x %x %x %x %x %x %x", packet.remoteAddress(), packet.rkey(),
                packet.dmaLength(), packet.swapOrAdd(), packet.compare(), packet.immediate(), packet.invalidatedRkey(),
                packet.qkey(), packet.sourceQpn()));
    }

    /**
     * Each packet is passed once: to the tap of its sender, or to that of its receiver. The columns are the taps that
     * exist, whether the packet is a response, the tap that gets the packet, and whether it is that of the sender.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            true,  true,  false, requester, true
            true,  true,  true,  responder, true
            true,  false, false, requester, true
            true,  false, true,  requester, false
            false, true,  false, responder, false
            false, true,  true,  responder, true
            """)
    void aPacketIsPassedToTheTapOfItsSenderOrOtherwiseOfItsReceiver(boolean requesterTapped, boolean responderTapped,
            boolean response, String receiver, boolean leaving) {
        RecordingTap requesters = new RecordingTap();
        RecordingTap responders = new RecordingTap();
        renderer.between(requesterTapped ? requesters : null, responderTapped ? responders : null);
        Message message = message(WrOpcode.SEND, 10);
        message.reply = Message.ACK;
        message.replyPsn = FIRST_PSN;
        if (response) {
            renderer.response(message, 0);
        } else {
            renderer.request(message, PEER_QPN);
        }
        boolean toRequester = receiver.equals("requester");
        assertEquals(toRequester ? 1 : 0, requesters.packets().size());
        assertEquals(toRequester ? 0 : 1, responders.packets().size());
        RecordingTap.Tapped packet = (toRequester ? requesters : responders).packets().getFirst();
        assertEquals(leaving, packet.leaving());
        assertEquals(response ? BareDevice.PEER : BareDevice.GID, packet.source());
        assertEquals(response ? BareDevice.GID : BareDevice.PEER, packet.destination());
    }

    /** The payload of each packet is that of its part of the message. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPacketHasThePayloadOfItsPlace(boolean response) {
        for (int i = 0; i < 3; i++) {
            memory.asSlice((long) i * MTU, MTU).fill((byte) (i + 1));
        }
        renderer.between(tap, tap);
        Message message = message(response ? WrOpcode.RDMA_READ : WrOpcode.RDMA_WRITE, 2 * MTU + 10);
        message.reply = Message.ACK;
        message.replyPsn = Psns.add(FIRST_PSN, 2);
        if (response) {
            renderer.response(message, 0);
        } else {
            renderer.request(message, PEER_QPN);
        }
        for (int i = 0; i < 3; i++) {
            PacketView packet = views().get(i);
            assertEquals(i + 1, packet.packet().get(JAVA_BYTE, packet.payloadOffset()));
            assertEquals(i + 1,
                    packet.packet().get(JAVA_BYTE, packet.payloadOffset() + packet.payloadLength() - 1L));
        }
    }

    /** A payload that cannot be read is missing in the capture, and the headers are there. */
    @Test
    void thePayloadOfMemoryThatIsGoneIsLeftOut() {
        renderer.between(tap, null);
        Message message = message(WrOpcode.SEND, 10);
        message.dataValid = false;
        renderer.request(message, PEER_QPN);
        message.dataValid = true;
        try (Arena arena = Arena.ofShared()) {
            message.data.set(arena.allocate(10), 0, 10);
        }
        renderer.request(message, PEER_QPN);
        assertEquals("RC_SEND_ONLY:0:10! RC_SEND_ONLY:0:10!", packets());
        tap.packets().forEach(packet -> assertFalse(packet.hasPayload()));
    }
}
