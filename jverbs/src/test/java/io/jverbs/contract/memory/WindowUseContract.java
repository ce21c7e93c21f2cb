package io.jverbs.contract.memory;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.Errno;
import io.jverbs.MwType;
import io.jverbs.QpState;
import io.jverbs.SendFlags;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.RemoteOp;
import io.jverbs.contract.dsl.Window;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Sge;
import io.jverbs.contract.fixture.Catalogue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests use, invalidation and deallocation of memory windows. The right side owns the memory; the left side accesses
 * it.
 */
final class WindowUseContract extends VerbsContract {

    private static final int REGION = 4096;
    private static final int WINDOW_ACCESS = Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;

    /** Binds a window with all rights to bytes 1024 to 2047 of the region. */
    private static Window bound(Qp qp, Region region, MwType type) {
        return bound(qp, region, type, WINDOW_ACCESS);
    }

    private static Window bound(Qp qp, Region region, MwType type, int access) {
        Window window = qp.side().window(type);
        if (type == MwType.TYPE_1) {
            qp.side().end().bindMw(qp.id(), window.id(), 0, SendFlags.SIGNALED, region.range(1024, 1024, access));
            expect(qp.awaitSend()).success();
        } else {
            qp.succeed(window.bind(window.nextRkey(), region.range(1024, 1024, access)));
        }
        return window;
    }

    private SendSpec writeThrough(int rkey, Region region) {
        return SendSpec.write(region.at(1024), rkey, left.region(64).fill(1).sge());
    }

    private void assertKeyInvalid(Pair pair, int rkey, Region region) {
        region.fill(99);
        expect(pair.left().execute(writeThrough(rkey, region))).status(WcStatus.REM_ACCESS_ERR);
        region.assertHolds(99);
    }

    @ParameterizedTest(name = "{0} through {1}, {3} bytes at {2}")
    @CsvSource({"WRITE, TYPE_1, 1023, 8", "WRITE, TYPE_1, 2041, 8", "WRITE, TYPE_2, 1023, 8", "WRITE, TYPE_2, 2041, 8",
        "READ, TYPE_1, 1023, 8", "READ, TYPE_2, 2041, 8", "WRITE, TYPE_2, 1024, 1025", "FETCH_AND_ADD, TYPE_2, 2048, 8",
        "COMPARE_AND_SWAP, TYPE_1, 1016, 8"})
    @Catalogue("B25")
    void aRangeThatLeavesTheWindowIsRefused(RemoteOp operation, MwType type, long offset,
            int length) {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window window = bound(pair.right(), region, type);
        expect(pair.left().execute(operation.spec(region.at(offset), window.rkey(), left.region(length).fill(1).sge())))
                .status(WcStatus.REM_ACCESS_ERR);
        region.assertZero();
    }

    @ParameterizedTest
    @EnumSource
    @Catalogue("B29")
    void aRightMissingOnTheWindowIsARemoteAccessError(RemoteOp operation) {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window window = bound(pair.right(), region, MwType.TYPE_2, WINDOW_ACCESS & ~operation.right());
        expect(pair.left().execute(operation.spec(region.at(1024), window.rkey(), left.region(8).fill(1).sge())))
                .status(WcStatus.REM_ACCESS_ERR);
        region.assertZero();
    }

    @Test
    @Catalogue("B42")
    void aTypeOneWindowServesEveryQueuePairOfItsDomain() {
        Region region = right.region(REGION);
        Window window = bound(rcPair().right(), region, MwType.TYPE_1);
        rcPair().left().succeed(writeThrough(window.rkey(), region));
        region.assertHolds(1024, 64, 1);
        int foreign = right.newPd();
        Pair elsewhere = rcPair(o -> o.right(r -> r.pd(foreign)));
        assertKeyInvalid(elsewhere, window.rkey(), region);
    }

