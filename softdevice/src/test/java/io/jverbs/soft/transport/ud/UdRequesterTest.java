package io.jverbs.soft.transport.ud;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.AddressHandles;
import io.jverbs.Gid;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.soft.memory.SoftMr;
import io.jverbs.soft.memory.SoftPd;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.transport.BareDevice;
import io.jverbs.soft.transport.BareQueuePair;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.transport.SoftAh;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Where datagrams are sent, and how their requests complete. Two queue pairs of the device, 6 and 7, are attached to a
 * multicast group. A path leads to the device itself, to a peer or to the group.
 */
final class UdRequesterTest {
    private static final int QPN = 5;
    private static final int MTU = 256;
    private static final int QKEY = 0x1234;
    private static final int PRIVILEGED = 1 << 31;
    private static final int MULTICAST_QPN = 0xFFFFFF;
    private static final int ROOM = 512;
    private static final Gid GROUP = Gid.parse("ff0e::ffff:239.1.2.3");
    private static final int FIRST_PSN = Psns.MASK - 1;

    private final MemorySegment memory = BareDevice.memory(4 * ROOM);
    private final List<BareQueuePair> receivers = new ArrayList<>();
    private BareDevice device;
    private BareQueuePair pair;
    private SoftMr region;

    private void create(boolean wire) {
        device = wire ? BareDevice.withWire() : BareDevice.withoutWire();
        device.port.mtu(MTU);
        region = device.register(memory, Access.LOCAL_WRITE);
        pair = ready(QPN);
        receivers.clear();
        for (int qpn : new int[] {6, 7}) {
            BareQueuePair receiver = ready(qpn);
            receiver.postReceive(1, region, memory.address() + ROOM, ROOM);
            receivers.add(receiver);
        }
        device.network.group(GROUP, receivers.get(0).qp, receivers.get(1).qp);
    }

    private BareQueuePair ready(int qpn) {
        BareQueuePair made = device.create(QpType.UD, qpn);
        made.qp.settings().qkey = QKEY;
        made.connect(BareDevice.PEER, 0, FIRST_PSN, 0);
        return made;
    }

    private SoftAh path(String to, SoftPd domain) {
        Gid destination = switch (to) {
            case "self" -> BareDevice.GID;
            case "peer" -> BareDevice.PEER;
            default -> GROUP;
        };
        Route route = device.wire == null ? null : device.wire.route(BareDevice.GID, destination);
        return new SoftAh(domain, BareDevice.GID, destination, 0, 64, 0, route);
    }

    private SendWorkRequest request(String to, int qpn, int qkey) {
        return SendWorkRequest.create(1).opcode(WrOpcode.SEND).sge(0, memory.address(), 20, region.lkey())
                .destination(AddressHandles.of(path(to, device.domain)), qpn, qkey);
    }

    /** The queue pairs that have received a datagram. */
    private String received() {
        return receivers.stream().filter(receiver -> !receiver.receiveCompletions().isEmpty())
                .map(receiver -> String.valueOf(receiver.qp.number())).collect(Collectors.joining(" "));
    }

    private List<PacketView> sent() {
        return device.wire == null ? List.of() : device.wire.takeSent();
    }

