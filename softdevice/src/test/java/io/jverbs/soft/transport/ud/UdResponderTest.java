package io.jverbs.soft.transport.ud;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.soft.memory.SoftMr;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.queue.Words;
import io.jverbs.soft.transport.BareDevice;
import io.jverbs.soft.transport.BareQueuePair;
import io.jverbs.soft.transport.IncomingPacket;
import io.jverbs.soft.transport.RecordingPort;
import io.jverbs.soft.transport.SoftSrq;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.DropReason;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;
import io.jverbs.spi.WcLayout;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which datagrams are received and which are dropped, whether they come from the same JVM or over the wire. A scenario
 * is a sequence of steps:
 *
 * <pre>
 * r60  a receive request of 60 bytes is posted, whose wr_id is its number, from 1
 * d20  a datagram of 20 bytes arrives          q20  the same with another Q_Key
 * </pre>
 */
final class UdResponderTest {
    private static final int QPN = 5;
    private static final int PEER_QPN = 9;
    private static final int QKEY = 0x1234;
    private static final int GRH = 40;
    private static final int ROOM = 1024;
    private static final int IMMEDIATE = 0x01020304;

    private final IncomingPacket packet = new IncomingPacket(QPN);
    private final MemorySegment inbox = BareDevice.memory(BareQueuePair.SLOTS * ROOM);
    private final MemorySegment source = BareDevice.memory(ROOM);
    private BareDevice device;
    private BareQueuePair pair;
    private SoftMr region;
    private int receives;

    private void create(boolean shared, int access) {
        device = BareDevice.withWire();
        SoftSrq srq = shared ? new SoftSrq(device.deferred, device.domain, BareQueuePair.SLOTS, 2, 0, null) : null;
        pair = device.create(device.service(QpType.UD), QPN, srq);
        pair.qp.settings().qkey = QKEY;
        pair.connect(BareDevice.PEER, 0, 0, 0);
        region = device.register(inbox, access);
        inbox.fill((byte) 0);
        source.fill((byte) 'x');
        receives = 0;
    }

    private void run(String scenario, boolean wire) {
        for (String step : scenario.split(" ")) {
            int bytes = Integer.parseInt(step.substring(1));
            switch (step.charAt(0)) {
                case 'r' -> {
                    long at = inbox.address() + (long) receives * ROOM;
                    pair.postReceive(++receives, region, at, bytes);
                }
                case 'd' -> deliver(wire, bytes, QKEY, false);
                default -> deliver(wire, bytes, QKEY + 1, false);
            }
        }
    }

    private void deliver(boolean wire, int bytes, int qkey, boolean immediate) {
        if (wire) {
            PacketEncoder encoder = packet.begin(
                    immediate ? WireOpcode.UD_SEND_ONLY_WITH_IMM : WireOpcode.UD_SEND_ONLY, 0, 77, bytes)
                    .deth(qkey, PEER_QPN);
            if (immediate) {
                encoder.immediate(Words.bigEndian(IMMEDIATE));
            }
            pair.receive(packet.fill('x').decoded());
            return;
        }
        Message message = new Message(1);
        message.transport = WireOpcode.UD;
        message.opcode = immediate ? WrOpcodeCode.SEND_WITH_IMM : WrOpcodeCode.SEND;
        message.immediate = IMMEDIATE;
        message.packets = 1;
        message.pkey = RecordingPort.PKEY;
        message.qkey = qkey;
        message.sourceQpn = PEER_QPN;
        message.sourceGidHigh = BareDevice.PEER.high();
        message.sourceGidLow = BareDevice.PEER.low();
        message.destinationGidHigh = BareDevice.GID.high();
        message.destinationGidLow = BareDevice.GID.low();
        message.hopLimit = 64;
        message.length = bytes;
        message.data.clear();
        if (bytes != 0) {
            message.data.set(source, 0, bytes);
        }
        message.dataValid = true;
        pair.qp.responder().receive(message);
        assertEquals(Message.NO_REPLY, message.reply);
        device.deferred.run();
    }

