package io.jverbs.contract.device;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.QpState;
import io.jverbs.WcStatus;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.RemoteOp;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.dsl.Srq;
import io.jverbs.contract.end.Infos.PostResult;
import io.jverbs.contract.end.MrSpec;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.fixture.Catalogue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the separation of protection domains. */
final class ProtectionDomainContract extends VerbsContract {

    private static Region regionInAnotherDomain(Side side) {
        return side.region(MrSpec.of(side.newPd(), 64, Side.ALL_ACCESS));
    }

    @Test
    @Catalogue("B3")
    void aSendFromARegionOfAnotherDomainFailsLocally() {
        Pair pair = rcPair();
        Region sink = right.region(64);
        pair.right().postRecv(recv(sink.sge()));
        expect(pair.left().execute(send(regionInAnotherDomain(left).fill(1).sge()).id(3)))
                .status(WcStatus.LOC_PROT_ERR).id(3);
        pair.left().awaitState(QpState.ERR);
        pair.right().assertStays(QpState.RTS);
        assertNoCompletion(pair.right().recvCq());
        sink.assertZero();
    }

    @Test
    @Catalogue("B3")
    void aReadIntoARegionOfAnotherDomainFailsLocally() {
        Pair pair = rcPair();
        Region sink = regionInAnotherDomain(left);
        Region source = right.region(64).fill(1);
        expect(pair.left().execute(read(source, sink.sge()))).status(WcStatus.LOC_PROT_ERR);
        pair.left().awaitState(QpState.ERR);
        pair.right().assertStays(QpState.RTS);
        sink.assertZero();
    }

    @ParameterizedTest
    @EnumSource
    @Catalogue("B4")
    void aRemoteRegionOfAnotherDomainIsRefused(RemoteOp operation) {
        Pair pair = rcPair();
        Region local = left.region(8).fill(1);
        Region target = regionInAnotherDomain(right);
        expect(pair.left().execute(operation.on(target, local.sge()))).status(WcStatus.REM_ACCESS_ERR);
        pair.left().awaitState(QpState.ERR);
        pair.right().awaitState(QpState.ERR);
        target.assertZero();
        local.assertHolds(1);
    }

    @Test
    @Catalogue("B5")
    void aDatagramWithAnAddressHandleOfAnotherDomainIsNotDelivered() {
        Pair pair = udPair();
        Region source = left.region(64).fill(1);
        Region sink = right.region(104);
        int foreign = left.end().createAh(left.newPd(), left.pathTo(right));
        pair.right().postRecv(recv(sink.sge()));
        SendSpec datagram = pair.toRight(send(source.sge())).to(foreign, pair.right().number(),
                pair.right().options().qkey()).signaled();
        PostResult posted = pair.left().tryPost(datagram);
        if (posted.ok()) {
            // with SUCCESS, the datagram counts as sent and is dropped
            expect(pair.left().awaitSend()).status(WcStatus.LOC_QP_OP_ERR, WcStatus.SUCCESS);
        }
        assertNoCompletion(pair.right().recvCq());
        sink.assertZero();
    }

    /** Returns a connection whose right queue pair uses a shared receive queue of another domain. */
    private Pair withForeignSrq(Srq srq) {
        return rcPair(o -> o.right(r -> r.srq(srq)));
    }

    @Test
    @Catalogue("B6")
    void aSharedReceiveQueueOfAnotherDomainReceivesIntoItsOwnDomain() {
        int pd = right.newPd();
        Srq srq = right.srq(pd, 4, 1);
        Pair pair = withForeignSrq(srq);
        Region sink = right.region(MrSpec.of(pd, 64, Side.ALL_ACCESS));
        srq.post(recv(sink.sge()).id(6));
        pair.left().succeed(send(left.region(64).fill(2).sge()));
        expect(pair.right().awaitRecv()).success().id(6).bytes(64).qp(pair.right());
        sink.assertHolds(2);
    }

    @Test
    @Catalogue("B6")
    void aSharedReceiveQueueOfAnotherDomainDoesNotReceiveIntoTheQueuePairsDomain() {
        Srq srq = right.srq(right.newPd(), 4, 1);
        Pair pair = withForeignSrq(srq);
        Region sink = right.region(64);
        srq.post(recv(sink.sge()).id(6));
        expect(pair.left().execute(send(left.region(64).fill(2).sge()))).status(WcStatus.REM_OP_ERR);
        Wc wc = pair.right().awaitRecv();
        expect(wc).status(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR).id(6);
        sink.assertZero();
    }

    @Test
    @Catalogue("B6")
    void remoteKeysAreCheckedAgainstTheQueuePairsDomainNotTheSharedReceiveQueues() {
        int pd = right.newPd();
        Pair pair = withForeignSrq(right.srq(pd, 4, 1));
        Region source = left.region(64).fill(3);
        Region own = right.region(64);
        pair.left().succeed(write(own, source.sge()));
        own.assertHolds(3);
        Region foreign = right.region(MrSpec.of(pd, 64, Side.ALL_ACCESS));
        expect(pair.left().execute(write(foreign, source.sge()))).status(WcStatus.REM_ACCESS_ERR);
        foreign.assertZero();
        assertEquals(QpState.ERR, pair.left().state());
    }
}