    @Test
    @Catalogue("B42")
    void aTypeTwoWindowServesOnlyTheQueuePairItWasBoundOn() {
        Region region = right.region(REGION);
        Pair owner = rcPair();
        Window window = bound(owner.right(), region, MwType.TYPE_2);
        assertKeyInvalid(rcPair(), window.rkey(), region);
        owner.left().succeed(writeThrough(window.rkey(), region));
        region.assertHolds(1024, 64, 1);
    }

    @ParameterizedTest
    @EnumSource(names = {"TYPE_1", "TYPE_2"})
    @Catalogue("B42")
    void theKeyOfAWindowIsNotALocalKey(MwType type) {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window window = bound(pair.right(), region, type);
        Region target = left.region(64);
        expect(pair.right().execute(write(target, Sge.raw(region.at(1024), 64, window.rkey()))))
                .status(WcStatus.LOC_PROT_ERR);
    }

    @Test
    @Catalogue("B43")
    void aLocalInvalidateClosesTheWindow() {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window window = bound(pair.right(), region, MwType.TYPE_2);
        int rkey = window.rkey();
        pair.left().succeed(writeThrough(rkey, region));
        expect(pair.right().succeed(SendSpec.localInvalidate(rkey))).opcode(WcOpcode.LOCAL_INV).qp(pair.right());
        assertEquals(6, WcOpcode.LOCAL_INV.code());
        assertKeyInvalid(pair, rkey, region);
        region.destroy();
    }

    @Test
    @Catalogue("B43")
    void anInvalidatedWindowIsBoundAgainUnderANewKey() {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window window = bound(pair.right(), region, MwType.TYPE_2);
        int old = window.rkey();
        pair.right().succeed(SendSpec.localInvalidate(old));
        int rkey = window.nextRkey();
        pair.right().succeed(window.bind(rkey, region.range(1024, 64, Access.REMOTE_WRITE)));
        pair.left().succeed(writeThrough(rkey, region));
        assertKeyInvalid(pair, old, region);
    }

    @Test
    @Catalogue("B43")
    void aLocalInvalidateOfAWrongKeyFailsThoughItIsNotSignaled() {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window window = bound(pair.right(), region, MwType.TYPE_2);
        pair.right().post(SendSpec.localInvalidate(window.nextRkey()).id(43));
        expect(pair.right().awaitSend()).error().id(43);
        pair.right().awaitState(QpState.ERR);
    }

    @Test
    @Catalogue("B43")
    void aLocalInvalidateOfAWindowThatIsNotBoundFailsThoughItIsNotSignaled() {
        Pair pair = rcPair();
        pair.right().post(SendSpec.localInvalidate(right.window(MwType.TYPE_2).rkey()).id(43));
        expect(pair.right().awaitSend()).error().id(43);
        pair.right().awaitState(QpState.ERR);
    }

    @Test
    @Catalogue("B43")
    void aSecondLocalInvalidateFails() {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window window = bound(pair.right(), region, MwType.TYPE_2);
        int rkey = window.rkey();
        pair.right().succeed(SendSpec.localInvalidate(rkey));
        expect(pair.right().execute(SendSpec.localInvalidate(rkey))).error();
        pair.right().awaitState(QpState.ERR);
    }

    @Test
    @Catalogue("B44")
    void anotherQueuePairDoesNotInvalidateTheWindow() {
        Pair owner = rcPair();
        Pair other = rcPair();
        Region region = right.region(REGION);
        Window window = bound(owner.right(), region, MwType.TYPE_2);
        expect(other.right().execute(SendSpec.localInvalidate(window.rkey())))
                .status(WcStatus.MW_BIND_ERR, WcStatus.LOC_QP_OP_ERR);
        other.right().awaitState(QpState.ERR);
        owner.left().succeed(writeThrough(window.rkey(), region));
    }

