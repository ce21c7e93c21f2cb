package io.jverbs.contract.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.jverbs.Access;
import io.jverbs.QpState;
import io.jverbs.WcStatus;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.RemoteOp;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.end.MemoryCommands.Kind;
import io.jverbs.contract.end.MrSpec;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Sge;
import io.jverbs.contract.fixture.Catalogue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the checks of keys, ranges and rights. A device can execute the first request of a queue pair in another way
 * than later ones, so there are cases in which a message goes before.
 */
final class RemoteAccessContract extends VerbsContract {
    private static final int GARBAGE_KEY = 0xdead_beef;
    private static final long GARBAGE_ADDRESS = 0x6bad_0000_1234_5677L;
    private static final int REGION = 4096;

    private static Stream<Arguments> operationsFirstAndLater() {
        return Stream.of(RemoteOp.values())
                .flatMap(each -> Stream.of(arguments(each, false), arguments(each, true)));
    }

    private static Stream<Arguments> operationsWithResultFirstAndLater() {
        return operationsFirstAndLater().filter(each -> each.get()[0] != RemoteOp.WRITE);
    }

    @ParameterizedTest(name = "{0} of {2} bytes at {1}, later {3}")
    @CsvSource({"WRITE, -1, 8, false", "WRITE, 4089, 8, false", "WRITE, -8, 8, false", "WRITE, 4096, 8, false",
        "WRITE, -1, 4096, false", "WRITE, 1, 4096, false", "WRITE, -1, 4098, false", "READ, -1, 8, false",
        "READ, 4089, 8, false", "READ, 4096, 1, false", "READ, 1, 4096, false", "COMPARE_AND_SWAP, -8, 8, false",
        "COMPARE_AND_SWAP, 4096, 8, false", "FETCH_AND_ADD, -8, 8, false", "FETCH_AND_ADD, 4096, 8, false",
        "WRITE, -1, 8, true", "WRITE, 4089, 8, true", "READ, -1, 8, true", "READ, 4089, 8, true",
        "COMPARE_AND_SWAP, -8, 8, true", "COMPARE_AND_SWAP, 4096, 8, true", "FETCH_AND_ADD, -8, 8, true",
        "FETCH_AND_ADD, 4096, 8, true"})
    @Catalogue("B25")
    void aRangeThatLeavesTheRegionIsRefusedAndNothingIsWritten(RemoteOp operation, long offset, int length,
            boolean later) {
        int memory = right.end().allocateMemory(Kind.SHARED, 3 * REGION);
        Region target = right.region(MrSpec.part(right.pd(), memory, REGION, REGION, Side.ALL_ACCESS));
        Region local = left.region(length).fill(1);
        Pair pair = rcPair(later);
        expect(pair.left().execute(operation.spec(target.at(offset), target.rkey(), local.sge())))
                .status(WcStatus.REM_ACCESS_ERR);
        pair.left().awaitState(QpState.ERR);
        pair.right().awaitState(QpState.ERR);
        assertEquals(-1, right.end().firstOther(memory, 0, 3 * REGION, (byte) 0));
        local.assertHolds(1);
    }

    @ParameterizedTest
    @EnumSource
    @Catalogue("B25")
    void theFirstAndTheLastBytesOfTheRegionAreAccessible(RemoteOp operation) {
        Region target = right.region(REGION);
        Pair pair = rcPair();
        pair.left().succeed(operation.spec(target.at(0), target.rkey(), left.region(8).sge()));
        pair.left().succeed(operation.spec(target.at(REGION - 8), target.rkey(), left.region(8).sge()));
        assertEquals(operation.isAtomic() ? 1 : 0, target.load(0));
        assertEquals(operation.isAtomic() ? 1 : 0, target.load(REGION - 8));
    }

    @ParameterizedTest
    @ValueSource(longs = {-8, -1, -16, Long.MIN_VALUE})
    @Catalogue("B26")
    void aRemoteRangeNeverWrapsAround(long address) {
        Region target = right.region(REGION, Side.ALL_ACCESS | Access.ZERO_BASED);
        Pair pair = rcPair();
        expect(pair.left().execute(SendSpec.write(address, target.rkey(), left.region(16).fill(1).sge())))
                .status(WcStatus.REM_ACCESS_ERR);
        target.assertZero();
    }

