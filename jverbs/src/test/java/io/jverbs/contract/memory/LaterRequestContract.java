package io.jverbs.contract.memory;

import io.jverbs.Access;
import io.jverbs.QpState;
import io.jverbs.WcStatus;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.RemoteOp;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.end.Sge;
import io.jverbs.contract.fixture.Catalogue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that the checks of keys, ranges and rights do not depend on what the queue pair has transferred before. The
 * other tests of these checks use the first request of a queue pair; a device can execute later ones by a shorter way.
 */
final class LaterRequestContract extends VerbsContract {
    private static final int REGION = 64;

    private void assertRefused(Pair pair, RemoteOp operation, long address, Region target,
            WcStatus... accepted) {
        Region local = left.region(RemoteOp.BYTES).fill(1);
        expect(pair.left().execute(operation.spec(address, target.rkey(), local.sge()))).status(accepted);
        pair.left().awaitState(QpState.ERR);
        pair.right().awaitState(QpState.ERR);
        target.assertZero();
        local.assertHolds(1);
    }

    @ParameterizedTest
    @EnumSource
    @Catalogue("B29")
    void aRightMissingOnTheRegionIsARemoteAccessError(RemoteOp operation) {
        Region target = right.region(REGION, Side.ALL_ACCESS & ~operation.right());
        Pair pair = rcPair();
        assertDelivers(pair);
        assertRefused(pair, operation, target.address(), target, WcStatus.REM_ACCESS_ERR);
    }

    @ParameterizedTest
    @EnumSource
    @Catalogue("B29")
    void aRightMissingOnTheQueuePairIsAnInvalidRequest(RemoteOp operation) {
        Region target = right.region(REGION);
        Pair pair = rcPair(o -> o.right(r -> r.access(Side.ALL_ACCESS & ~operation.right())));
        assertDelivers(pair);
        assertRefused(pair, operation, target.address(), target, WcStatus.REM_INV_REQ_ERR, WcStatus.REM_ACCESS_ERR);
    }

    @ParameterizedTest
    @CsvSource({"WRITE, -1", "WRITE, 57", "READ, -1", "READ, 57", "COMPARE_AND_SWAP, -8", "COMPARE_AND_SWAP, 64",
        "FETCH_AND_ADD, -8", "FETCH_AND_ADD, 64"})
    @Catalogue("B25")
    void aRangeThatLeavesTheRegionIsRefusedAndNothingIsWritten(RemoteOp operation, long offset) {
        Region target = right.region(REGION);
        Pair pair = rcPair();
        assertDelivers(pair);
        assertRefused(pair, operation, target.at(offset), target, WcStatus.REM_ACCESS_ERR);
    }

    @ParameterizedTest
    @CsvSource({"COMPARE_AND_SWAP, 1", "COMPARE_AND_SWAP, 4", "FETCH_AND_ADD, 2", "FETCH_AND_ADD, 7"})
    @Catalogue("F14")
    void anUnalignedAddressIsAnInvalidRequest(RemoteOp operation, long offset) {
        Region target = right.region(REGION);
        Pair pair = rcPair();
        assertDelivers(pair);
        assertRefused(pair, operation, target.at(offset), target, WcStatus.REM_INV_REQ_ERR);
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "COMPARE_AND_SWAP", "FETCH_AND_ADD"})
    @Catalogue("B31")
    void aResultNeedsLocalWriteOnItsRegion(RemoteOp operation) {
        Region sink = left.region(RemoteOp.BYTES, Access.REMOTE_READ).fill(1);
        Region target = right.region(REGION);
        Pair pair = rcPair();
        assertDelivers(pair);
        expect(pair.left().execute(operation.on(target, sink.sge()))).status(WcStatus.LOC_PROT_ERR);
        pair.left().awaitState(QpState.ERR);
        sink.assertHolds(1);
    }

    @ParameterizedTest
    @EnumSource
    @Catalogue("B26")
    void aLocalRangeThatLeavesItsRegionIsALocalProtectionError(RemoteOp operation) {
        Region local = left.region(RemoteOp.BYTES).fill(1);
        Region target = right.region(REGION);
        Pair pair = rcPair();
        assertDelivers(pair);
        Sge beyond = Sge.raw(local.address() + 1, RemoteOp.BYTES, local.lkey());
        expect(pair.left().execute(operation.on(target, beyond))).status(WcStatus.LOC_PROT_ERR);
        pair.left().awaitState(QpState.ERR);
        local.assertHolds(1);
    }

    @Test
    @Catalogue("F35")
    void aSendLongerThanItsReceiveFailsBothEnds() {
        Region sink = right.region(REGION);
        Pair pair = rcPair();
        assertDelivers(pair);
        pair.right().postRecv(recv(sink.sge(0, REGION - 1)));
        expect(pair.left().execute(send(left.region(REGION).fill(1).sge()))).status(WcStatus.REM_INV_REQ_ERR);
        // rxe reports the receive as an invalid request
        expect(pair.right().awaitRecv()).status(WcStatus.LOC_LEN_ERR, WcStatus.REM_INV_REQ_ERR);
        sink.assertZero();
    }

    @Test
    @Catalogue("F35")
    void aReceiveNeedsLocalWriteOnItsRegion() {
        Region sink = right.region(REGION, Access.REMOTE_READ);
        Pair pair = rcPair();
        assertDelivers(pair);
        pair.right().postRecv(recv(sink.sge()));
        expect(pair.left().execute(send(left.region(REGION).fill(1).sge()))).status(WcStatus.REM_OP_ERR);
        // rxe reports the receive as a local operation error
        expect(pair.right().awaitRecv()).status(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR);
        sink.assertZero();
    }
}
