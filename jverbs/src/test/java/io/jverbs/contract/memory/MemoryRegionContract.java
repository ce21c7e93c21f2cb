package io.jverbs.contract.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.Errno;
import io.jverbs.MwType;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.SendFlags;
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
import io.jverbs.contract.end.MemoryCommands.Kind;
import io.jverbs.contract.end.MrInfo;
import io.jverbs.contract.end.MrSpec;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Sge;
import io.jverbs.contract.end.VerbsFailure;
import io.jverbs.contract.fixture.Catalogue;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests registration and deregistration of memory. */
final class MemoryRegionContract extends VerbsContract {

    private static final long FAR_IOVA = 0x7ace_0000_0000_0000L;

    @ParameterizedTest
    @ValueSource(ints = {Access.REMOTE_WRITE, Access.REMOTE_ATOMIC, Access.REMOTE_WRITE | Access.REMOTE_READ,
        Access.REMOTE_ATOMIC | Access.REMOTE_READ, Access.REMOTE_WRITE | Access.REMOTE_ATOMIC | Access.MW_BIND})
    @Catalogue("B7")
    void remoteWriteAndAtomicRightsNeedLocalWrite(int access) {
        assertErrno(Errno.EINVAL, () -> left.region(64, access));
        assertDoesNotThrow(() -> left.region(64, access | Access.LOCAL_WRITE));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, Access.REMOTE_READ, Access.MW_BIND, Access.LOCAL_WRITE})
    @Catalogue("B7")
    void otherRightsAreLegalAlone(int access) {
        Region region = left.region(64, access);
        assertEquals(access, region.access());
        assertEquals(64, region.length());
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 10, 1 << 19, 1 << 30, 1 << 31})
    @Catalogue("B8")
    void unknownMandatoryBitsAreRefused(int bit) {
        assertErrno(Errno.EINVAL, () -> left.region(64, Access.LOCAL_WRITE | bit));
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 21, 25, 29})
    @Catalogue("B8")
    void unknownOptionalBitsAreIgnored(int bit) {
        Region target = right.region(64, Access.LOCAL_WRITE | Access.REMOTE_WRITE | 1 << bit);
        rcPair().left().succeed(write(target, left.region(64, 1 << bit).fill(1).sge()));
        target.assertHolds(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"HEAP", "CONFINED"})
    @Catalogue("B7")
    void memoryThatADeviceCannotUseIsRefused(Kind kind) {
        int memory = left.end().allocateMemory(kind, 64);
        assertRefused(IllegalArgumentException.class,
                () -> left.end().registerMemory(MrSpec.part(left.pd(), memory, 0, 64, 0)));
    }

    @Test
    @Catalogue("B7")
    void readOnlyMemoryIsRefusedWithWriteRightsOnly() {
        int memory = right.end().allocateMemory(Kind.READ_ONLY, 64);
        MrSpec spec = MrSpec.part(right.pd(), memory, 0, 64, Access.LOCAL_WRITE);
        assertRefused(IllegalArgumentException.class, () -> right.end().registerMemory(spec));
        Region source = right.region(spec.access(Access.REMOTE_READ));
        Region sink = left.region(64).fill(1);
        rcPair().left().succeed(read(source, sink.sge()));
        sink.assertZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "AUTO", "MAPPED"})
    @Catalogue("B11")
    void everyNativeMemoryCanBeRegistered(Kind kind) {
        int memory = right.end().allocateMemory(kind, 4096);
        Region target = right.region(MrSpec.part(right.pd(), memory, 0, 4096, Side.ALL_ACCESS));
        rcPair().left().succeed(write(target, left.region(4096).fill(9).sge()));
        target.assertHolds(9);
    }

    @Test
    @Catalogue("B10")
    void aRegionOfZeroBytesSupportsEmptyOperationsOnly() {
        Region empty;
        try {
            empty = right.region(0);
        } catch (VerbsFailure e) {
            // some hardware refuses it
            assertEquals(Errno.EINVAL, e.error());
            return;
        }
        Pair pair = rcPair();
        pair.left().succeed(write(empty));
        pair.left().succeed(read(empty));
        expect(pair.left().execute(write(empty, left.region(1).sge()))).status(WcStatus.REM_ACCESS_ERR);
    }

    @Test
    @Catalogue("B11")
    void sendsAndWritesReadFromARegionWithoutAnyRight() {
        Pair pair = rcPair();
        Region source = left.region(64, 0).fill(4);
        Region target = right.region(64);
        pair.left().succeed(write(target, source.sge()));
        target.assertHolds(4);
        Region sink = right.region(192);
        pair.right().postRecv(recv(sink.sge(0, 64)), recv(sink.sge(64, 64)), recv(sink.sge(128, 64)));
        pair.left().succeed(send(source.sge()));
        pair.left().succeed(send(source.part(0, 64)));
        pair.left().succeed(send(source.part(0, 64)).inline());
        awaitCompletions(pair.right().recvCq(), 3).forEach(wc -> expect(wc).success().bytes(64));
        sink.assertHolds(0, 64, 4);
        sink.assertHolds(64, 64, 4);
        sink.assertHolds(128, 64, 4);
    }

    @Test
    @Catalogue("B12")
    void keysOfLiveRegionsAreDistinctAndNotZero() {
        List<MrInfo> all = left.end().registerMany(left.pd(), 1, 256, 64, Side.ALL_ACCESS);
        Set<Integer> lkeys = new HashSet<>();
        Set<Integer> rkeys = new HashSet<>();
        for (MrInfo each : all) {
            assertNotEquals(0, each.lkey());
            assertNotEquals(0, each.rkey());
            assertTrue(lkeys.add(each.lkey()), () -> "lkey twice: " + each);
            assertTrue(rkeys.add(each.rkey()), () -> "rkey twice: " + each);
        }
    }

    @Test
    @Catalogue("B12")
    void aFreedKeyIsNotReusedImmediately() {
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < 32; i++) {
            Region region = left.region(64);
            assertTrue(seen.add(region.rkey()), () -> "key 0x" + Integer.toHexString(region.rkey()) + " was reused");
            region.destroy();
        }
    }

    @Test
    @Catalogue("B13")
    void regionsOverTheSameMemoryHaveSeparateRights() {
        int memory = right.end().allocateMemory(Kind.SHARED, 4096);
        Region writable = right.region(MrSpec.part(right.pd(), memory, 0, 4096, Side.ALL_ACCESS));
        Region readable = right.region(MrSpec.part(right.pd(), memory, 2048, 2048, Access.REMOTE_READ));
        Region local = left.region(4096).fill(5);
        Pair pair = rcPair();
        pair.left().succeed(write(writable, local.sge()));
        Region sink = left.region(2048);
        pair.left().succeed(read(readable, sink.sge()));
        assertArrayEquals(local.bytes(2048, 2048), sink.bytes(0, 2048));
        expect(pair.left().execute(write(readable, local.sge(0, 64)))).status(WcStatus.REM_ACCESS_ERR);
    }

    @Test
    @Catalogue("B13")
    void aRegionOutlivesAnotherOverTheSameMemory() {
        int memory = right.end().allocateMemory(Kind.SHARED, 64);
        Region first = right.region(MrSpec.part(right.pd(), memory, 0, 64, Side.ALL_ACCESS));
        Region second = right.region(MrSpec.part(right.pd(), memory, 0, 64, Side.ALL_ACCESS));
        first.destroy();
        Pair pair = rcPair();
        pair.left().succeed(write(second, left.region(64).fill(6).sge()));
        second.assertHolds(6);
    }

    @ParameterizedTest
    @ValueSource(longs = {FAR_IOVA, 0, 0xffff_8000_0000_0000L})
    @Catalogue("B14")
    void aRegionWithAnIovaIsAccessedByItLocallyAndRemotely(long iova) {
        Region target = right.region(MrSpec.of(right.pd(), 4096, Side.ALL_ACCESS).iova(iova));
        Region source = left.region(MrSpec.of(left.pd(), 4096, Side.ALL_ACCESS).iova(iova)).fill(7);
        assertEquals(iova, target.address());
        Pair pair = rcPair();
        pair.left().succeed(SendSpec.write(iova, target.rkey(), Sge.raw(iova, 4096, source.lkey())));
        target.assertHolds(7);
        pair.right().postRecv(recv(Sge.raw(iova + 100, 64, target.lkey())));
        pair.left().succeed(send(Sge.raw(iova, 64, source.lkey())));
        expect(pair.right().awaitRecv()).success();
        target.assertHolds(100, 64, 7);
    }

    @Test
    @Catalogue("B14")
    void theVirtualAddressOfARegionWithAnIovaIsRefusedToPeers() {
        Region target = right.region(MrSpec.of(right.pd(), 4096, Side.ALL_ACCESS).iova(FAR_IOVA));
        long real = right.end().memoryAddress(target.memory());
        Pair pair = rcPair();
        expect(pair.left().execute(SendSpec.write(real, target.rkey(), left.region(8).fill(1).sge())))
                .status(WcStatus.REM_ACCESS_ERR);
        target.assertZero();
    }

    @Test
    @Catalogue("B14")
    void theVirtualAddressOfARegionWithAnIovaIsRefusedLocally() {
        Region source = left.region(MrSpec.of(left.pd(), 4096, Side.ALL_ACCESS).iova(FAR_IOVA));
        long real = left.end().memoryAddress(source.memory());
        Pair pair = rcPair();
        expect(pair.left().execute(write(right.region(8), Sge.raw(real, 8, source.lkey()))))
                .status(WcStatus.LOC_PROT_ERR);
    }

    @Test
    @Catalogue("B14")
    @ResourceLock(GIBIBYTES)
    void aRegionMayExceedTwoGibibytes() {
        long size = (2L << 30) + 8192;
        int memory = right.end().allocateMemory(Kind.MAPPED, size);
        Region target = right.region(MrSpec.part(right.pd(), memory, 0, size, Side.ALL_ACCESS));
        assertEquals(size, target.length());
        rcPair().left().succeed(SendSpec.write(target.at(size - 4096), target.rkey(), left.region(4096).fill(8).sge()));
        target.assertHolds(size - 4096, 4096, 8);
        target.assertZero(size - 8192, 4096);
    }

    @Test
    @Catalogue("B15")
    void aZeroBasedRegionIsAccessedByOffsets() {
        Region target = right.region(256, Side.ALL_ACCESS | Access.ZERO_BASED);
        assertEquals(0, target.address());
        Region source = left.region(64, Access.LOCAL_WRITE | Access.ZERO_BASED).fill(3);
        Pair pair = rcPair();
        pair.left().succeed(SendSpec.write(192, target.rkey(), Sge.raw(0, 64, source.lkey())));
        target.assertHolds(192, 64, 3);
        target.assertZero(0, 192);
        expect(pair.left().execute(SendSpec.write(193, target.rkey(), source.sge())))
                .status(WcStatus.REM_ACCESS_ERR);
    }

    @ParameterizedTest
    @EnumSource(names = {"TYPE_1", "TYPE_2"})
    @Catalogue("B16")
    void aRegionUnderABoundWindowIsNotDeregistered(MwType type) {
        Pair pair = rcPair();
        Region target = right.region(64);
        Window window = bound(pair.right(), target, type);
        try {
            target.destroy();
        } catch (VerbsFailure e) {
            assertTrue(e.error() == Errno.EBUSY || e.error() == Errno.EINVAL, e::getMessage);
            pair.left().succeed(SendSpec.write(target.address(), window.rkey(), left.region(8).sge()));
            window.destroy();
            target.destroy();
            return;
        }
        // also allowed: the window becomes invalid with its region
        expect(pair.left().execute(SendSpec.write(target.address(), window.rkey(), left.region(8).sge())))
                .status(WcStatus.REM_ACCESS_ERR);
    }

    private static Window bound(Qp qp, Region region, MwType type) {
        Window window = qp.side().window(type);
        BindSpec range = region.range(0, region.length(), Access.REMOTE_WRITE);
        if (type == MwType.TYPE_1) {
            qp.side().end().bindMw(qp.id(), window.id(), 0, SendFlags.SIGNALED, range);
        } else {
            qp.post(window.bind(window.nextRkey(), range).signaled());
        }
        expect(qp.awaitSend()).success();
        return window;
    }

    @Test
    @Catalogue("B17")
    void aReceiveIntoADeregisteredRegionFailsOnBothSides() {
        Pair pair = rcPair();
        Region sink = right.region(64);
        pair.right().postRecv(recv(sink.sge()).id(17));
        sink.destroy();
        expect(pair.left().execute(send(left.region(64).fill(1).sge()))).status(WcStatus.REM_OP_ERR);
        expect(pair.right().awaitRecv()).status(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR).id(17);
        sink.assertZero();
    }

    @ParameterizedTest
    @EnumSource
    @Catalogue("B17")
    void aDeregisteredRegionIsRefusedToPeers(RemoteOp operation) {
        Pair pair = rcPair();
        Region target = right.region(64);
        pair.left().succeed(operation.on(target, left.region(8).sge()));
        long before = target.load(0);
        target.destroy();
        expect(pair.left().execute(operation.on(target, left.region(8).fill(1).sge())))
                .status(WcStatus.REM_ACCESS_ERR);
        assertEquals(before, target.load(0));
        pair.right().awaitState(QpState.ERR);
    }

    @Test
    @Catalogue("B17")
    void aSendInRnrRetryFailsIfItsRegionIsDeregistered() {
        Pair pair = rcPair(o -> o.rnrRetry(7).minRnrTimer(18));
        Region source = left.region(64).fill(1);
        Region sink = right.region(64);
        pair.left().post(send(source.sge()).signaled().id(5));
        // it has arrived and found no receive
        pair.left().sendCq().assertQuiet();
        source.destroy();
        // a packet sent before may still be in flight; it finds no receive either
        pair.right().recvCq().assertQuiet();
        pair.right().postRecv(recv(sink.sge()));
        expect(pair.left().awaitSend()).status(WcStatus.LOC_PROT_ERR).id(5);
        sink.assertZero();
    }

    @Test
    @Catalogue("B17")
    void aReadIntoADeregisteredRegionFailsLocally() {
        Pair pair = rcPair();
        Region sink = left.region(64);
        sink.destroy();
        expect(pair.left().execute(read(right.region(64).fill(1), sink.sge()))).status(WcStatus.LOC_PROT_ERR);
        sink.assertZero();
    }

    @Test
    @Catalogue("B17")
    void memoryFreedUnderARegionCausesAnErrorNotACrash() {
        Pair pair = rcPair();
        Region target = right.region(64);
        right.end().freeMemory(target.memory());
        expect(pair.left().execute(write(target, left.region(64).sge()))).error();
        Pair second = rcPair();
        Region source = left.region(64);
        left.end().freeMemory(source.memory());
        expect(second.left().execute(write(right.region(64), source.sge()))).error();
        assertDelivers(rcPair());
    }

    @Test
    @Catalogue("B18")
    void manyThreadsRegisterAtOnceAndGetDistinctKeys() {
        List<MrInfo> all = left.end().registerMany(left.pd(), 8, 64, 4096, Side.ALL_ACCESS);
        assertEquals(8 * 64, all.size());
        assertEquals(8 * 64, all.stream().map(MrInfo::rkey).distinct().count());
        assertEquals(8 * 64, all.stream().map(MrInfo::lkey).distinct().count());
    }

    @Test
    @Catalogue("B18")
    void memoryAllocatedByTheDomainIsZeroedAndUsable() {
        MrInfo info = right.end().allocateRegion(right.pd(), 4096, Side.ALL_ACCESS);
        assertEquals(4096, info.length());
        assertEquals(-1, right.end().firstOther(info.memory(), 0, 4096, (byte) 0));
        Pair pair = pair(QpType.RC, left, right, o -> {});
        pair.left().succeed(SendSpec.write(info.address(), info.rkey(), left.region(4096).fill(2).sge()));
        assertEquals(-1, right.end().firstMismatch(info.memory(), 0, 4096, 2));
        assertNotEquals(End.NONE, info.memory());
    }
}
