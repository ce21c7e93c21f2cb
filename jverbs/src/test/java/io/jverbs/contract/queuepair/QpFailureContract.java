package io.jverbs.contract.queuepair;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.fixture.Catalogue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests which queue pair fails by which error, and SQE, the state of a failed send queue. */
final class QpFailureContract extends QpStates {

    /** The error of a request on an RC connection: first the errors of the requester, then those of the responder. */
    enum Fault {
        SOURCE_UNKNOWN,
        WRITE_SOURCE_UNKNOWN,
        SINK_NOT_WRITABLE,
        INVALIDATED_KEY_UNKNOWN,
        NO_RIGHT_TO_WRITE,
        NO_RIGHT_TO_READ,
        NO_RIGHT_TO_ADD,
        REMOTE_KEY_UNKNOWN,
        TOO_LONG_FOR_THE_RECEIVE;

        boolean isLocal() {
            return compareTo(INVALIDATED_KEY_UNKNOWN) <= 0;
        }
    }

    private SendSpec request(Fault fault) {
        Region local = left.region(8);
        Region good = right.region(64);
        Region withoutRights = right.region(64, Access.LOCAL_WRITE);
        return switch (fault) {
            case SOURCE_UNKNOWN -> send(garbage());
            case WRITE_SOURCE_UNKNOWN -> write(good, garbage());
            case SINK_NOT_WRITABLE -> read(good, left.region(8, Access.REMOTE_READ).sge());
            case INVALIDATED_KEY_UNKNOWN -> SendSpec.localInvalidate(GARBAGE_KEY);
            case NO_RIGHT_TO_WRITE -> write(withoutRights, local.sge());
            case NO_RIGHT_TO_READ -> read(withoutRights, local.sge());
            case NO_RIGHT_TO_ADD -> fetchAndAdd(withoutRights, 1, local.sge());
            case REMOTE_KEY_UNKNOWN -> SendSpec.write(good.address(), GARBAGE_KEY, local.sge());
            case TOO_LONG_FOR_THE_RECEIVE -> send(left.region(4096).sge());
        };
    }

    @ParameterizedTest
    @EnumSource
    @Catalogue("D30")
    void aLocalErrorFailsTheRequesterAndARemoteErrorBothQueuePairs(Fault fault) {
        Pair pair = rcPair(this::apart);
        Inbox inbox = new Inbox(pair.right()).post(1);
        expect(pair.left().execute(request(fault).id(30))).error().id(30);
        pair.left().awaitState(QpState.ERR);
        if (!fault.isLocal()) {
            pair.right().awaitState(QpState.ERR);
            expect(pair.right().awaitRecv()).error().id(0);
            return;
        }
        right.assertNoAsync();
        pair.right().recvCq().assertEmpty();
        assertEquals(QpState.RTS, pair.right().state());
        if (fault != Fault.SINK_NOT_WRITABLE) {
            // the requester sent no packet, so the peer still expects the first PSN
            pair.left().modify(QpState.RESET);
            pair.left().connect(pair.right());
            deliver(pair, 1);
            inbox.assertReceives(0, 1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    @Catalogue("D33")
    void aFailedUnreliableSendMovesThePairToSendQueueError(QpType type) {
        Pair pair = pair(type, this::apart);
        expect(pair.left().execute(from(pair, pair.left(), send(garbage())).id(33)))
                .status(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR).id(33).qp(pair.left());
        // one known device moves to ERR instead
        QpState reached = awaitOneOf(pair.left(), QpState.SQE, QpState.ERR);
        left.assertNoAsync();
        assertEquals(reached, pair.left().state());
        assertEquals(QpState.RTS, pair.right().state());
    }

    @Test
    @Catalogue("D33")
    void aFailedUnreliableWriteMovesThePairToSendQueueError() {
        Pair pair = ucPair(this::apart);
        Region target = right.region(64);
        expect(pair.left().execute(write(target, garbage()))).status(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR);
        awaitOneOf(pair.left(), QpState.SQE, QpState.ERR);
        target.assertZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    @Catalogue("D33")
    void aQueuePairInSqeStillReceives(QpType type) {
        Pair pair = pair(type, this::apart);
        Inbox inbox = new Inbox(pair.left()).post(1);
        breakSendQueue(pair, pair.left());
        // receives posted before the failure are neither flushed nor lost
        pair.left().recvCq().assertQuiet();
        inbox.post(1);
        for (int i = 0; i < 2; i++) {
            expect(pair.right().execute(message(pair, pair.right(), i))).success();
            inbox.assertReceives(i, i);
        }
        assertEquals(QpState.SQE, pair.left().state());
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    @Catalogue("D33")
    void aQueuePairSendsAgainAfterSqeToRts(QpType type) {
        Pair pair = pair(type, this::apart);
        Inbox inbox = new Inbox(pair.right()).post(8);
        deliver(pair, 10);
        inbox.assertReceives(0, 10);
        for (int i = 1; i < 4; i++) {
            breakSendQueue(pair, pair.left());
            pair.left().post(message(pair, 99));
            assertFlushed(pair.left().sendCq(), 99);
            pair.left().modify(QpState.RTS);
            deliver(pair, 10 + i);
            inbox.assertReceives(i, 10 + i);
        }
        pair.left().sendCq().assertQuiet();
        pair.right().recvCq().assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    @Catalogue("D33")
    void aSendQueueThatFailsWhileItDrainsEntersAnErrorState(QpType type) {
        Pair pair = leftIn(type, QpState.SQD);
        pair.left().post(from(pair, pair.left(), send(garbage())).id(1), message(pair, 2));
        pair.left().sendCq().assertQuiet();
        pair.left().modify(QpState.RTS);
        expect(pair.left().awaitSend()).status(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR).id(1);
        assertFlushed(pair.left().sendCq(), 2);
        awaitOneOf(pair.left(), QpState.SQE, QpState.ERR);
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    @Catalogue({"D27", "D33"})
    void receivesFlushFromSqeToErr(QpType type) {
        Pair pair = pair(type, this::apart);
        Qp qp = pair.left();
        new Inbox(qp).post(2);
        breakSendQueue(pair, qp);
        qp.modify(QpState.ERR);
        assertFlushed(qp.recvCq(), 0, 1);
        qp.sendCq().assertQuiet();
    }

    @Test
    @Catalogue("D33")
    void anRcQueuePairCannotReturnFromErrToRts() {
        Pair pair = rcPair();
        expect(pair.left().execute(send(garbage()))).error();
        pair.left().awaitState(QpState.ERR);
        assertVerbsFailure(() -> pair.left().modify(QpState.RTS));
        pair.left().assertStays(QpState.ERR);
    }
}