    @Test
    @Catalogue("B26")
    void aRegionAtTheEndOfTheAddressSpaceDoesNotWrapAround() {
        long start = -REGION;
        Region target = right.region(MrSpec.of(right.pd(), REGION, Side.ALL_ACCESS).iova(start));
        Pair pair = rcPair();
        pair.left().succeed(SendSpec.write(-64, target.rkey(), left.region(64).fill(1).sge()));
        target.assertHolds(REGION - 64, 64, 1);
        expect(pair.left().execute(SendSpec.write(-64, target.rkey(), left.region(65).fill(2).sge())))
                .status(WcStatus.REM_ACCESS_ERR);
        target.assertHolds(REGION - 64, 64, 1);
    }

    @ParameterizedTest
    @MethodSource("operationsFirstAndLater")
    @Catalogue("B25")
    void aLocalRangeThatLeavesItsRegionIsALocalProtectionError(RemoteOp operation, boolean later) {
        Region local = left.region(RemoteOp.BYTES).fill(1);
        Region target = right.region(64);
        Pair pair = rcPair(later);
        Sge beyond = Sge.raw(local.address() + 1, RemoteOp.BYTES, local.lkey());
        expect(pair.left().execute(operation.on(target, beyond))).status(WcStatus.LOC_PROT_ERR);
        pair.left().awaitState(QpState.ERR);
        local.assertHolds(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {-8, -1, Long.MIN_VALUE})
    @Catalogue("B26")
    void aLocalRangeNeverWrapsAround(long address) {
        Region source = left.region(REGION, Side.ALL_ACCESS | Access.ZERO_BASED);
        Pair pair = rcPair();
        expect(pair.left().execute(write(right.region(16), Sge.raw(address, 16, source.lkey()))))
                .status(WcStatus.LOC_PROT_ERR);
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITE", "READ"})
    @Catalogue("B27")
    void anEmptyOperationChecksNeitherKeyNorAddress(RemoteOp operation) {
        Pair pair = rcPair();
        Region target = right.region(64, 0);
        SendSpec garbage = operation.spec(GARBAGE_ADDRESS, GARBAGE_KEY, Sge.raw(0, 0, 0)).empty();
        expect(pair.left().succeed(garbage)).opcode(operation.completion());
        pair.left().succeed(operation.spec(target.at(-100), target.rkey(), target.sge()).empty());
        pair.left().succeed(operation.spec(target.at(64), target.rkey(), target.sge()).empty());
        assertDelivers(pair);
        pair.right().assertStays(QpState.RTS);
    }

    @Test
    @Catalogue("B28")
    void emptyElementsOfAGatherListAreSkippedUnchecked() {
        Pair pair = rcPair();
        Region source = left.region(128).fill(1);
        Region target = right.region(128);
        Sge nothing = Sge.raw(GARBAGE_ADDRESS, 0, GARBAGE_KEY);
        pair.left().succeed(write(target, nothing, source.sge(0, 64), nothing, source.sge(64, 64)));
        target.assertHolds(1);
    }

    @Test
    @Catalogue("B28")
    void emptyElementsOfAScatterListAreSkippedUnchecked() {
        Pair pair = rcPair();
        Region source = left.region(128).fill(1);
        Region sink = right.region(128);
        Sge nothing = Sge.raw(GARBAGE_ADDRESS, 0, GARBAGE_KEY);
        pair.right().postRecv(recv(nothing, sink.sge(0, 64), nothing, sink.sge(64, 64)));
        pair.left().succeed(send(source.sge()));
        expect(pair.right().awaitRecv()).success().bytes(128);
        sink.assertHolds(1);
        pair.left().succeed(read(right.region(128).fill(2), nothing, source.sge(0, 100), nothing, source.sge(100, 28)));
        source.assertHolds(2);
    }

    @ParameterizedTest
    @EnumSource
    @Catalogue({"B29", "B30"})
    void anOperationNeedsItsOwnRightOnly(RemoteOp operation) {
        Pair pair = rcPair(o -> o.right(r -> r.access(operation.right())));
        Region target = right.region(64, Access.LOCAL_WRITE | operation.right());
        expect(pair.left().succeed(operation.on(target, left.region(8).sge()))).opcode(operation.completion());
    }

    @ParameterizedTest
    @MethodSource("operationsFirstAndLater")
    @Catalogue("B29")
    void aRightMissingOnTheRegionIsARemoteAccessError(RemoteOp operation, boolean later) {
        Pair pair = rcPair(later);
        Region target = right.region(64, Side.ALL_ACCESS & ~operation.right());
        Region local = left.region(8).fill(1);
        expect(pair.left().execute(operation.on(target, local.sge()))).status(WcStatus.REM_ACCESS_ERR);
        pair.left().awaitState(QpState.ERR);
        pair.right().awaitState(QpState.ERR);
        target.assertZero();
        local.assertHolds(1);
    }

    @ParameterizedTest
    @MethodSource("operationsFirstAndLater")
    @Catalogue("B29")
    void aRightMissingOnTheQueuePairIsAnInvalidRequest(RemoteOp operation, boolean later) {
        Pair pair = rcPair(later, o -> o.right(r -> r.access(Side.ALL_ACCESS & ~operation.right())));
        Region target = right.region(64);
        Region local = left.region(8).fill(1);
        expect(pair.left().execute(operation.on(target, local.sge())))
                .status(WcStatus.REM_INV_REQ_ERR, WcStatus.REM_ACCESS_ERR);
        pair.left().awaitState(QpState.ERR);
        pair.right().awaitState(QpState.ERR);
        target.assertZero();
        local.assertHolds(1);
    }

    @Test
    @Catalogue("B29")
    void aWriteWithImmediateNeedsTheRightToWriteOnBoth() {
        Pair noRegionRight = rcPair();
        Region readable = right.region(64, Access.LOCAL_WRITE | Access.REMOTE_READ);
        noRegionRight.right().postRecv(recv());
        expect(noRegionRight.left().execute(writeImm(1, readable, left.region(64).fill(1).sge())))
                .status(WcStatus.REM_ACCESS_ERR);
        readable.assertZero();
        Pair noPairRight = rcPair(o -> o.right(r -> r.access(Access.REMOTE_READ)));
        Region writable = right.region(64);
        noPairRight.right().postRecv(recv());
        expect(noPairRight.left().execute(writeImm(1, writable, left.region(64).fill(1).sge())))
                .status(WcStatus.REM_INV_REQ_ERR, WcStatus.REM_ACCESS_ERR);
        writable.assertZero();
    }

    @ParameterizedTest
    @MethodSource("operationsWithResultFirstAndLater")
    @Catalogue("B31")
    void aResultNeedsLocalWriteOnItsRegion(RemoteOp operation, boolean later) {
        Pair pair = rcPair(later);
        Region sink = left.region(8, Access.REMOTE_READ).fill(1);
        Region target = right.region(64);
        expect(pair.left().execute(operation.on(target, sink.sge()))).status(WcStatus.LOC_PROT_ERR);
        pair.left().awaitState(QpState.ERR);
        pair.right().assertStays(QpState.RTS);
        sink.assertHolds(1);
    }

    @Test
    @Catalogue("B32")
    void aReceiveNeedsLocalWriteOnly() {
        Pair pair = rcPair();
        Region sink = right.region(64, Access.LOCAL_WRITE);
        pair.right().postRecv(recv(sink.sge()));
        pair.left().succeed(send(left.region(64).fill(1).sge()));
        expect(pair.right().awaitRecv()).success();
        sink.assertHolds(1);
    }

    @ParameterizedTest(name = "later {0}")
    @ValueSource(booleans = {false, true})
    @Catalogue("B32")
    void aReceiveWithoutLocalWriteFailsOnBothSides(boolean later) {
        Pair pair = rcPair(later);
        Region sink = right.region(64, Access.REMOTE_READ);
        pair.right().postRecv(recv(sink.sge()).id(32));
        expect(pair.left().execute(send(left.region(64).fill(1).sge()))).status(WcStatus.REM_OP_ERR);
        expect(pair.right().awaitRecv()).status(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR).id(32);
        sink.assertZero();
        pair.left().awaitState(QpState.ERR);
        pair.right().awaitState(QpState.ERR);
    }

    @ParameterizedTest
    @EnumSource
    @Catalogue("B33")
    void withTwoBadKeysAWriteReportsTheLocalOneAndOthersTheRemoteOne(RemoteOp operation) {
        Pair pair = rcPair();
        Region local = left.region(8);
        Region target = right.region(8);
        SendSpec request = operation.spec(target.address(), GARBAGE_KEY, Sge.raw(local.address(), 8, GARBAGE_KEY));
        expect(pair.left().execute(request)).status(
                operation == RemoteOp.WRITE ? WcStatus.LOC_PROT_ERR : WcStatus.REM_ACCESS_ERR);
        target.assertZero();
    }
}
