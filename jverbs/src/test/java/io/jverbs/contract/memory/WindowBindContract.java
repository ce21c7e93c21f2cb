package io.jverbs.contract.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.jverbs.Access;
import io.jverbs.Errno;
import io.jverbs.MemoryWindow;
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
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.dsl.Window;
import io.jverbs.contract.end.BindSpec;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.Infos.PostResult;
import io.jverbs.contract.end.MrSpec;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.VerbsFailure;
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.fixture.Catalogue;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests binding of memory windows. The right side owns the memory and binds; the left side accesses it. */
final class WindowBindContract extends VerbsContract {

    private static final int REGION = 4096;
    private static final BindSpec NOTHING = new BindSpec(End.NONE, 0, 0, 0);

    /** Binds a window of either type, and returns the completion. */
    private static Wc bind(Qp qp, Window window, MwType type, BindSpec to) {
        if (type == MwType.TYPE_1) {
            qp.side().end().bindMw(qp.id(), window.id(), 0, SendFlags.SIGNALED, to);
        } else {
            qp.post(window.bind(window.nextRkey(), to).signaled());
        }
        return qp.awaitSend();
    }

    private SendSpec writeThrough(Window window, Region region) {
        return SendSpec.write(region.address(), window.rkey(), left.region(64).fill(1).sge());
    }

