package io.jverbs.contract.unreliable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AhAttributes;
import io.jverbs.Errno;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcFlags;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.PairOptions;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.Srq;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.Infos.Reply;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Sge;
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.fixture.Catalogue;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests UD: each message is one packet to one queue pair, with the address of the sender before the payload. */
final class DatagramContract extends VerbsContract {
    private static final int GRH = 40;
    private static final int IPV4 = 20;

    private PairOptions apart(PairOptions options) {
        return options.left(o -> o.separateCqs(left)).right(o -> o.separateCqs(right));
    }

    private Pair pair() {
        return udPair(this::apart);
    }

    @ParameterizedTest
    @EnumSource(names = {"RDMA_WRITE", "RDMA_WRITE_WITH_IMM", "RDMA_READ", "ATOMIC_CMP_AND_SWP", "ATOMIC_FETCH_AND_ADD",
        "SEND_WITH_INV", "LOCAL_INV", "BIND_MW"})
    @Catalogue("H1")
    void otherOpcodesThanSendAreRefused(WrOpcode opcode) {
        Pair pair = pair();
        SendSpec request = pair.toRight(SendSpec.of(opcode, left.region(8).sge()));
        assertEquals(Errno.EINVAL.code(), pair.left().tryPost(request).errno());
        pair.left().assertStays(QpState.RTS);
        assertDelivers(pair);
    }

    @Test
    @Catalogue("H2")
    void aDatagramOfMtuSizeArrives() {
        Pair pair = pair();
        int mtu = Math.min(left.port().activeMtu().bytes(), right.port().activeMtu().bytes());
        Region sink = right.region(mtu + GRH);
        pair.right().postRecv(recv(sink.sge()).id(1));
        pair.left().succeed(pair.toRight(send(left.region(mtu).fill(9).sge())));
        expect(pair.right().awaitRecv()).success().bytes(mtu + GRH);
        sink.assertHolds(GRH, mtu, 9);
    }

