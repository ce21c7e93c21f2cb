package io.jverbs.contract.queuepair;

import io.jverbs.Mtu;
import io.jverbs.Psn;
import io.jverbs.QpAttribute;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.PairOptions;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.QpOptions;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.RemoteOp;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.end.ControlCommands.Ability;
import io.jverbs.contract.fixture.Catalogue;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests two ends with settings that do not match. They must fail within one JVM as they do on a wire. */
final class MismatchContract extends QpStates {

    private PairOptions silentPeer(PairOptions options) {
        return apart(options).timeout(silentPeerTimeout()).retry(1);
    }

    /** Asserts that the left queue pair gets no response, and that the request behind is flushed. */
    private static void assertNoResponse(Pair pair) {
        pair.left().post(message(pair, 1).signaled(), message(pair, 2));
        expect(pair.left().awaitSend()).status(WcStatus.RETRY_EXC_ERR).id(1).qp(pair.left());
        assertFlushed(pair.left().sendCq(), 2);
        pair.left().awaitState(QpState.ERR);
    }

    private void assertPeerUnchanged(Pair pair) {
        pair.right().recvCq().assertQuiet();
        pair.right().assertStays(QpState.RTS);
        right.assertNoAsync();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 1000, 0x7f_ffff})
    @Catalogue("F33")
    void aSenderAheadOfTheExpectedPsnIsNotAcknowledged(int ahead) {
        Pair pair = rcPair(o -> silentPeer(o).right(r -> r.rqPsn(500)).left(l -> l.psn(500 + ahead)));
        new Inbox(pair.right()).post(1);
        assertNoResponse(pair);
        assertPeerUnchanged(pair);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000})
    @Catalogue("F33")
    void aWrongPsnSetAtTheTransitionToRtsIsNotAcknowledged(int ahead) {
        Pair pair = rcPair(o -> silentPeer(o).left(l -> l.upTo(QpState.RTR)));
        new Inbox(pair.right()).post(1);
        pair.left().modify(pair.left().options().rtsAttributes(QpType.RC)
                .sqPsn(Psn.add(expected(pair), ahead)));
        assertNoResponse(pair);
        assertPeerUnchanged(pair);
    }

    private static int expected(Pair pair) {
        return pair.right().query().number(QpAttribute.RQ_PSN);
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "COMPARE_AND_SWAP", "FETCH_AND_ADD"})
    @Catalogue("F33")
    void aReadOrAtomicFarBehindTheExpectedPsnReturnsNoValue(RemoteOp operation) {
        Pair pair = rcPair(o -> silentPeer(o).left(l -> l.psn(10)).right(r -> r.rqPsn(1000)));
        Region target = right.region(8);
        Region result = left.region(8).fill(3);
        expect(pair.left().execute(operation.on(target, result.sge()))).status(WcStatus.RETRY_EXC_ERR);
        target.assertZero();
        result.assertHolds(3);
        pair.right().assertStays(QpState.RTS);
    }

    @Test
    @Catalogue("F33")
    void aMessageOnePsnBehindIsTreatedAsADuplicate() {
        Pair pair = rcPair(o -> apart(o).left(l -> l.psn(10)).right(r -> r.rqPsn(11)));
        Inbox inbox = new Inbox(pair.right()).post(1);
        // a duplicate is acknowledged with its own PSN, but not executed
        deliver(pair, 1);
        pair.right().recvCq().assertQuiet();
        inbox.assertEmpty();
        deliver(pair, 2);
        inbox.assertReceives(0, 2);
    }

    @Test
    @Catalogue("F33")
    void aPeerWithAnUnknownDestinationQpnLeavesTheSenderUnacknowledged() {
        Pair pair = rcPair(o -> silentPeer(o).right(r -> r.destQpn(0xab_cdef)));
        // the request contains only its destination, so it may or may not be delivered
        new Inbox(pair.right()).post(1);
        assertNoResponse(pair);
        pair.right().assertStays(QpState.RTS);
    }

    @Test
    @Catalogue("F33")
    void aPeerConnectedToAnotherQueuePairLeavesTheSenderUnacknowledged() {
        Pair other = rcPair(this::apart);
        Pair pair = rcPair(o -> silentPeer(o).right(r -> r.destQpn(other.left().number())));
        new Inbox(pair.right()).post(1);
        assertNoResponse(pair);
        other.left().sendCq().assertQuiet();
        assertDelivers(other);
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    @Catalogue("F33")
    void aQueuePairOfAnotherTypeDoesNotAcknowledge(QpType type) {
        Qp stranger = right.qp(type, new QpOptions().separateCqs(right));
        Qp peer = right.qp(type);
        stranger.connect(peer);
        new Inbox(stranger).post(1);
        Pair pair = rcPair(o -> silentPeer(o).left(l -> l.destQpn(stranger.number())));
        assertNoResponse(pair);
        stranger.recvCq().assertQuiet();
        stranger.assertStays(QpState.RTS);
        assertPeerUnchanged(pair);
    }

    @ParameterizedTest
    @EnumSource(names = {"RESET", "INIT", "ERR"})
    @Catalogue({"F33", "F35"})
    void aPeerThatIsNotReadyKeepsItsState(QpState state) {
        Pair pair = rightIn(QpType.RC, state, o -> o.timeout(silentPeerTimeout()).retry(1));
        assertNoResponse(pair);
        pair.right().assertStays(state);
        right.assertNoAsync();
    }

    @ParameterizedTest
    @CsvSource({"MTU_256, MTU_1024, 600", "MTU_1024, MTU_256, 600", "MTU_1024, MTU_256, 2000",
        "MTU_4096, MTU_2048, 2049"})
    @Catalogue("F45")
    void messagesThatDoNotFitThePeersMtuAreInvalid(Mtu sender, Mtu receiver, int length) {
        Pair pair = rcPair(o -> apart(o).left(l -> l.mtu(sender)).right(r -> r.mtu(receiver)));
        Region sink = right.region(4096);
        pair.right().postRecv(recv(sink.sge()).id(5), recv().id(6));
        pair.left().post(send(left.region(length).fill(1).sge()).id(1), message(pair, 2));
        expect(pair.left().awaitSend()).status(WcStatus.REM_INV_REQ_ERR).id(1);
        assertFlushed(pair.left().sendCq(), 2);
        // the receive may have been in use
        expect(pair.right().awaitRecv()).status(WcStatus.WR_FLUSH_ERR, WcStatus.LOC_LEN_ERR,
                WcStatus.REM_INV_REQ_ERR).id(5);
        assertFlushed(pair.right().recvCq(), 6);
        pair.left().awaitState(QpState.ERR);
        pair.right().awaitState(QpState.ERR);
    }

    @ParameterizedTest
    @CsvSource({"MTU_256, MTU_4096, 256", "MTU_4096, MTU_256, 256", "MTU_1024, MTU_512, 0"})
    @Catalogue("F45")
    void messagesOfOnePacketThatFitsBothMtusArrive(Mtu sender, Mtu receiver, int length) {
        Pair pair = rcPair(o -> apart(o).left(l -> l.mtu(sender)).right(r -> r.mtu(receiver)));
        Region sink = right.region(256);
        pair.right().postRecv(recv(sink.sge()).id(5));
        pair.left().succeed(send(left.region(256).fill(1).sge(0, length)));
        expect(pair.right().awaitRecv()).success().id(5).bytes(length);
        sink.assertHolds(0, length, 1);
    }

    /** Connects queue pairs with these P_Keys, at different indices of the tables. */
    private Pair partitioned(int leftKey, int rightKey, UnaryOperator<PairOptions> options) {
        requires(left, Ability.PORT_CONTROL);
        requires(right, Ability.PORT_CONTROL);
        left.end().setPkey(Side.PORT, 5, leftKey);
        right.end().setPkey(Side.PORT, 6, rightKey);
        left.drainAsync();
        right.drainAsync();
        return rcPair(o -> options.apply(o).left(l -> l.pkeyIndex(5)).right(r -> r.pkeyIndex(6)));
    }

    @ParameterizedTest
    @CsvSource({"0x8001, 0x8002", "0x0001, 0x0001", "0x0001, 0x8002", "0xffff, 0x8001"})
    @Catalogue("F33")
    void requestsOfAnotherPartitionAreNotAcknowledged(String leftKey, String rightKey) {
        Pair pair = partitioned(Integer.decode(leftKey), Integer.decode(rightKey), this::silentPeer);
        new Inbox(pair.right()).post(1);
        assertNoResponse(pair);
        assertPeerUnchanged(pair);
    }

    @ParameterizedTest
    @CsvSource({"0x8001, 0x8001", "0x0001, 0x8001", "0x8001, 0x0001"})
    @Catalogue("F33")
    void partitionsWithAFullMemberMatchForAnyPkeyIndex(String leftKey, String rightKey) {
        Pair pair = partitioned(Integer.decode(leftKey), Integer.decode(rightKey), this::apart);
        Inbox inbox = new Inbox(pair.right()).post(1);
        deliver(pair, 1);
        inbox.assertReceives(0, 1);
    }
}