    /** H3, H5, H7, H8: the columns are the steps, the receive completions, and the drops. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            r60 d20,                1,   ''
            r60 d0,                 1,   ''
            r40 d0,                 1,   ''
            r39 d0,                 '',  NO_RECEIVE
            r60 d21,                '',  NO_RECEIVE
            r60 d21 d20,            1,   NO_RECEIVE
            r60 r80 d21 d20 d40,    1 2, NO_RECEIVE
            r60 r80 d40,            '',  NO_RECEIVE
            d0,                     '',  NO_RECEIVE
            d0 r60 d20,             1,   NO_RECEIVE
            r60 d20 d20,            1,   NO_RECEIVE
            r60 q20,                '',  BAD_QKEY
            r60 q20 d20,            1,   BAD_QKEY
            q20,                    '',  BAD_QKEY
            r60 q21,                '',  BAD_QKEY
            r60 r60 d20 q20 d5,     1 2, BAD_QKEY
            """)
    void aDatagramIsReceivedIfTheNextRequestHoldsIt(String scenario, String completions, String drops) {
        for (boolean wire : new boolean[] {false, true}) {
            create(false, Access.LOCAL_WRITE);
            run(scenario, wire);
            assertEquals(completions, pair.receiveCompletions());
            assertEquals(drops, pair.counters());
            assertEquals(QpState.RTS, pair.state());
        }
    }

    /** G8, H5: a request of a shared receive queue that is too short completes in error and is not used again. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            r60 d21,         1:LOC_LEN_ERR,   NO_RECEIVE
            r60 d21 d20,     1:LOC_LEN_ERR,   NO_RECEIVE*2
            r60 r80 d40 d40, 1:LOC_LEN_ERR 2, NO_RECEIVE
            r60 q21 d20,     1,               BAD_QKEY
            d0,              '',              NO_RECEIVE
            """)
    void aRequestOfASharedReceiveQueueThatIsTooShortIsConsumed(String scenario, String completions, String drops) {
        for (boolean wire : new boolean[] {false, true}) {
            create(true, Access.LOCAL_WRITE);
            run(scenario, wire);
            assertEquals(completions, pair.receiveCompletions());
            assertEquals(drops, pair.counters());
            assertEquals(QpState.RTS, pair.state());
        }
    }

    /** B32: memory that may not be written fails the receiver, also if it is that of the GRH only. */
    @ParameterizedTest
    @ValueSource(strings = {"d20", "d0"})
    void receiveMemoryMustBeWritable(String datagram) {
        for (boolean wire : new boolean[] {false, true}) {
            create(false, 0);
            run("r60 r60 " + datagram, wire);
            assertEquals("1:LOC_PROT_ERR 2:WR_FLUSH_ERR", pair.receiveCompletions());
            assertEquals("NO_RECEIVE", pair.counters());
            assertEquals(QpState.ERR, pair.state());
        }
    }

    /** E26, H15, H17: the columns are the length, whether there is immediate data, and the fields of the completion. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            20, false, 60 9 1 0
            0,  false, 40 9 1 0
            20, true,  60 9 3 1020304
            """)
    void theCompletionDescribesTheDatagram(int bytes, boolean immediate, String fields) {
        for (boolean wire : new boolean[] {false, true}) {
            create(false, Access.LOCAL_WRITE);
            run("r60", wire);
            deliver(wire, bytes, QKEY, immediate);
            MemorySegment completion = pair.receiveCompletion();
            assertEquals(WcOpcode.RECV.code(), completion.get(JAVA_INT, WcLayout.OPCODE));
            assertEquals(QPN, completion.get(JAVA_INT, WcLayout.QP_NUM));
            assertEquals(fields, String.format("%d %d %x %x", completion.get(JAVA_INT, WcLayout.BYTE_LEN),
                    completion.get(JAVA_INT, WcLayout.SRC_QP), completion.get(JAVA_INT, WcLayout.WC_FLAGS),
                    completion.get(JAVA_INT, WcLayout.IMM_DATA)));
        }
    }

    /** H3, H4, H6: the GRH area comes before the payload, however the scatter elements divide them. */
    @ParameterizedTest
    @ValueSource(ints = {1, 20, 39, 40, 41, 59})
    void theGrhAreaPrecedesThePayload(int firstElement) {
        for (boolean wire : new boolean[] {false, true}) {
            create(false, Access.LOCAL_WRITE);
            pair.postReceive(ReceiveWorkRequest.create(2).sge(0, inbox.address(), firstElement, region.lkey())
                    .sge(1, inbox.address() + ROOM, ROOM, region.lkey()).sgeCount(2));
            deliver(wire, 20, QKEY, false);
            assertEquals("0", pair.receiveCompletions());
            byte[] stored = new byte[GRH + 20 + 1];
            for (int i = 0; i < stored.length; i++) {
                stored[i] = inbox.get(JAVA_BYTE, i < firstElement ? i : ROOM + i - firstElement);
            }
            assertEquals(0x45, stored[20], "the IPv4 header follows 20 bytes");
            assertEquals(2, stored[35], "the source address, 192.0.2.2");
            assertEquals(1, stored[39], "the destination address, 192.0.2.1");
            assertEquals('x', stored[GRH]);
            assertEquals('x', stored[GRH + 19]);
            assertEquals(0, stored[GRH + 20]);
            assertEquals(0, inbox.get(JAVA_BYTE, firstElement), "the byte after the first element");
        }
    }

    /** L18: an opcode that is not known is dropped. */
    @ParameterizedTest
    @ValueSource(ints = {WireOpcode.SEND_FIRST, WireOpcode.WRITE_ONLY, WireOpcode.READ_REQUEST, 0x1F})
    void aPacketWithAnotherOpcodeIsMalformed(int operation) {
        create(false, Access.LOCAL_WRITE);
        run("r60", true);
        PacketBuffer buffer = new PacketBuffer(BareDevice.memory(PacketBuffer.MAX_BYTES));
        Bth.write(buffer.segment(), 0, WireOpcode.UD | operation, 0, 0, RecordingPort.PKEY, QPN, 0);
        PacketView view = new PacketView();
        assertEquals(DropReason.OPCODE, view.decode(buffer, GRH));
        pair.receive(view);
        assertEquals("MALFORMED", pair.counters());
        assertEquals("", pair.receiveCompletions());
    }

    /** H19: the PSN of a datagram is not checked. */
    @Test
    void datagramsWithTheSamePsnAreReceived() {
        create(false, Access.LOCAL_WRITE);
        run("r60 r60 d20 d20", true);
        assertEquals("1 2", pair.receiveCompletions());
    }
}
