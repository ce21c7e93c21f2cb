package io.jverbs.soft.transport;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Gid;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.soft.congestion.CongestionControlType;
import io.jverbs.soft.congestion.PathCapacity;
import io.jverbs.soft.congestion.PathWindow;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** L52, L53: congestion notification packets (CNPs) that a queue pair sends and receives. */
final class CnpTest {
    private static final int QPN = 5;
    private static final int PEER_QPN = 9;
    private static final int MTU = 256;
    private static final long INTERVAL = 50_000;
    /** Byte 4 of a BTH, with BECN. */
    private static final int CONGESTION_OFFSET = 4;

    private final BareDevice device = BareDevice.withWire();
    private final IncomingPacket packet = new IncomingPacket(QPN);

    private BareQueuePair connected(QpType type) {
        return connect(device.create(type, QPN), PEER_QPN);
    }

    private static BareQueuePair connect(BareQueuePair pair, int peerQpn) {
        pair.qp.settings().pathMtu = MTU;
        pair.connect(BareDevice.PEER, peerQpn, 0, 0);
        return pair;
    }

    private PacketView request(int psn, boolean marked) {
        packet.begin(WireOpcode.SEND_ONLY, 0, psn, 0);
        PacketView view = packet.decoded();
        view.congestionExperienced(marked);
        return view;
    }

    /** Takes a turn of all queue pairs, whose packets share a buffer; returns the CNPs that were sent. */
    private List<PacketView> takeCnps(BareQueuePair... pairs) {
        Outbox outbox = new Outbox(device.wire);
        for (BareQueuePair pair : pairs) {
            pair.qp.responder().sendResponses(false, outbox);
        }
        outbox.release();
        return device.wire.takeSent().stream().filter(each -> each.opcode() == WireOpcode.CNP).toList();
    }

    @Test
    void aPacketWithTheMarkLeadsToACnpToThePeer() {
        BareQueuePair pair = connected(QpType.RC);
        pair.receive(request(0, false));
        assertEquals(List.of(), takeCnps(pair));
        int calls = device.wire.scheduleCalls();

        pair.receive(request(0, true));
        assertTrue(device.wire.scheduleCalls() > calls);
        assertEquals(List.of(), takeCnps());
        List<PacketView> cnps = takeCnps(pair);
        assertEquals(1, cnps.size());
        assertEquals(PEER_QPN, cnps.getFirst().destinationQpn());
        assertEquals(0, cnps.getFirst().psn());
        assertTrue(cnps.getFirst().becn());
    }

    @Test
    void marksWithin50MicrosecondsLeadToOneCnpForEachQueuePair() {
        BareQueuePair pair = connected(QpType.RC);
        int cnps = 0;
        for (int i = 0; i < 10; i++) {
            pair.receive(request(0, true));
            cnps += takeCnps(pair).size();
            device.timers.advance(INTERVAL / 5);
        }
        assertEquals(2, cnps);
        device.timers.advance(INTERVAL);
        BareQueuePair other = connect(device.create(QpType.RC, QPN + 1), PEER_QPN + 1);
        pair.receive(request(0, true));
        other.receive(request(0, true));
        assertEquals(List.of(PEER_QPN, PEER_QPN + 1),
                takeCnps(pair, other).stream().map(PacketView::destinationQpn).toList());
    }

    /** The columns are whether the CNP has BECN, its source, and what is counted. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            true,  ::ffff:192.0.2.2, CNP_HANDLED
            false, ::ffff:192.0.2.2, CNP_IGNORED
            true,  ::ffff:192.0.2.3, WRONG_ADDRESS
            """)
    void onlyACnpOfThePeerHasAnEffect(boolean becn, String source, String counted) {
        BareQueuePair pair = connected(QpType.RC);
        receiveCnp(pair, becn, source);

        assertEquals(counted, device.port.counted());
        boolean again = device.wire.pathWindow().notified(0);
        assertEquals(!counted.equals("CNP_HANDLED"), again);
    }

    private void receiveCnp(BareQueuePair pair, boolean becn, String source) {
        packet.begin(WireOpcode.CNP, 0, 0, 0);
        PacketView view = packet.decoded();
        if (!becn) {
            view.packet().set(JAVA_BYTE, CONGESTION_OFFSET, (byte) 0);
            view = packet.decoded();
        }
        PacketAddresses addresses = new PacketAddresses();
        addresses.set(Gid.parse(source), BareDevice.GID);
        pair.qp.receive(view, addresses);
    }

    @ParameterizedTest
    @EnumSource(value = QpState.class, names = {"RESET", "INIT", "ERR"})
    void aCnpInAStateThatReceivesNothingIsDropped(QpState state) {
        BareQueuePair pair = connected(QpType.RC);
        pair.state(state);
        receiveCnp(pair, true, BareDevice.PEER.toString());

        assertTrue(device.port.counted().contains("WRONG_STATE"));
        assertTrue(device.wire.pathWindow().notified(0));
    }

    @ParameterizedTest
    @EnumSource(CongestionControlType.class)
    void aCnpIsHeardWithEachKindOfCongestionControl(CongestionControlType type) {
        PathWindow path = new PathWindow(PathCapacity.UNCOALESCED, type);
        device.wire.pathWindow(path);
        BareQueuePair pair = connected(QpType.RC);
        pair.post(SendWorkRequest.create(1).opcode(WrOpcode.SEND));
        receiveCnp(pair, true, BareDevice.PEER.toString());

        assertTrue(device.port.counted().contains("CNP_HANDLED"));
    }

    @Test
    void aDatagramQueuePairSendsNoCnpAndHearsNone() {
        BareQueuePair pair = device.create(QpType.UD, QPN);
        pair.state(QpState.RTS);
        receiveCnp(pair, true, BareDevice.PEER.toString());

        assertTrue(device.port.counted().contains("WRONG_STATE"));
        packet.begin(WireOpcode.UD_SEND_ONLY, 0, 0, 0).deth(0, PEER_QPN);
        PacketView datagram = packet.decoded();
        datagram.congestionExperienced(true);
        pair.receive(datagram);

        assertTrue(device.port.counted().contains("ECN_MARKED"));
        assertEquals(0, device.wire.scheduleCalls());
        assertEquals(List.of(), takeCnps(pair));
    }
}