    /**
     * H7, H10, H21, G1: the columns are whether there is a wire, the path, the destination QPN, the queue pairs of the
     * device that receive the datagram, the destination QPN of the packet on the wire, and what the port counts.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            true,  self,  6,        6,   '',       ''
            true,  self,  7,        7,   '',       ''
            true,  self,  99,       '',  '',       ''
            true,  peer,  6,        '',  6,        ''
            true,  peer,  99,       '',  99,       ''
            true,  group, 16777215, 6 7, 16777215, ''
            true,  group, 6,        '',  6,        UNKNOWN_QUEUE_PAIR
            false, self,  6,        6,   '',       ''
            false, self,  99,       '',  '',       ''
            false, peer,  6,        '',  '',       ''
            false, group, 16777215, 6 7, '',       ''
            false, group, 6,        '',  '',       UNKNOWN_QUEUE_PAIR
            """)
    void aDatagramReachesQueuePairsOfTheJvmOrLeavesOverTheWire(boolean wire, String path, int qpn, String receiving,
            String onWire, String counted) {
        create(wire);
        pair.post(request(path, qpn, QKEY));
        assertEquals("0", pair.sendCompletions());
        assertEquals(receiving, received());
        assertEquals(onWire, sent().stream().map(packet -> String.valueOf(packet.destinationQpn()))
                .collect(Collectors.joining(" ")));
        assertEquals(counted, device.port.counted());
    }

    /** J9, A20: nothing leaves a port whose link is down or that has lost the source GID; the request completes. */
    @ParameterizedTest
    @CsvSource({"self, 6, false", "peer, 6, false", "group, 16777215, false", "self, 6, true", "group, 16777215, true"})
    void aPortThatDoesNotSendDropsTheDatagram(String path, int qpn, boolean isLinkDown) {
        create(true);
        if (isLinkDown) {
            device.port.up(false);
        } else {
            device.port.sends(false);
        }
        pair.post(request(path, qpn, QKEY));
        assertEquals("0", pair.sendCompletions());
        assertEquals("", received());
        assertEquals(List.of(), sent());
    }

    /** H8, H9: the columns are the Q_Key of the request and that of the packet, and the members that receive it. */
    @ParameterizedTest
    @CsvSource({"0x1234, 1234, 6 7", "0x4321, 4321, ''", "0x80000000, 1234, 6 7", "0xFFFFFFFF, 1234, 6 7",
        "0x80004321, 1234, 6 7", "0x7FFFFFFF, 7fffffff, ''", "0, 0, ''"})
    void aPrivilegedQkeyIsReplacedByThatOfTheQueuePair(String qkey, String onWire, String receiving) {
        create(true);
        pair.post(request("group", MULTICAST_QPN, Long.decode(qkey).intValue()));
        assertEquals(receiving, received());
        PacketView packet = sent().getFirst();
        assertEquals(onWire, Integer.toHexString(packet.qkey()));
        assertEquals(QPN, packet.sourceQpn());
    }