    @Test
    @Catalogue("B45")
    void aSendWithInvalidateClosesTheWindowAndNamesItsKey() {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Region sink = right.region(64);
        Window window = bound(pair.right(), region, MwType.TYPE_2);
        int rkey = window.rkey();
        pair.right().postRecv(recv(sink.sge()).id(45));
        pair.left().succeed(SendSpec.sendInv(rkey, left.region(64).fill(4).sge()));
        expect(pair.right().awaitRecv()).success().id(45).bytes(64).opcode(WcOpcode.RECV).invalidated(rkey);
        sink.assertHolds(4);
        assertKeyInvalid(pair, rkey, region);
        region.destroy();
    }

    @Test
    @Catalogue("B49")
    void aSendWithInvalidateDoesNotInvalidateARegion() {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        pair.right().postRecv(recv().id(49));
        pair.left().post(SendSpec.sendInv(region.rkey()).signaled());
        expect(pair.right().awaitRecv()).error().id(49);
        pair.right().awaitState(QpState.ERR);
        rcPair().left().succeed(writeThrough(region.rkey(), region));
    }

    @ParameterizedTest
    @EnumSource(names = {"TYPE_1", "TYPE_2"})
    @Catalogue("B46")
    void aBoundWindowCanBeDeallocatedAndItsKeyBecomesInvalid(MwType type) {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window window = bound(pair.right(), region, type);
        int rkey = window.rkey();
        pair.left().succeed(writeThrough(rkey, region));
        window.destroy();
        assertKeyInvalid(pair, rkey, region);
        assertDoesNotThrow(region::destroy);
    }

    @Test
    @Catalogue("B46")
    void aQueuePairIsDestroyedWithItsTypeTwoWindowsBound() {
        Region region = right.region(REGION);
        Pair owner = rcPair();
        Window window = bound(owner.right(), region, MwType.TYPE_2);
        owner.right().destroy();
        assertKeyInvalid(rcPair(), window.rkey(), region);
        window.destroy();
        region.destroy();
    }

    @Test
    @Catalogue("B46")
    void aTypeOneWindowOutlivesTheQueuePairItWasBoundOn() {
        Region region = right.region(REGION);
        Pair binder = rcPair();
        Window window = bound(binder.right(), region, MwType.TYPE_1);
        binder.right().destroy();
        rcPair().left().succeed(writeThrough(window.rkey(), region));
    }

    @Test
    @Catalogue("B47")
    void aResetQueuePairHasNoTypeTwoWindows() {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window window = bound(pair.right(), region, MwType.TYPE_2);
        int rkey = window.rkey();
        for (Qp qp : new Qp[] {pair.left(), pair.right()}) {
            qp.modify(QpState.ERR);
            qp.modify(QpState.RESET);
        }
        pair.left().connect(pair.right());
        pair.right().connect(pair.left());
        assertKeyInvalid(pair, rkey, region);
        window.destroy();
        region.destroy();
    }

    @Test
    @Catalogue("B48")
    void aZeroBasedWindowIsAccessedByOffsets() {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window window = bound(pair.right(), region, MwType.TYPE_2, WINDOW_ACCESS | Access.ZERO_BASED);
        pair.left().succeed(SendSpec.write(0, window.rkey(), left.region(64).fill(1).sge()));
        pair.left().succeed(SendSpec.write(1024 - 64, window.rkey(), left.region(64).fill(2).sge()));
        region.assertHolds(1024, 64, 1);
        region.assertHolds(2048 - 64, 64, 2);
        expect(pair.left().execute(SendSpec.write(1024 - 63, window.rkey(), left.region(64).fill(3).sge())))
                .status(WcStatus.REM_ACCESS_ERR);
        region.assertZero(2048, 2048);
    }

    @Test
    @Catalogue("B48")
    void theVirtualAddressOfAZeroBasedWindowIsRefused() {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window window = bound(pair.right(), region, MwType.TYPE_2, WINDOW_ACCESS | Access.ZERO_BASED);
        assertKeyInvalid(pair, window.rkey(), region);
        assertErrno(Errno.EBUSY, region::destroy, Errno.EINVAL);
    }
}
