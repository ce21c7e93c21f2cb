package io.jverbs.soft.transport.uc;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.soft.memory.SoftMr;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.transport.BareDevice;
import io.jverbs.soft.transport.BareQueuePair;
import io.jverbs.soft.transport.IncomingPacket;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.WireOpcode;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How the messages of an unreliable connection are put together. A scenario is a sequence of packets, at a path MTU of
 * 256 bytes:
 *
 * <pre>
 * F  first of a SEND, 256 bytes     M  middle, 256 bytes     L  last, 10 bytes     O  only, 20 bytes
 * f  first of a WRITE               m  middle                l  last               o  only
 * S  first of a SEND, 100 bytes     X  middle, 100 bytes     E  last, 0 bytes
 * -  a packet is lost
 * </pre>
 */
final class UcResponderTest {
    private static final int QPN = 5;
    private static final int MTU = 256;
    private static final int ROOM = 1024;
    private static final int RECEIVES = 2;

    private final BareDevice device = BareDevice.withWire();
    private final BareQueuePair pair = device.create(QpType.UC, QPN);
    private final IncomingPacket packet = new IncomingPacket(QPN);
    private final MemorySegment inbox = BareDevice.memory(RECEIVES * ROOM);
    private final MemorySegment target = BareDevice.memory(ROOM);
    private final SoftMr inboxRegion = device.register(inbox, Access.LOCAL_WRITE);
    private final SoftMr targetRegion = device.register(target, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
    private int psn = Psns.MASK - 2;

    @BeforeEach
    void connect() {
        pair.qp.settings().pathMtu = MTU;
        pair.qp.settings().accessFlags = Access.REMOTE_WRITE;
        pair.connect(BareDevice.PEER, 9, 0, psn);
        pair.state(QpState.RTR);
        for (int i = 0; i < RECEIVES; i++) {
            pair.postReceive(i, inboxRegion, inbox.address() + (long) i * ROOM, ROOM);
        }
    }

    private static int opcode(char packet) {
        return WireOpcode.UC | switch (packet) {
            case 'F', 'S' -> WireOpcode.SEND_FIRST;
            case 'M', 'X' -> WireOpcode.SEND_MIDDLE;
            case 'L', 'E' -> WireOpcode.SEND_LAST;
            case 'O' -> WireOpcode.SEND_ONLY;
            case 'f' -> WireOpcode.WRITE_FIRST;
            case 'm' -> WireOpcode.WRITE_MIDDLE;
            case 'l' -> WireOpcode.WRITE_LAST;
            default -> WireOpcode.WRITE_ONLY;
        };
    }

    private static int payload(char packet) {
        return switch (packet) {
            case 'S', 'X' -> 100;
            case 'L', 'l' -> 10;
            case 'O', 'o' -> 20;
            case 'E' -> 0;
            default -> MTU;
        };
    }

    /** The length of the WRITE that begins at an index of a scenario. */
    private static int length(String scenario, int index) {
        int length = 0;
        for (int i = index; i < scenario.length(); i++) {
            char packet = scenario.charAt(i);
            if (packet == 'l' || packet == 'o') {
                return length + payload(packet);
            }
            length += MTU;
        }
        // its last packet is lost
        return length + payload('l');
    }

    private void run(String scenario) {
        for (int i = 0; i < scenario.length(); i++) {
            char step = scenario.charAt(i);
            if (step != '-') {
                receive(step, length(scenario, i));
                int next = Psns.add(psn, 1);
                String place = "after packet " + i;
                pair.locked(() -> assertEquals(next, pair.qp.responder().expectedPsn(), place));
            }
            psn = Psns.add(psn, 1);
        }
    }

    private void receive(char step, int length) {
        PacketEncoder encoder = packet.begin(opcode(step), 0, psn, payload(step));
        if (step == 'f' || step == 'o') {
            encoder.reth(target.address(), targetRegion.rkey(), length);
        }
        pair.receive(packet.fill(step).decoded());
    }

    /** G3, G5, G6, G8, G11: the columns are the packets, the lengths of the messages received, and the drops. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            O,      20,      ''
            FL,     266,     ''
            FML,    522,     ''
            FMML,   778,     ''
            OFLO,   20 266,  NO_RECEIVE
            FM,     '',      ''
            FE,     '',      INVALID_REQUEST
            -O,     20,      ''
            -FL,    266,     ''
            O-O,    20 20,   ''
            O--FL,  20 266,  ''
            F-L,    '',      OUT_OF_SEQUENCE
            F-ML,   '',      OUT_OF_SEQUENCE*2
            FM-L,   '',      OUT_OF_SEQUENCE
            F-LO,   20,      OUT_OF_SEQUENCE
            F-LFL,  266,     OUT_OF_SEQUENCE
            F-O,    20,      ''
            L,      '',      OUT_OF_SEQUENCE
            ML,     '',      OUT_OF_SEQUENCE*2
            OL,     20,      OUT_OF_SEQUENCE
            FLL,    266,     OUT_OF_SEQUENCE
            FFL,    266,     ''
            FMFL,   266,     ''
            FO,     20,      ''
            FOL,    20,      OUT_OF_SEQUENCE
            SL,     '',      INVALID_REQUEST OUT_OF_SEQUENCE
            FXL,    '',      INVALID_REQUEST OUT_OF_SEQUENCE
            FXFL,   266,     INVALID_REQUEST
            FmL,    '',      OUT_OF_SEQUENCE*2
            Fl,     '',      OUT_OF_SEQUENCE
            fL,     '',      OUT_OF_SEQUENCE
            fFL,    266,     ''
            Ffl,    '',      ''
            FMMML,  '',      NO_RECEIVE
            FMMMLO, 20,      NO_RECEIVE
            FMMMML, '',      NO_RECEIVE OUT_OF_SEQUENCE
            OOO,    20 20,   NO_RECEIVE
            OOFL,   20 20,   NO_RECEIVE OUT_OF_SEQUENCE
            """)
    void aMessageIsReceivedIfAllItsPacketsArriveInOrder(String scenario, String messages, String expected) {
        run(scenario);
        assertEquals(messages, pair.receivedLengths());
        assertEquals(expected, pair.counters());
        assertEquals(QpState.RTR, pair.state());
    }

    /** G4, G10: the columns are the packets, the bytes that are written, and the drops counted. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            o,    20,  ''
            fl,   266, ''
            fml,  522, ''
            fm,   512, ''
            f-l,  256, OUT_OF_SEQUENCE
            fm-l, 512, OUT_OF_SEQUENCE
            f-ml, 256, OUT_OF_SEQUENCE*2
            l,    0,   OUT_OF_SEQUENCE
            ml,   0,   OUT_OF_SEQUENCE*2
            fml-, 522, ''
            flo,  266, ''
            """)
    void theBytesOfAWriteAreWrittenAsFarAsItsPacketsArriveInOrder(String scenario, int bytes, String expected) {
        run(scenario);
        int written = 0;
        for (byte value : target.toArray(JAVA_BYTE)) {
            written += value == 0 ? 0 : 1;
        }
        assertEquals(bytes, written);
        assertEquals(expected, pair.counters());
        assertEquals("", pair.receivedLengths());
    }

    /** G5: the receive request of a message that is incomplete is used for the next one, from its start. */
    @ParameterizedTest
    @CsvSource({"F-LO", "FMO", "FXO", "FFMO"})
    void theNextMessageUsesTheReceiveRequestOfAnIncompleteOne(String scenario) {
        run(scenario);
        assertEquals("20", pair.receivedLengths());
        assertEquals('O', inbox.get(JAVA_BYTE, 0));
        assertEquals('O', inbox.get(JAVA_BYTE, 19));
        assertEquals('F', inbox.get(JAVA_BYTE, 20));
    }
}