    /**
     * B5, H2, H11, G12, D33: the columns are the path, the length, whether the lkey is valid, whether the path is of
     * the same protection domain, the completion, and the state. A request that follows is flushed in SQE.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            self,  256, true,  true,  0 1,                             RTS
            self,  257, true,  true,  0:LOC_LEN_ERR 1:WR_FLUSH_ERR,    SQE
            peer,  257, true,  true,  0:LOC_LEN_ERR 1:WR_FLUSH_ERR,    SQE
            self,  20,  false, true,  0:LOC_PROT_ERR 1:WR_FLUSH_ERR,   SQE
            peer,  20,  false, true,  0:LOC_PROT_ERR 1:WR_FLUSH_ERR,   SQE
            group, 20,  false, true,  0:LOC_PROT_ERR 1:WR_FLUSH_ERR,   SQE
            self,  0,   false, true,  0 1,                             RTS
            self,  20,  true,  false, 0:LOC_QP_OP_ERR 1:WR_FLUSH_ERR,  SQE
            peer,  20,  true,  false, 0:LOC_QP_OP_ERR 1:WR_FLUSH_ERR,  SQE
            """)
    void aRequestThatCannotBeSentMovesTheQueuePairToSqe(String to, int bytes, boolean validKey, boolean sameDomain,
            String completions, QpState state) {
        create(true);
        SoftPd domain = sameDomain ? device.domain : new SoftPd(MemorySegment::address);
        pair.post(SendWorkRequest.create(1).opcode(WrOpcode.SEND)
                .sge(0, memory.address(), bytes, validKey ? region.lkey() : ~region.lkey())
                .destination(AddressHandles.of(path(to, domain)), 6, QKEY));
        pair.post(request("peer", 6, QKEY).wrId(1));
        assertEquals(completions, pair.sendCompletions());
        assertEquals(state, pair.state());
        boolean fails = state == QpState.SQE;
        assertEquals(fails ? 0 : 1, sent().size());
        assertEquals(fails ? "" : "6", received());
    }

    /** B17, D33: memory that no longer exists when it is copied or sent fails the request. */
    @ParameterizedTest
    @CsvSource({"self, 6", "peer, 6", "group, 16777215"})
    void aRequestWhoseMemoryIsGoneMovesTheQueuePairToSqe(String path, int qpn) {
        create(true);
        SendWorkRequest request = request(path, qpn, QKEY);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment closed = arena.allocate(20);
            request.sge(0, closed.address(), 20, device.register(closed, Access.LOCAL_WRITE).lkey());
        }
        pair.post(request);
        assertEquals("0:LOC_PROT_ERR", pair.sendCompletions());
        assertEquals(QpState.SQE, pair.state());
        assertEquals(List.of(), sent());
        assertEquals("", received());
    }

    /** H19: each datagram has the next PSN. The columns are the paths, and the PSNs of the packets on the wire. */
    @ParameterizedTest
    @CsvSource({"peer, 0", "peer peer peer, 0 1 2", "self peer, 1", "peer self peer, 0 2", "group peer, 0 1"})
    void eachDatagramHasTheNextPsn(String paths, String psns) {
        create(true);
        for (String path : paths.split(" ")) {
            pair.post(request(path, path.equals("group") ? MULTICAST_QPN : 6, QKEY));
        }
        assertEquals(psns, sent().stream().map(packet -> String.valueOf(Psns.difference(packet.psn(), FIRST_PSN)))
                .collect(Collectors.joining(" ")));
    }

    /** H13, H17: the columns are the operation, whether solicited, the opcode, and the immediate data. */
    @ParameterizedTest
    @CsvSource({"SEND, false, UD_SEND_ONLY, 0", "SEND, true, UD_SEND_ONLY, 0",
        "SEND_WITH_IMM, false, UD_SEND_ONLY_WITH_IMM, 4030201"})
    void thePacketHasTheHeadersOfTheRequest(WrOpcode opcode, boolean solicited, String name, String immediate) {
        create(true);
        pair.post(request("peer", 6, QKEY).opcode(opcode).immediate(0x04030201)
                .flags(solicited ? SendFlags.SOLICITED : 0));
        PacketView packet = sent().getFirst();
        assertEquals(name, WireOpcode.name(packet.opcode()));
        assertEquals(solicited, packet.solicited());
        assertEquals(immediate, Integer.toHexString(packet.immediate()));
        assertEquals(20, packet.payloadLength());
    }

    /** H7: a member without a receive request misses the datagram, the others receive it. */
    @Test
    void aMemberWithoutAReceiveRequestDoesNotAffectTheOthers() {
        create(true);
        pair.post(request("self", 6, QKEY));
        received();
        pair.post(request("group", MULTICAST_QPN, QKEY));
        assertEquals("7", received());
        assertEquals("NO_RECEIVE", receivers.getFirst().counters());
    }

    /**
     * H21: a datagram to a group with another QPN than the multicast QPN is counted once at each port of members. The
     * columns are the devices of the members, whether the link of the second one is up, and what the ports count.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            '',    true,  '',                 ''
            1,     true,  UNKNOWN_QUEUE_PAIR, ''
            1 1,   true,  UNKNOWN_QUEUE_PAIR, ''
            1 2,   true,  UNKNOWN_QUEUE_PAIR, UNKNOWN_QUEUE_PAIR
            2 1 2, true,  UNKNOWN_QUEUE_PAIR, UNKNOWN_QUEUE_PAIR
            1 2,   false, UNKNOWN_QUEUE_PAIR, PORT_DOWN
            """)
    void aDropIsCountedOnceAtEachPort(String devices, boolean up, String first, String second) {
        BareDevice one = BareDevice.withoutWire();
        BareDevice two = BareDevice.withoutWire();
        two.port.up(up);
        SoftQp[] members = Stream.of(devices.split(" ")).filter(name -> !name.isEmpty())
                .map(name -> (name.equals("1") ? one : two).create(QpType.UD, 6).qp).toArray(SoftQp[]::new);
        assertEquals(0, MulticastQpnCheck.drop(members).length);
        assertEquals(first, one.port.counted());
        assertEquals(second, two.port.counted());
    }
}
