package io.jverbs.contract.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.AsyncEventType;
import io.jverbs.QpState;
import io.jverbs.WcStatus;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.RemoteOp;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.Infos.AsyncInfo;
import io.jverbs.contract.end.MrSpec;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Sge;
import io.jverbs.contract.fixture.Catalogue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests cells of the error matrix beyond {@link ErrorMatrixContract}: both queues, both states and the events of an
 * error.
 */
final class ErrorMatrixDetailContract extends QpStates {

    /**
     * Asserts that the request fails, that two requests behind it are flushed and not executed, and that the queue pair
     * is in ERR.
     */
    private void assertFails(Pair pair, SendSpec request, WcStatus status) {
        Region untouched = right.region(8);
        Region ones = left.region(8).store(0, -1);
        pair.left().post(request.id(1), write(untouched, ones.sge()).id(2).signaled(),
                write(untouched, ones.sge()).id(3));
        expect(pair.left().awaitSend()).status(status).id(1).qp(pair.left());
        assertFlushed(pair.left().sendCq(), 2, 3);
        pair.left().awaitState(QpState.ERR);
        pair.left().sendCq().assertQuiet();
        untouched.assertZero();
        left.assertNoAsync();
    }

    private void assertOneEvent(Pair pair, AsyncEventType type) {
        AsyncInfo event = right.awaitAsync(End.MAIN, type);
        assertEquals(pair.right().id(), event.qp());
        right.assertNoAsync();
    }

    /** Asserts that the receives of the peer are flushed, because no message used them. */
    private static void assertPeerFlushes(Pair pair) {
        pair.right().awaitState(QpState.ERR);
        assertFlushed(pair.right().recvCq(), 0, 1);
        pair.right().recvCq().assertQuiet();
    }

    @ParameterizedTest
    @EnumSource
    @Catalogue({"F35", "F40"})
    void aRegionOfAnotherDomainFailsBothEnds(RemoteOp operation) {
        Pair pair = rcPair(this::apart);
        Inbox inbox = new Inbox(pair.right()).post(2);
        Region foreign = right.region(MrSpec.of(right.newPd(), 8, Side.ALL_ACCESS));
        Region local = left.region(8).store(0, 7);
        assertFails(pair, operation.on(foreign, local.sge()), WcStatus.REM_ACCESS_ERR);
        assertPeerFlushes(pair);
        assertOneEvent(pair, AsyncEventType.QP_ACCESS_ERR);
        foreign.assertZero();
        assertEquals(7, local.load(0));
        inbox.assertEmpty();
    }

    @ParameterizedTest
    @CsvSource({"WRITE, -8", "WRITE, 60", "READ, -8", "READ, 60", "COMPARE_AND_SWAP, -8", "COMPARE_AND_SWAP, 64",
        "FETCH_AND_ADD, -8", "FETCH_AND_ADD, 64"})
    @Catalogue({"F35", "F40"})
    void aRangeOutsideTheRegionFailsBothEnds(RemoteOp operation, long offset) {
        Pair pair = rcPair(this::apart);
        new Inbox(pair.right()).post(2);
        Region target = right.region(64);
        Region local = left.region(8).store(0, 7);
        assertFails(pair, operation.spec(target.at(offset), target.rkey(), local.sge()), WcStatus.REM_ACCESS_ERR);
        assertPeerFlushes(pair);
        assertOneEvent(pair, AsyncEventType.QP_ACCESS_ERR);
        target.assertZero();
        assertEquals(7, local.load(0));
    }

    @ParameterizedTest
    @ValueSource(ints = {65, 128, 5000})
    @Catalogue("F35")
    void aMessageTooLongForItsReceiveRaisesNoEvent(int length) {
        Pair pair = rcPair(this::apart);
        Inbox inbox = new Inbox(pair.right()).post(2);
        assertFails(pair, send(left.region(length).fill(1).sge()), WcStatus.REM_INV_REQ_ERR);
        // rxe reports the receive as an invalid request
        expect(pair.right().awaitRecv()).status(WcStatus.LOC_LEN_ERR, WcStatus.REM_INV_REQ_ERR).id(0)
                .qp(pair.right());
        assertFlushed(pair.right().recvCq(), 1);
        pair.right().awaitState(QpState.ERR);
        right.assertNoAsync();
        if (length < 1024) {
            // a message of one packet is refused as a whole
            inbox.assertEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bad key", "no right to write", "beyond the region", "another domain"})
    @Catalogue("F35")
    void aReceiveThatCannotBeWrittenRaisesNoEvent(String fault) {
        Pair pair = rcPair(this::apart);
        Region region = right.region(MESSAGE);
        Sge sink = switch (fault) {
            case "bad key" -> Sge.raw(region.address(), MESSAGE, GARBAGE_KEY);
            case "no right to write" -> right.region(MESSAGE, Access.REMOTE_READ).sge();
            case "beyond the region" -> region.sge(1, MESSAGE);
            default -> right.region(MrSpec.of(right.newPd(), MESSAGE, Access.LOCAL_WRITE)).sge();
        };
        pair.right().postRecv(recv(sink).id(0), recv().id(1));
        assertFails(pair, message(pair, 9), WcStatus.REM_OP_ERR);
        expect(pair.right().awaitRecv()).status(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR).id(0)
                .qp(pair.right());
        assertFlushed(pair.right().recvCq(), 1);
        pair.right().awaitState(QpState.ERR);
        right.assertNoAsync();
    }

    @Test
    @Catalogue({"F39", "F35"})
    void aReceiveLargerThanItsRegionIsCheckedForTheReceivedBytesOnly() {
        Pair pair = rcPair(this::apart);
        Region sink = right.region(MESSAGE);
        pair.right().postRecv(recv(sink.sge(0, 2 * MESSAGE)).id(0), recv(sink.sge(0, 2 * MESSAGE)).id(1));
        expect(pair.left().execute(message(pair, 9))).status(WcStatus.SUCCESS, WcStatus.REM_OP_ERR);
        if (expect(pair.right().awaitRecv()).id(0).status(WcStatus.SUCCESS, WcStatus.LOC_PROT_ERR).wc().success()) {
            sink.assertHolds(9);
            // one more byte leaves the region
            expect(pair.left().execute(send(left.region(MESSAGE + 1).sge()))).status(WcStatus.REM_OP_ERR);
            expect(pair.right().awaitRecv()).status(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR).id(1);
        }
    }
}