    @Test
    @Catalogue("H2")
    void aDatagramLongerThanTheMtuIsNotSent() {
        Pair pair = pair();
        int mtu = left.port().activeMtu().bytes();
        Region sink = right.region(mtu + GRH + 1);
        pair.right().postRecv(recv(sink.sge()).id(1));
        Wc wc = pair.left().execute(pair.toRight(send(left.region(mtu + 1).fill(9).sge())));
        // rxe completes the request with success and sends nothing
        expect(wc).status(WcStatus.LOC_LEN_ERR, WcStatus.SUCCESS);
        assertNoCompletion(pair.right().recvCq());
        sink.assertZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 256})
    @Catalogue({"H3", "E26"})
    void thePayloadFollowsFortyBytesThatTheLengthIncludes(int length) {
        Pair pair = pair();
        Region sink = right.region(512);
        pair.right().postRecv(recv(sink.sge()).id(77));
        pair.left().succeed(pair.toRight(send(left.region(256).fill(3).sge(0, length))));
        Wc wc = expect(pair.right().awaitRecv()).success().id(77).opcode(WcOpcode.RECV).bytes(GRH + length)
                .qp(pair.right()).from(pair.left()).wc();
        assertTrue((wc.flags() & WcFlags.GRH) != 0, wc::toString);
        assertEquals(0, wc.pkeyIndex());
        sink.assertHolds(GRH, length, 3);
        sink.assertZero(GRH + length, 512 - GRH - length);
    }

    @Test
    @Catalogue("H4")
    void theGrhAreaContainsTheIpHeaderWithBothAddresses() {
        Pair pair = pair();
        Region sink = right.region(GRH + 64);
        pair.right().postRecv(recv(sink.sge()));
        pair.left().succeed(pair.toRight(send(left.region(64).sge())));
        expect(pair.right().awaitRecv()).success();
        byte[] area = sink.bytes(0, GRH);
        byte[] from = left.gid().toBytes();
        byte[] to = right.gid().toBytes();
        if (left.gid().isIpv4Mapped()) {
            assertEquals(0x45, area[IPV4] & 0xFF);
            assertArrayEquals(Arrays.copyOfRange(from, 12, 16), Arrays.copyOfRange(area, IPV4 + 12, IPV4 + 16));
            assertArrayEquals(Arrays.copyOfRange(to, 12, 16), Arrays.copyOfRange(area, IPV4 + 16, IPV4 + 20));
        } else {
            assertEquals(6, area[0] >>> 4);
            assertArrayEquals(from, Arrays.copyOfRange(area, 8, 24));
            assertArrayEquals(to, Arrays.copyOfRange(area, 24, 40));
        }
    }

    @Test
    @Catalogue("H5")
    void aReceiveThatIsTooShortStaysForTheNextDatagram() {
        Pair pair = pair();
        Region sink = right.region(GRH + 64);
        pair.right().postRecv(recv(sink.sge(0, GRH + 16)).id(5));
        pair.left().succeed(pair.toRight(send(left.region(17).sge())));
        pair.left().succeed(pair.toRight(send(left.region(16).fill(2).sge())));
        expect(pair.right().awaitRecv()).success().id(5).bytes(GRH + 16);
        sink.assertHolds(GRH, 16, 2);
        pair.right().assertStays(QpState.RTS);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 20, 39, 40, 41})
    @Catalogue("H6")
    void theGrhAreaMayBeSplitOverElements(int border) {
        Pair pair = udPair(o -> apart(o).sges(4, 4));
        Region sink = right.region(GRH + 64);
        pair.right().postRecv(recv(sink.sge(0, border), sink.sge(border, GRH + 64 - border)).id(6));
        pair.left().succeed(pair.toRight(send(left.region(64).fill(4).sge())));
        expect(pair.right().awaitRecv()).success().bytes(GRH + 64);
        sink.assertHolds(GRH, 64, 4);
    }

    @Test
    @Catalogue("H7")
    void aDatagramWithoutReceiveIsDroppedAndTheNextArrives() {
        Pair pair = pair();
        pair.left().succeed(pair.toRight(send(left.region(8).sge())));
        assertLost(pair.right().recvCq());
        assertDelivers(pair);
    }

    @Test
    @Catalogue("H8")
    void aDatagramWithAWrongQkeyIsDropped() {
        Pair pair = pair();
        pair.right().postRecv(recv(right.region(GRH + 8).sge()).id(8));
        SendSpec wrong = send(left.region(8).sge()).to(pair.toRight(), pair.right().number(),
                pair.right().options().qkey() ^ 1);
        pair.left().succeed(wrong);
        assertNoCompletion(pair.right().recvCq());
        pair.left().succeed(pair.toRight(send(left.region(8).sge())));
        expect(pair.right().awaitRecv()).success().id(8);
    }

    @Test
    @Catalogue("H9")
    void aQkeyWithBit31IsReplacedByThatOfTheQueuePair() {
        Pair pair = pair();
        pair.right().postRecv(recv(right.region(GRH + 8).sge()).id(9));
        pair.left().succeed(send(left.region(8).sge()).to(pair.toRight(), pair.right().number(), 0x80000001));
        expect(pair.right().awaitRecv()).success().id(9);
    }

    @Test
    @Catalogue("H10")
    void aDatagramToAnUnknownQpnIsDropped() {
        Pair pair = pair();
        pair.right().postRecv(recv(right.region(GRH + 8).sge()));
        pair.left().succeed(send(left.region(8).sge()).to(pair.toRight(), 0xFFFFF0, pair.right().options().qkey()));
        assertNoCompletion(pair.right().recvCq());
    }

    @Test
    @Catalogue("H10")
    void aDatagramToAConnectedQueuePairIsDropped() {
        Pair pair = pair();
        Pair connected = rcPair(this::apart);
        connected.right().postRecv(recv(right.region(GRH + 8).sge()));
        pair.left().succeed(
                send(left.region(8).sge()).to(pair.toRight(), connected.right().number(),
                        pair.right().options().qkey()));
        assertNoCompletion(connected.right().recvCq());
        assertDelivers(pair);
    }

    @Test
    @Catalogue("H10")
    void anRcRequestToAUdQueuePairTimesOut() {
        Pair datagrams = pair();
        Pair connected = rcPair(o -> apart(o).timeout(silentPeerTimeout()).retry(1)
                .left(l -> l.destQpn(datagrams.right().number())));
        datagrams.right().postRecv(recv(right.region(GRH + 8).sge()));
        expect(connected.left().execute(send(left.region(8).sge()))).status(WcStatus.RETRY_EXC_ERR);
        assertNoCompletion(datagrams.right().recvCq());
    }

    @Test
    @Catalogue("H11")
    void aDatagramWithoutAddressHandleIsRefused() {
        Pair pair = pair();
        SendSpec nowhere = send(left.region(8).sge()).to(End.NONE, pair.right().number(),
                pair.right().options().qkey());
        assertEquals(Errno.EINVAL.code(), pair.left().tryPost(nowhere).errno());
        assertDelivers(pair);
    }

    @Test
    @Catalogue("H11")
    void aDatagramWithAClosedAddressHandleIsRefused() {
        Pair pair = pair();
        int ah = left.ah(left.pathTo(right));
        left.end().destroy(ah);
        assertRefused(IllegalStateException.class, () -> pair.left()
                .tryPost(send(left.region(8).sge()).to(ah, pair.right().number(), pair.right().options().qkey())));
        assertDelivers(pair);
    }

    @Test
    @Catalogue("H12")
    void anAddressHandleMayBeDestroyedAfterItsDatagramCompleted() {
        Pair pair = pair();
        for (int i = 0; i < 5; i++) {
            int ah = left.ah(left.pathTo(right));
            pair.right().postRecv(recv(right.region(GRH + 8).sge()).id(i));
            pair.left()
                    .succeed(send(left.region(8).sge()).to(ah, pair.right().number(), pair.right().options().qkey()));
            left.end().destroy(ah);
            expect(pair.right().awaitRecv()).success().id(i);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 0x20, 0xFC})
    @Catalogue({"H13", "H14"})
    void trafficClassAndHopLimitReachThePeer(int trafficClass) {
        Pair pair = pair();
        AhAttributes path = left.pathTo(right).toBuilder().trafficClass(trafficClass).hopLimit(77).build();
        Region sink = right.region(GRH + 8);
        pair.right().postRecv(recv(sink.sge()));
        pair.left().succeed(send(left.region(8).sge()).to(left.ah(path), pair.right().number(),
                pair.right().options().qkey()));
        expect(pair.right().awaitRecv()).success();
        byte[] area = sink.bytes(0, GRH);
        boolean ipv4 = left.gid().isIpv4Mapped();
        int seen = ipv4 ? area[IPV4 + 1] & 0xFF : (area[0] & 0xF) << 4 | (area[1] & 0xF0) >> 4;
        // the lower two bits are used for ECN
        assertEquals(trafficClass & 0xFC, seen & 0xFC);
        assertEquals(77, ipv4 ? area[IPV4 + 8] : area[7]);
    }

    @Test
    @Catalogue("H15")
    void theReceiverCanReplyToTheSender() {
        Pair pair = pair();
        Region sink = right.region(GRH + 8);
        pair.right().postRecv(recv(sink.sge()).id(1));
        pair.left().succeed(pair.toRight(send(left.region(8).sge())));
        Reply reply = right.end().pollForReply(pair.right().recvCq().id(), sink.memory(), 0, 1, 5_000);
        assertEquals(left.gid(), reply.attributes().destination());
        assertEquals(right.gidIndex(), reply.attributes().sgidIndex());
        Region back = left.region(GRH + 8);
        pair.left().postRecv(recv(back.sge()).id(2));
        pair.right().succeed(send(right.region(8).fill(6).sge()).to(right.ah(reply.attributes()),
                reply.wc().sourceQp(), pair.left().options().qkey()));
        expect(pair.left().awaitRecv()).success().id(2).from(pair.right());
        back.assertHolds(GRH, 8, 6);
    }

    @Test
    @Catalogue("H16")
    void aQueuePairSendsToItself() {
        Qp self = left.qp(QpType.UD);
        self.connect(self);
        Region sink = left.region(GRH + 8);
        self.postRecv(recv(sink.sge()).id(2));
        self.post(
                send(left.region(8).fill(5).sge()).to(left.ah(left.pathTo(left)), self.number(), self.options().qkey())
                        .id(1).signaled());
        Wc first = self.sendCq().await();
        Wc second = self.sendCq().await();
        expect(first).success();
        expect(second).success();
        assertEquals(3, first.wrId() + second.wrId());
        sink.assertHolds(GRH, 8, 5);
    }

    @Test
    @Catalogue("H17")
    void immediateDataArrivesWithTheDatagram() {
        Pair pair = pair();
        pair.right().postRecv(recv(right.region(GRH + 8).sge()));
        pair.left().succeed(pair.toRight(sendImm(0x01020304, left.region(8).sge())));
        expect(pair.right().awaitRecv()).success().immediate(0x01020304).bytes(GRH + 8);
    }

    @Test
    @Catalogue({"H18", "H19"})
    void datagramsArriveIntactAndOnceForAnyPsn() {
        Pair pair = udPair(o -> apart(o).wrs(32, 32).left(l -> l.psn(0xFFFFFE)));
        Region sink = right.region(16 * 64);
        Region source = left.region(16 * 8);
        for (int i = 0; i < 16; i++) {
            pair.right().postRecv(recv(sink.sge(64L * i, 64)).id(i));
            source.store(8L * i, 500 + i);
        }
        for (int i = 0; i < 16; i++) {
            pair.left().succeed(pair.toRight(send(source.sge(8L * i, 8)).id(i)));
        }
        long sum = 0;
        for (Wc wc : pair.right().recvCq().await(16)) {
            expect(wc).success().bytes(GRH + 8);
            sum += sink.load(64 * wc.wrId() + GRH);
        }
        assertEquals(16 * 500 + 120, sum);
    }

    /**
     * A device may send them with one system call, and several of equal size as one segmented datagram. The eighth is
     * empty and is sent to an unknown queue pair.
     */
    @Test
    @Catalogue("H18")
    void aChainOfDatagramsOfManySizesArrives() {
        Pair pair = udPair(o -> apart(o).wrs(32, 32));
        int[] lengths = {64, 64, 64, 16, 16, 200, 200, 0, 200, 64, 1, 2, 3, 3, 256, 255};
        Region sink = right.region(lengths.length * 512);
        SendSpec[] chain = new SendSpec[lengths.length];
        for (int i = 0; i < lengths.length; i++) {
            pair.right().postRecv(recv(sink.sge(512L * i, 512)).id(i));
            chain[i] = pair.toRight(sendImm(i, left.region(256).fill(i).sge(0, lengths[i])).id(i));
        }
        chain[7] = send().to(pair.toRight(), pair.right().number() ^ 0x800000, pair.right().options().qkey());
        pair.left().post(Arrays.stream(chain).map(SendSpec::signaled).toArray(SendSpec[]::new));

        for (Wc wc : pair.left().sendCq().await(lengths.length)) {
            expect(wc).success();
        }
        boolean[] arrived = new boolean[lengths.length];
        for (Wc wc : pair.right().recvCq().await(lengths.length - 1)) {
            int number = wc.immediate();
            expect(wc).success().bytes(GRH + lengths[number]);
            sink.assertHolds((int) (512 * wc.wrId() + GRH), lengths[number], number);
            assertFalse(arrived[number], "datagram " + number + " arrived twice");
            arrived[number] = true;
        }
        assertFalse(arrived[7]);
    }

    @Test
    @Catalogue({"B5", "H11"})
    void anAddressHandleOfAnotherDomainFailsTheRequest() {
        Pair pair = pair();
        int ah = left.end().createAh(left.newPd(), left.pathTo(right));
        Wc wc = pair.left().execute(
                send(left.region(8).sge()).to(ah, pair.right().number(), pair.right().options().qkey()));
        // some devices send it
        expect(wc).status(WcStatus.LOC_QP_OP_ERR, WcStatus.SUCCESS);
    }

    @Test
    @Catalogue("H5")
    void aSharedReceiveThatIsTooShortCompletesInError() {
        Srq srq = right.srq(4, 1);
        Pair pair = udPair(o -> apart(o).right(r -> r.srq(srq)));
        srq.post(recv(right.region(GRH + 8).sge()).id(31));
        pair.left().succeed(pair.toRight(send(left.region(9).sge())));
        expect(pair.right().awaitRecv()).status(WcStatus.LOC_LEN_ERR).id(31);
    }

    @Test
    @Catalogue("H3")
    void aPayloadGatheredFromPiecesArrivesInOrder() {
        Pair pair = udPair(o -> apart(o).sges(4, 4));
        Region source = left.region(96).fill(7);
        Region sink = right.region(GRH + 96);
        pair.right().postRecv(recv(sink.sge()));
        Sge[] pieces = {source.sge(0, 1), source.sge(1, 31), source.sge(32, 0), source.sge(32, 64)};
        pair.left().succeed(pair.toRight(send(pieces)));
        expect(pair.right().awaitRecv()).success().bytes(GRH + 96);
        sink.assertHolds(GRH, 96, 7);
    }
}
