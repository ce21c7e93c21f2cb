package io.jverbs.contract.unreliable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.Errno;
import io.jverbs.Mtu;
import io.jverbs.QpAttribute;
import io.jverbs.QpState;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.PairOptions;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.Srq;
import io.jverbs.contract.end.QpAttr;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Sge;
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.fixture.Catalogue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests UC: a completion only means that the message was sent; messages that cannot be delivered are dropped silently.
 */
final class UnreliableConnectionContract extends VerbsContract {

    private PairOptions apart(PairOptions options) {
        return options.left(o -> o.separateCqs(left)).right(o -> o.separateCqs(right));
    }

    @Test
    @Catalogue("G1")
    void aSendSucceedsWithoutAPeer() {
        Pair pair = ucPair();
        pair.right().destroy();
        expect(pair.left().execute(send(left.region(64).sge()).id(4))).success().id(4);
        pair.left().assertStays(QpState.RTS);
    }

    @Test
    @Catalogue("G1")
    void aSendToAWrongQpnSucceedsAndIsDropped() {
        Pair pair = ucPair(o -> apart(o).left(l -> l.destQpn(0xABCDEF)));
        pair.right().postRecv(recv(right.region(64).sge()));
        expect(pair.left().execute(send(left.region(64).sge()))).success();
        assertNoCompletion(pair.right().recvCq());
    }

    @ParameterizedTest
    @EnumSource(names = {"RDMA_READ", "COMP_SWAP", "FETCH_ADD"})
    @Catalogue("G2")
    void readsAndAtomicsAreRefused(WcOpcode kind) {
        Pair pair = ucPair();
        Region remote = right.region(8);
        Region local = left.region(8);
        SendSpec request = switch (kind) {
            case RDMA_READ -> read(remote, local.sge());
            case COMP_SWAP -> compareAndSwap(remote, 0, 1, local.sge());
            default -> fetchAndAdd(remote, 1, local.sge());
        };
        assertEquals(Errno.EINVAL.code(), pair.left().tryPost(request).errno());
        remote.assertZero();
        assertDelivers(pair);
    }

    @ParameterizedTest
    @EnumSource(names = {"TIMEOUT", "RETRY_CNT", "RNR_RETRY", "MAX_QP_RD_ATOMIC"})
    @Catalogue("G2")
    void retryAttributesAreRefused(QpAttribute attribute) {
        Pair pair = ucPair(o -> o.upTo(QpState.RTR));
        QpAttr toRts = pair.left().options().rtsAttributes(pair.left().type());
        assertErrno(Errno.EINVAL, () -> pair.left().modify(toRts.with(attribute, 1)));
        assertEquals(QpState.RTR, pair.left().state());
    }

    @Test
    @Catalogue("G3")
    void aSendWithoutReceiveIsDroppedAndTheNextOneArrives() {
        Pair pair = ucPair(this::apart);
        expect(pair.left().execute(send(left.region(64).fill(1).sge()))).success();
        assertLost(pair.right().recvCq());
        pair.right().assertStays(QpState.RTS);
        assertDelivers(pair);
    }

    @Test
    @Catalogue("G4")
    void aWriteNeedsNoReceive() {
        Pair pair = ucPair();
        Region target = right.region(3000);
        pair.left().succeed(write(target, left.region(3000).fill(5).sge()));
        assertDelivers(pair);
        target.assertHolds(5);
    }