    @ParameterizedTest
    @EnumSource(names = {"TYPE_1", "TYPE_2"})
    @Catalogue("B34")
    void windowsOfBothTypesHaveDistinctKeys(MwType type) {
        Window first = right.window(type);
        Window second = right.window(type);
        assertNotEquals(0, first.rkey());
        assertNotEquals(first.rkey(), second.rkey());
        assertNotEquals(first.rkey(), right.region(8).rkey());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, -1})
    @Catalogue("B34")
    void otherWindowTypesAreRefused(int type) {
        assertErrno(Errno.EINVAL, () -> right.end().allocateMw(right.pd(), type), Errno.EOPNOTSUPP);
    }

    @Test
    @Catalogue("B34")
    void aTypeTwoWindowIsNotBoundByTheCallForTypeOne() {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window window = right.window(MwType.TYPE_2);
        assertErrno(Errno.EINVAL, () -> right.end().bindMw(pair.right().id(), window.id(), 0, SendFlags.SIGNALED,
                region.range(0, 64, Access.REMOTE_WRITE)));
        assertNoCompletion(pair.right().sendCq());
        assertDelivers(pair);
    }

    @Test
    @Catalogue("B35")
    void regionAndWindowOfDifferentDomainsAreRefusedAtTheCall() {
        Pair pair = rcPair();
        Region region = right.region(MrSpec.of(right.newPd(), REGION, Side.ALL_ACCESS));
        Window window = right.window(MwType.TYPE_1);
        assertErrno(Errno.EPERM, () -> right.end().bindMw(pair.right().id(), window.id(), 0, SendFlags.SIGNALED,
                region.range(0, 64, Access.REMOTE_WRITE)));
        assertNoCompletion(pair.right().sendCq());
    }

    @ParameterizedTest
    @CsvSource({"4096, 0", "0, 64", "4096, 64"})
    @Catalogue("B35")
    void aRangeWithoutARegionIsRefusedAtTheCall(long address, long length) {
        Pair pair = rcPair();
        Window window = right.window(MwType.TYPE_1);
        assertErrno(Errno.EINVAL, () -> right.end().bindMw(pair.right().id(), window.id(), 0, SendFlags.SIGNALED,
                new BindSpec(End.NONE, address, length, Access.REMOTE_WRITE)));
        assertNoCompletion(pair.right().sendCq());
    }

    @Test
    @Catalogue("B35")
    void aTypeOneWindowIsNotZeroBased() {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window window = right.window(MwType.TYPE_1);
        assertErrno(Errno.EINVAL, () -> right.end().bindMw(pair.right().id(), window.id(), 0, SendFlags.SIGNALED,
                region.range(0, 64, Access.REMOTE_WRITE | Access.ZERO_BASED)));
        assertNoCompletion(pair.right().sendCq());
    }

    @ParameterizedTest
    @EnumSource(names = {"TYPE_1", "TYPE_2"})
    @Catalogue("B36")
    void aBindCompletesAndOpensTheWindow(MwType type) {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window window = right.window(type);
        expect(bind(pair.right(), window, type, region.range(64, 128, Access.REMOTE_WRITE))).success()
                .opcode(WcOpcode.BIND_MW).qp(pair.right());
        assertEquals(5, WcOpcode.BIND_MW.code());
        pair.left().succeed(SendSpec.write(region.at(64), window.rkey(), left.region(128).fill(2).sge()));
        region.assertHolds(64, 128, 2);
        region.assertZero(0, 64);
        region.assertZero(192, REGION - 192);
    }

    @Test
    @Catalogue("B36")
    void anUnsignaledBindGeneratesNoCompletion() {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window first = right.window(MwType.TYPE_1);
        right.end().bindMw(pair.right().id(), first.id(), 1, 0, region.range(0, 64, Access.REMOTE_WRITE));
        Window second = right.window(MwType.TYPE_2);
        pair.right().post(second.bind(second.nextRkey(), region.range(0, 64, Access.REMOTE_WRITE)).id(2));
        pair.left().postRecv(recv());
        pair.right().post(send().signaled().id(3));
        assertIds(awaitCompletions(pair.right().sendCq(), 1), 3);
        pair.left().succeed(writeThrough(first, region));
        pair.left().succeed(writeThrough(second, region));
    }

    @Test
    @Catalogue("B36")
    void aBindIsInEffectBeforeTheNextRequestOfItsQueue() {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window window = right.window(MwType.TYPE_2);
        int rkey = window.nextRkey();
        Region note = left.region(8);
        pair.left().postRecv(recv(note.sge()));
        pair.right().post(window.bind(rkey, region.range(0, 64, Access.REMOTE_WRITE)),
                send(right.region(8).sge()).signaled());
        expect(pair.left().awaitRecv()).success();
        pair.left().succeed(SendSpec.write(region.address(), rkey, left.region(64).fill(1).sge()));
    }

    @ParameterizedTest(name = "{0}, region {1}, window {2}: {3}")
    @CsvSource({
        "TYPE_1, 1, 4, MW_BIND_ERR", "TYPE_2, 1, 4, MW_BIND_ERR", "TYPE_1, 15, 2, MW_BIND_ERR",
        "TYPE_2, 15, 2, MW_BIND_ERR", "TYPE_1, 16, 2, MW_BIND_ERR", "TYPE_2, 16, 2, MW_BIND_ERR",
        "TYPE_1, 16, 8, MW_BIND_ERR", "TYPE_2, 16, 8, MW_BIND_ERR", "TYPE_1, 20, 2, MW_BIND_ERR",
        "TYPE_2, 20, 2, MW_BIND_ERR", "TYPE_1, 16, 4, SUCCESS", "TYPE_2, 16, 4, SUCCESS", "TYPE_1, 17, 2, SUCCESS",
        "TYPE_2, 17, 2, SUCCESS", "TYPE_1, 17, 14, SUCCESS", "TYPE_2, 17, 14, SUCCESS"})
    @Catalogue("B37")
    void aBindNeedsTheRightToBindAndLocalWriteForWriters(MwType type, int regionAccess, int windowAccess,
            WcStatus status) {
        Pair pair = rcPair();
        Region region = right.region(REGION, regionAccess);
        Window window = right.window(type);
        expect(bind(pair.right(), window, type, region.range(0, 64, windowAccess))).status(status);
        pair.right().awaitState(status == WcStatus.SUCCESS ? QpState.RTS : QpState.ERR);
    }

    @ParameterizedTest
    @EnumSource
    @Catalogue("B37")
    void theRightsOfTheWindowApplyNotThoseOfTheRegion(RemoteOp operation) {
        Pair pair = rcPair();
        Region region = right.region(REGION, Access.LOCAL_WRITE | Access.MW_BIND);
        Window window = right.window(MwType.TYPE_2);
        expect(bind(pair.right(), window, MwType.TYPE_2, region.range(0, 64, operation.right()))).success();
        pair.left().succeed(operation.spec(region.address(), window.rkey(), left.region(8).sge()));
        expect(pair.left().execute(operation.on(region, left.region(8).sge()))).status(WcStatus.REM_ACCESS_ERR);
    }

    @ParameterizedTest(name = "{0}, {2} bytes at {1}")
    @CsvSource({"TYPE_1, -1, 64", "TYPE_1, 4033, 64", "TYPE_1, 0, 4097", "TYPE_1, 4096, 1", "TYPE_2, -1, 64",
        "TYPE_2, 4033, 64", "TYPE_2, 0, 4097", "TYPE_2, 4096, 1"})
    @Catalogue("B38")
    void aRangeBeyondTheRegionIsNotBound(MwType type, long offset, long length) {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window window = right.window(type);
        expect(bind(pair.right(), window, type, region.range(offset, length, Access.REMOTE_READ)))
                .status(WcStatus.MW_BIND_ERR);
        pair.right().awaitState(QpState.ERR);
    }

    @ParameterizedTest
    @ValueSource(strings = {"window", "region", "both"})
    @Catalogue("B39")
    void objectsOfAnotherDomainThanTheQueuePairsAreNotBound(String foreign) {
        Pair pair = rcPair();
        int pd = right.newPd();
        Region region = right.region(MrSpec.of(foreign.equals("window") ? right.pd() : pd, REGION, Side.ALL_ACCESS));
        Window window = right.window(MwType.TYPE_2, foreign.equals("region") ? right.pd() : pd);
        PostResult posted = pair.right()
                .tryPost(window.bind(window.nextRkey(), region.range(0, 64, Access.REMOTE_READ)).signaled());
        if (posted.ok()) {
            expect(pair.right().awaitSend()).status(WcStatus.MW_BIND_ERR);
            pair.right().awaitState(QpState.ERR);
        } else {
            assertEquals(Errno.EPERM, Errno.of(posted.errno()));
        }
    }

    @Test
    @Catalogue("B39")
    void aTypeOneWindowOfAnotherDomainThanTheQueuePairIsNotBound() {
        Pair pair = rcPair();
        int pd = right.newPd();
        Region region = right.region(MrSpec.of(pd, REGION, Side.ALL_ACCESS));
        Window window = right.window(MwType.TYPE_1, pd);
        try {
            expect(bind(pair.right(), window, MwType.TYPE_1, region.range(0, 64, Access.REMOTE_READ)))
                    .status(WcStatus.MW_BIND_ERR);
        } catch (VerbsFailure e) {
            assertEquals(Errno.EPERM, e.error());
        }
    }

    @Test
    @Catalogue("B39")
    void closedWindowsAndRegionsAreNotBound() {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Region closed = right.region(REGION);
        Window window = right.window(MwType.TYPE_2);
        Window gone = right.window(MwType.TYPE_2);
        int rkey = gone.nextRkey();
        closed.destroy();
        gone.destroy();
        assertRefused(IllegalStateException.class, () -> pair.right()
                .tryPost(window.bind(window.nextRkey(), closed.range(0, 64, Access.REMOTE_READ))));
        assertRefused(IllegalStateException.class,
                () -> pair.right().tryPost(gone.bind(rkey, region.range(0, 64, Access.REMOTE_READ))));
        assertDelivers(pair);
    }

    @Test
    @Catalogue("B40")
    void aTypeOneWindowGetsANewKeyWithEveryBind() {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window window = right.window(MwType.TYPE_1);
        bind(pair.right(), window, MwType.TYPE_1, region.range(0, 64, Access.REMOTE_WRITE));
        int first = window.rkey();
        expect(bind(pair.right(), window, MwType.TYPE_1, region.range(64, 64, Access.REMOTE_WRITE))).success();
        assertNotEquals(first, window.rkey());
        assertEquals(first >>> 8, window.rkey() >>> 8);
        pair.left().succeed(SendSpec.write(region.at(64), window.rkey(), left.region(64).fill(1).sge()));
        expect(pair.left().execute(SendSpec.write(region.at(64), first, left.region(64).fill(2).sge())))
                .status(WcStatus.REM_ACCESS_ERR);
        region.assertHolds(64, 64, 1);
        region.assertZero(0, 64);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Catalogue("B40")
    void aTypeOneBindOfZeroBytesUnbinds(boolean withRegion) {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window window = right.window(MwType.TYPE_1);
        bind(pair.right(), window, MwType.TYPE_1, region.range(0, 64, Access.REMOTE_WRITE));
        int old = window.rkey();
        pair.left().succeed(writeThrough(window, region));
        expect(bind(pair.right(), window, MwType.TYPE_1,
                withRegion ? region.range(0, 0, Access.REMOTE_WRITE) : NOTHING)).success().opcode(WcOpcode.BIND_MW);
        region.fill(7);
        expect(pair.left().execute(SendSpec.write(region.address(), old, left.region(64).fill(1).sge())))
                .status(WcStatus.REM_ACCESS_ERR);
        region.assertHolds(7);
        region.destroy();
    }

    @ParameterizedTest
    @ValueSource(ints = {0x00, 0x01, 0x7f, 0xff})
    @Catalogue("B41")
    void theLowByteOfATypeTwoKeyIsChosenByTheConsumer(int tag) {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window window = right.window(MwType.TYPE_2);
        int rkey = window.rkey() & ~0xff | tag;
        pair.right().succeed(window.bind(rkey, region.range(0, 64, Access.REMOTE_WRITE)));
        assertEquals(rkey, window.rkey());
        pair.left().succeed(SendSpec.write(region.address(), rkey, left.region(64).fill(1).sge()));
        expect(pair.left().execute(SendSpec.write(region.address(), MemoryWindow.incrementRkey(rkey),
                left.region(64).fill(2).sge()))).status(WcStatus.REM_ACCESS_ERR);
        region.assertHolds(0, 64, 1);
    }

    @Test
    @Catalogue("B41")
    void theUpperBytesOfATypeTwoKeyAreFixed() {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window window = right.window(MwType.TYPE_2);
        PostResult posted = pair.right().tryPost(window
                .bind(window.rkey() ^ 0x100, region.range(0, 64, Access.REMOTE_WRITE)).signaled());
        if (posted.ok()) {
            expect(pair.right().awaitSend()).status(WcStatus.MW_BIND_ERR);
        } else {
            assertEquals(Errno.EINVAL, Errno.of(posted.errno()));
        }
    }

    @Test
    @Catalogue("B41")
    void aBoundTypeTwoWindowIsNotBoundAgain() {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window window = right.window(MwType.TYPE_2);
        pair.right().succeed(window.bind(window.nextRkey(), region.range(0, 64, Access.REMOTE_WRITE)));
        expect(bind(pair.right(), window, MwType.TYPE_2, region.range(64, 64, Access.REMOTE_WRITE)))
                .status(WcStatus.MW_BIND_ERR);
        pair.right().awaitState(QpState.ERR);
    }

    @Test
    @Catalogue("B41")
    void aTypeTwoWindowIsNotBoundToZeroBytes() {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window window = right.window(MwType.TYPE_2);
        expect(bind(pair.right(), window, MwType.TYPE_2, region.range(0, 0, Access.REMOTE_WRITE)))
                .status(WcStatus.MW_BIND_ERR);
        pair.right().awaitState(QpState.ERR);
    }

    @Test
    @Catalogue("B47")
    void bindsInTheErrorStateAreFlushed() {
        Pair pair = rcPair();
        Region region = right.region(REGION);
        Window first = right.window(MwType.TYPE_1);
        Window second = right.window(MwType.TYPE_2);
        pair.right().modify(QpState.ERR);
        BindSpec range = region.range(0, 64, Access.REMOTE_WRITE);
        right.end().bindMw(pair.right().id(), first.id(), 1, 0, range);
        pair.right().post(second.bind(second.nextRkey(), range).id(2));
        assertFlushed(pair.right().sendCq(), 1, 2);
        assertEquals(List.of(), pair.right().sendCq().poll(1));
    }
}
