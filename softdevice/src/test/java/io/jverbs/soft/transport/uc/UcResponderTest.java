package io.jverbs.soft.transport.uc;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.QpCapabilities;
import io.jverbs.QpType;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.soft.memory.KeyNumbers;
import io.jverbs.soft.memory.KeyTable;
import io.jverbs.soft.memory.SoftMr;
import io.jverbs.soft.memory.SoftPd;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.QpStateCode;
import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.queue.DeferredWork;
import io.jverbs.soft.transport.Network;
import io.jverbs.soft.transport.Port;
import io.jverbs.soft.transport.QpEvents;
import io.jverbs.soft.transport.ReceiveSide;
import io.jverbs.soft.transport.Requester;
import io.jverbs.soft.transport.RequesterProtocol;
import io.jverbs.soft.transport.ResponderProtocol;
import io.jverbs.soft.transport.ServiceType;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.Wire;
import io.jverbs.soft.wire.DropReason;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;
import io.jverbs.spi.WcLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.Random;
import java.util.TreeMap;
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

    private final SoftPd domain = new SoftPd(MemorySegment::address);
    private final KeyTable keyTable = new KeyTable(new KeyNumbers(new Random(1)), 4, 4);
    private final DeferredWork.DeferredQueue deferred = new DeferredWork.DeferredQueue();
    private final CompletionQueueCore cq = new CompletionQueueCore(deferred, 16, false, null);
    private final PacketBuffer buffer = new PacketBuffer(Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES, 8));
    private final MemorySegment polled = Arena.ofAuto().allocate(WcLayout.SIZE, Long.BYTES);
    private final TreeMap<String, Integer> drops = new TreeMap<>();
    private final MemorySegment inbox = Arena.ofAuto().allocate(RECEIVES * ROOM, 8);
    private final MemorySegment target = Arena.ofAuto().allocate(ROOM, 8);
    private final SoftMr inboxRegion = keyTable.register(domain, inbox, Access.LOCAL_WRITE, inbox.address());
    private final SoftMr targetRegion = keyTable.register(domain, target, Access.LOCAL_WRITE | Access.REMOTE_WRITE, 0);
    private UcResponder responder;
    private SoftQp qp;
    private int psn;

    /** The service UC, whose responder the test calls directly. */
    private final class Service implements ServiceType {
        private final UnreliableConnection service = new UnreliableConnection();

        @Override
        public QpType type() {
            return service.type();
        }

        @Override
        public int wireTransport() {
            return service.wireTransport();
        }

        @Override
        public boolean isReliable() {
            return service.isReliable();
        }

        @Override
        public boolean isConnected() {
            return service.isConnected();
        }

        @Override
        public int legalOperations() {
            return service.legalOperations();
        }

        @Override
        public RequesterProtocol localRequester(SoftQp of, Requester requester) {
            return service.localRequester(of, requester);
        }

        @Override
        public RequesterProtocol wireRequester(SoftQp of, Requester requester, RequesterProtocol local) {
            return service.wireRequester(of, requester, local);
        }

        @Override
        public ResponderProtocol responder(SoftQp of, ReceiveSide receives) {
            responder = new UcResponder(of, receives);
            return responder;
        }
    }

    private Object port(String method, Object[] arguments) {
        return switch (method) {
            case "count" -> drops.merge(((Counter) arguments[0]).name(), 1, Integer::sum);
            case "device" -> "soft0";
            case "mtu" -> MTU;
            default -> null;
        };
    }

    @BeforeEach
    void createQueuePair() {
        Port port = (Port) Proxy.newProxyInstance(Port.class.getClassLoader(), new Class<?>[] {Port.class},
                (proxy, method, arguments) -> {
                    Object result = port(method.getName(), arguments);
                    return method.getReturnType() == void.class ? null : result;
                });
        Wire wire = (Wire) Proxy.newProxyInstance(Wire.class.getClassLoader(), new Class<?>[] {Wire.class},
                (proxy, method, arguments) -> null);
        QpEvents events = (QpEvents) Proxy.newProxyInstance(QpEvents.class.getClassLoader(),
                new Class<?>[] {QpEvents.class}, (proxy, method, arguments) -> null);
        qp = new SoftQp(QPN, new SoftQp.Parts(new Service(), new QpCapabilities(4, 4, 1, 1, 0), false,
                domain, cq, cq, null),
                new SoftQp.Environment(keyTable, port, Network.EMPTY, null, deferred, 1 << 20,
                        wire, () -> 0),
                events);
        qp.settings().pathMtu = MTU;
        qp.settings().accessFlags = Access.REMOTE_WRITE;
        locked(() -> qp.state(QpStateCode.INIT));
        for (int i = 0; i < RECEIVES; i++) {
            qp.responder().post(ReceiveWorkRequest.create(1).wrId(i).sge(0, inbox.address() + i * ROOM, ROOM,
                    inboxRegion.lkey()).sgeCount(1));
        }
        psn = Psns.MASK - 2;
        locked(() -> {
            qp.state(QpStateCode.RTR);
            responder.expectPsn(psn);
        });
    }

    private void locked(Runnable task) {
        qp.lock();
        try {
            task.run();
        } finally {
            qp.unlock();
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
        locked(() -> receiveAll(scenario));
        deferred.run();
    }

    private void receiveAll(String scenario) {
        for (int i = 0; i < scenario.length(); i++) {
            char packet = scenario.charAt(i);
            if (packet != '-') {
                receive(packet, length(scenario, i));
                assertEquals(Psns.add(psn, 1), responder.expectedPsn(), "after packet " + i);
            }
            psn = Psns.add(psn, 1);
        }
    }

    private void receive(char packet, int length) {
        PacketEncoder encoder = new PacketEncoder().begin(buffer, opcode(packet), 0, 0xFFFF, QPN, psn, payload(packet));
        if (packet == 'f' || packet == 'o') {
            encoder.reth(0, targetRegion.rkey(), length);
        }
        buffer.segment().asSlice(encoder.payloadOffset(), payload(packet)).fill((byte) packet);
        PacketView view = new PacketView();
        assertEquals(DropReason.NONE, view.decode(buffer, encoder.length()));
        responder.receive(view, null);
    }

    private String completions() {
        StringBuilder text = new StringBuilder();
        while (cq.poll(polled, 1) == 1) {
            assertEquals(0, polled.get(JAVA_INT, WcLayout.STATUS));
            text.append(text.isEmpty() ? "" : " ").append(polled.get(JAVA_INT, WcLayout.BYTE_LEN));
        }
        return text.toString();
    }

    /** G3, G5, G6, G8, G11: the columns are the packets, the lengths of the messages received, and the drops. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            O,      20,      {}
            FL,     266,     {}
            FML,    522,     {}
            FMML,   778,     {}
            OFLO,   20 266,  {NO_RECEIVE=1}
            FM,     '',      {}
            FE,     '',      {INVALID_REQUEST=1}
            -O,     20,      {}
            -FL,    266,     {}
            O-O,    20 20,   {}
            O--FL,  20 266,  {}
            F-L,    '',      {OUT_OF_SEQUENCE=1}
            F-ML,   '',      {OUT_OF_SEQUENCE=2}
            FM-L,   '',      {OUT_OF_SEQUENCE=1}
            F-LO,   20,      {OUT_OF_SEQUENCE=1}
            F-LFL,  266,     {OUT_OF_SEQUENCE=1}
            F-O,    20,      {}
            L,      '',      {OUT_OF_SEQUENCE=1}
            ML,     '',      {OUT_OF_SEQUENCE=2}
            OL,     20,      {OUT_OF_SEQUENCE=1}
            FLL,    266,     {OUT_OF_SEQUENCE=1}
            FFL,    266,     {}
            FMFL,   266,     {}
            FO,     20,      {}
            FOL,    20,      {OUT_OF_SEQUENCE=1}
            SL,     '',      '{INVALID_REQUEST=1, OUT_OF_SEQUENCE=1}'
            FXL,    '',      '{INVALID_REQUEST=1, OUT_OF_SEQUENCE=1}'
            FXFL,   266,     {INVALID_REQUEST=1}
            FmL,    '',      {OUT_OF_SEQUENCE=2}
            Fl,     '',      {OUT_OF_SEQUENCE=1}
            fL,     '',      {OUT_OF_SEQUENCE=1}
            fFL,    266,     {}
            Ffl,    '',      {}
            FMMML,  '',      {NO_RECEIVE=1}
            FMMMLO, 20,      {NO_RECEIVE=1}
            FMMMML, '',      '{NO_RECEIVE=1, OUT_OF_SEQUENCE=1}'
            OOO,    20 20,   {NO_RECEIVE=1}
            OOFL,   20 20,   '{NO_RECEIVE=1, OUT_OF_SEQUENCE=1}'
            """)
    void aMessageIsReceivedIfAllItsPacketsArriveInOrder(String scenario, String messages, String expected) {
        run(scenario);
        assertEquals(messages, completions());
        assertEquals(expected, drops.toString());
        assertEquals(QpStateCode.RTR, qp.state());
    }

    /** G4, G10: the columns are the packets, the bytes that are written, and the drops counted. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            o,    20,  {}
            fl,   266, {}
            fml,  522, {}
            fm,   512, {}
            f-l,  256, {OUT_OF_SEQUENCE=1}
            fm-l, 512, {OUT_OF_SEQUENCE=1}
            f-ml, 256, {OUT_OF_SEQUENCE=2}
            l,    0,   {OUT_OF_SEQUENCE=1}
            ml,   0,   {OUT_OF_SEQUENCE=2}
            fml-, 522, {}
            flo,  266, {}
            """)
    void theBytesOfAWriteAreWrittenAsFarAsItsPacketsArriveInOrder(String scenario, int bytes, String expected) {
        run(scenario);
        int written = 0;
        for (byte value : target.toArray(JAVA_BYTE)) {
            written += value == 0 ? 0 : 1;
        }
        assertEquals(bytes, written);
        assertEquals(expected, drops.toString());
        assertEquals("", completions());
    }

    /** G5: the receive request of a message that is incomplete is used for the next one, from its start. */
    @ParameterizedTest
    @CsvSource({"F-LO", "FMO", "FXO", "FFMO"})
    void theNextMessageUsesTheReceiveRequestOfAnIncompleteOne(String scenario) {
        run(scenario);
        assertEquals("20", completions());
        assertEquals('O', inbox.get(JAVA_BYTE, 0));
        assertEquals('O', inbox.get(JAVA_BYTE, 19));
        assertEquals('F', inbox.get(JAVA_BYTE, 20));
    }
}