    @Test
    @Catalogue("G4")
    void aWriteWithImmediateWithoutReceiveGeneratesNoCompletionAtThePeer() {
        Pair pair = ucPair(this::apart);
        Region target = right.region(64);
        expect(pair.left().execute(writeImm(9, target, left.region(64).fill(5).sge()))).success();
        assertLost(pair.right().recvCq());
        pair.right().assertStays(QpState.RTS);
        pair.right().postRecv(recv().id(3));
        pair.left().succeed(writeImm(10, target, left.region(64).fill(6).sge()));
        expect(pair.right().awaitRecv()).success().id(3).opcode(WcOpcode.RECV_RDMA_WITH_IMM).immediate(10).bytes(64);
        target.assertHolds(6);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 0x7FFFFF, 0xFFFFFF})
    @Catalogue("G6")
    void aFirstPacketStartsAMessageWithAnyPsn(int gap) {
        Pair pair = ucPair(o -> o.left(l -> l.psn(gap)).right(r -> r.rqPsn(0)));
        assertDelivers(pair);
    }

    @Test
    @Catalogue("G7")
    void aWriteWithoutRightIsDropped() {
        Pair pair = ucPair();
        Region closed = right.region(64, Access.LOCAL_WRITE);
        expect(pair.left().execute(write(closed, left.region(64).fill(1).sge()))).success();
        expect(pair.left().execute(SendSpec.write(closed.address(), 0x12345678, left.region(64).fill(1).sge())))
                .success();
        assertDelivers(pair);
        closed.assertZero();
        pair.right().assertStays(QpState.RTS);
        right.assertNoAsync();
    }

    @Test
    @Catalogue("G7")
    void aWriteToAQueuePairThatGrantsNoWriteIsDropped() {
        Pair pair = ucPair(o -> o.right(r -> r.access(0)));
        Region target = right.region(64);
        expect(pair.left().execute(write(target, left.region(64).fill(1).sge()))).success();
        assertDelivers(pair);
        target.assertZero();
    }

    @Test
    @Catalogue("G8")
    void aMessageThatIsTooLongLeavesTheReceiveForTheNextOne() {
        Pair pair = ucPair(this::apart);
        Region sink = right.region(64);
        pair.right().postRecv(recv(sink.sge(0, 32)).id(11));
        expect(pair.left().execute(send(left.region(33).sge()))).success();
        pair.left().succeed(send(left.region(32).fill(8).sge()));
        expect(pair.right().awaitRecv()).success().id(11).bytes(32);
        sink.assertHolds(0, 32, 8);
    }

    @Test
    @Catalogue("G8")
    void aMessageThatIsTooLongForASharedReceiveCompletesItInError() {
        Srq srq = right.srq(4, 1);
        Pair pair = ucPair(o -> apart(o).right(r -> r.srq(srq)));
        srq.post(recv(right.region(16).sge()).id(21));
        expect(pair.left().execute(send(left.region(17).sge()))).success();
        expect(pair.right().awaitRecv()).status(WcStatus.LOC_LEN_ERR).id(21);
    }

    @Test
    @Catalogue("G9")
    void aReceiveThatMayNotBeWrittenFailsItsQueuePair() {
        Pair pair = ucPair(this::apart);
        Region readOnly = right.region(64, 0);
        pair.right().postRecv(recv(readOnly.sge()).id(31), recv().id(32));
        expect(pair.left().execute(send(left.region(64).sge()))).success();
        expect(pair.right().awaitRecv()).status(WcStatus.LOC_PROT_ERR).id(31);
        assertFlushed(pair.right().recvCq(), 32);
        pair.right().awaitState(QpState.ERR);
        pair.left().assertStays(QpState.RTS);
    }

    @Test
    @Catalogue("G11")
    void packetsOfAnotherMtuAreDropped() {
        Pair pair = ucPair(o -> apart(o).left(l -> l.mtu(Mtu.MTU_512)).right(r -> r.mtu(Mtu.MTU_1024)));
        Region target = right.region(2048);
        expect(pair.left().execute(write(target, left.region(2048).fill(1).sge()))).success();
        assertDelivers(pair);
        target.assertZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Catalogue("G12")
    void anElementWithoutRightStopsTheSendQueueOnly(boolean behindAnother) {
        Pair pair = ucPair(this::apart);
        Region good = left.region(64);
        SendSpec bad = SendSpec.send(Sge.raw(good.address(), 64, 0x0BADBAD0)).id(41);
        Region sink = left.region(64);
        pair.left().postRecv(recv(sink.sge()).id(43));
        if (behindAnother) {
            pair.left().post(send(good.sge()).id(40), bad, send(good.sge()).id(42));
        } else {
            pair.left().post(bad, send(good.sge()).id(42));
        }
        expect(pair.left().awaitSend()).status(WcStatus.LOC_PROT_ERR).id(41);
        assertFlushed(pair.left().sendCq(), 42);
        // rxe moves to ERR
        QpState state = pair.left().state();
        if (state == QpState.SQE) {
            pair.right().succeed(send(right.region(64).fill(3).sge()));
            expect(pair.left().awaitRecv()).success().id(43);
            sink.assertHolds(3);
        } else {
            assertEquals(QpState.ERR, state);
        }
    }

    @Test
    @Catalogue("G13")
    void messagesArriveInOrder() {
        Pair pair = ucPair(o -> apart(o).wrs(32, 32));
        Region sink = right.region(16 * 8);
        for (int i = 0; i < 16; i++) {
            pair.right().postRecv(recv(sink.sge(8L * i, 8)).id(i));
        }
        Region source = left.region(16 * 8);
        for (int i = 0; i < 16; i++) {
            source.store(8L * i, 1000 + i);
            pair.left().post(send(source.sge(8L * i, 8)).id(i).signaled());
        }
        assertIds(pair.left().sendCq().await(16), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        assertIds(pair.right().recvCq().await(16), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        for (int i = 0; i < 16; i++) {
            assertEquals(1000 + i, sink.load(8L * i));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1023, 1024, 1025, 2048, 2049, 1 << 20})
    @Catalogue("G14")
    void withoutLossEveryLengthArrives(int length) {
        Pair pair = ucPair(this::apart);
        Region source = left.region(Math.max(1, length)).fill(length);
        Region sink = right.region(Math.max(1, length));
        pair.right().postRecv(recv(sink.sge(0, length)).id(51));
        pair.left().succeed(sendImm(7, source.sge(0, length)));
        Wc received = expect(pair.right().awaitRecv()).success().id(51).bytes(length).immediate(7).wc();
        assertEquals(pair.right().number(), received.qpNumber());
        sink.assertHolds(0, length, length);
    }
}
