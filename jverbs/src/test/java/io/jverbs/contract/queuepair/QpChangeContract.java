package io.jverbs.contract.queuepair;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.QpAttribute;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.QpOptions;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.RemoteOp;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.end.ControlCommands.Ability;
import io.jverbs.contract.end.QpAttr;
import io.jverbs.contract.fixture.Catalogue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests attributes that change while a queue pair is connected: the new value is used, a refused one is not. */
final class QpChangeContract extends QpStates {

    @ParameterizedTest
    @EnumSource
    @Catalogue({"D11", "D16"})
    void rightsRemovedInRtsAreRefused(RemoteOp operation) {
        Pair pair = rcPair();
        Region target = right.region(64);
        pair.left().succeed(operation.on(target, left.region(8).sge()));
        target.store(0, 0);
        pair.right().modify(QpAttr.none().access(QpOptions.REMOTE_ALL & ~operation.right()));
        expect(pair.left().execute(operation.on(target, left.region(8).fill(1).sge())))
                .status(WcStatus.REM_INV_REQ_ERR, WcStatus.REM_ACCESS_ERR);
        target.assertZero();
    }

    @ParameterizedTest
    @EnumSource
    @Catalogue({"D11", "D16"})
    void rightsAddedInRtsAreGranted(RemoteOp operation) {
        Pair pair = rcPair(o -> o.right(r -> r.access(0)));
        pair.right().modify(QpAttr.none().access(operation.right()));
        pair.left().succeed(operation.on(right.region(64), left.region(8).sge()));
    }

    @Test
    @Catalogue({"D11", "D16"})
    void aRefusedModifyChangesNothing() {
        Pair pair = rcPair();
        QpAttr noRights = QpAttr.none().access(0);
        // one attribute too many, and one value out of range
        assertErrno(Errno.EINVAL, () -> pair.right().modify(noRights.timeout(5)));
        assertErrno(Errno.EINVAL, () -> pair.right().modify(noRights.minRnrTimer(32)));
        assertErrno(Errno.EINVAL, () -> pair.right().modify(noRights.state(QpState.INIT).pkeyIndex(0)));
        for (RemoteOp operation : RemoteOp.values()) {
            pair.left().succeed(operation.on(right.region(64), left.region(8).sge()));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"RTS", "SQD"})
    @Catalogue({"D11", "D16"})
    void aQkeyChangesWhileDatagramsAreExchanged(QpState state) {
        Pair pair = rightIn(QpType.UD, state);
        Inbox inbox = new Inbox(pair.right()).post(2);
        deliver(pair, 1);
        inbox.assertReceives(0, 1);
        pair.right().modify(QpAttr.none().qkey(0x3333_3333));
        deliver(pair, 2);
        int ah = pair.toRight();
        expect(pair.left().execute(message(pair, 3).to(ah, pair.right().number(), 0x3333_3333))).success();
        inbox.assertReceives(1, 3);
    }

    @Test
    @Catalogue("D11")
    void aPathChangedInSqdIsUsedAfterwards() {
        Pair pair = rcPair(o -> o.timeout(silentPeerTimeout()).retry(1));
        pair.left().modify(QpState.SQD);
        pair.left().awaitDrained();
        pair.left().modify(QpAttr.to(QpState.SQD).av(left.pathTo(right).toBuilder().destination(nowhere()).build()));
        pair.left().modify(QpState.RTS);
        Inbox inbox = new Inbox(pair.right()).post(1);
        expect(pair.left().execute(message(pair, 1))).status(WcStatus.RETRY_EXC_ERR);
        inbox.assertEmpty();
    }

    /** Returns an unused address of the family of the local address. */
    private Gid nowhere() {
        return Gid.parse(left.gid().isIpv4Mapped() ? "198.51.100.77" : "fe80::dead:beef");
    }

    @Test
    @Catalogue("D11")
    void retriesChangedInSqdAreUsedAfterwards() {
        Pair pair = rcPair(o -> o.rnrRetry(7).minRnrTimer(1));
        pair.left().modify(QpState.SQD);
        pair.left().awaitDrained();
        pair.left().modify(QpAttr.none().rnrRetry(0));
        pair.left().modify(QpState.RTS);
        expect(pair.left().execute(message(pair, 1))).status(WcStatus.RNR_RETRY_EXC_ERR);
    }

    @Test
    @Catalogue("D11")
    void maxDestRdAtomicChangedInSqdIsUsedAfterwards() {
        Pair pair = rcPair();
        Region target = right.region(64).fill(1);
        pair.right().modify(QpState.SQD);
        pair.right().awaitDrained();
        pair.right().modify(QpAttr.none().maxDestRdAtomic(0));
        pair.right().modify(QpState.RTS);
        expect(pair.left().execute(read(target, left.region(64).sge()))).status(WcStatus.REM_INV_REQ_ERR);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D11")
    void theLastPkeyIndexIsUsed(QpType type) {
        requires(left, Ability.PORT_CONTROL);
        requires(right, Ability.PORT_CONTROL);
        left.end().setPkey(Side.PORT, 3, 0x8123);
        right.end().setPkey(Side.PORT, 5, 0x8123);
        Pair pair = pair(type, o -> apart(o).upTo(QpState.INIT));
        pair.left().modify(QpAttr.none().pkeyIndex(3));
        pair.right().modify(pair.right().options().rtrAttributes(type, right, pair.left()).pkeyIndex(5));
        pair.left().toRtr(pair.right()).toRts();
        assertEquals(3, pair.left().query().number(QpAttribute.PKEY_INDEX));
        assertEquals(5, pair.right().query().number(QpAttribute.PKEY_INDEX));
        Inbox inbox = new Inbox(pair.right()).post(1);
        deliver(pair, 1);
        inbox.assertReceives(0, 1);
    }

    @ParameterizedTest
    @EnumSource(names = {"INIT", "RTR"})
    @Catalogue("D11")
    void rightsSetBeforeRtsReplaceTheEarlierOnes(QpState last) {
        Pair pair = rcPair(o -> o.right(r -> r.access(0).upTo(QpState.INIT)));
        Qp responder = pair.right();
        if (last == QpState.INIT) {
            responder.modify(QpAttr.none().access(Access.REMOTE_WRITE));
            responder.toRtr(pair.left());
        } else {
            responder.modify(responder.options().rtrAttributes(QpType.RC, right, pair.left())
                    .access(Access.REMOTE_WRITE));
        }
        Region target = right.region(64);
        pair.left().succeed(write(target, left.region(64).fill(1).sge()));
        target.assertHolds(1);
        expect(pair.left().execute(read(target, left.region(64).sge())))
                .status(WcStatus.REM_INV_REQ_ERR, WcStatus.REM_ACCESS_ERR);
    }
}
