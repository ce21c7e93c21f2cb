package io.jverbs.contract.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Cq;
import io.jverbs.contract.dsl.Job;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.RemoteOp;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.dsl.Waits;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.Infos.RepeatedPostsResult;
import io.jverbs.contract.end.Infos.PostResult;
import io.jverbs.contract.end.JobCommands.PostTask;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Sge;
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.fixture.Catalogue;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests compare-and-swap and fetch-and-add: values, alignment, sizes, keys and atomicity. */
final class AtomicContract extends QpStates {

    /** All bytes are different, so that byte orders can be distinguished. */
    private static final long DISTINCT = 0x0102_0304_0506_0708L;

    private static final long UNTOUCHED = 0x7e57_7e57_7e57_7e57L;

    /** Returns an atomic on the word at an offset that changes the word if it is 0. */
    private static SendSpec at(RemoteOp operation, Region target, long offset, Region result) {
        return operation.spec(target.at(offset), target.rkey(), result.sge(0, 8));
    }

    @ParameterizedTest
    @CsvSource({"COMPARE_AND_SWAP, 1, false", "COMPARE_AND_SWAP, 4, false", "COMPARE_AND_SWAP, 7, false",
        "FETCH_AND_ADD, 1, false", "FETCH_AND_ADD, 2, false", "FETCH_AND_ADD, 4, false", "FETCH_AND_ADD, 7, false",
        "COMPARE_AND_SWAP, 1, true", "COMPARE_AND_SWAP, 4, true", "FETCH_AND_ADD, 2, true", "FETCH_AND_ADD, 7, true"})
    @Catalogue({"F14", "F35"})
    void anUnalignedAddressIsAnInvalidRequest(RemoteOp operation, long offset, boolean later) {
        Pair pair = rcPair(later);
        Region target = right.region(64);
        Region result = left.region(8).store(0, UNTOUCHED);
        expect(pair.left().execute(at(operation, target, offset, result))).status(WcStatus.REM_INV_REQ_ERR);
        pair.left().awaitState(QpState.ERR);
        pair.right().awaitState(QpState.ERR);
        assertEquals(pair.right().id(), right.awaitAsync(AsyncEventType.QP_REQ_ERR).qp());
        target.assertZero();
        assertEquals(UNTOUCHED, result.load(0));
    }

    @ParameterizedTest
    @CsvSource({"COMPARE_AND_SWAP, true, false", "COMPARE_AND_SWAP, false, true", "FETCH_AND_ADD, true, false",
        "FETCH_AND_ADD, false, true", "FETCH_AND_ADD, true, true"})
    @Catalogue("F14")
    void anUnalignedAddressIsReportedBeforeABadKey(RemoteOp operation, boolean badRemote, boolean badLocal) {
        Pair pair = rcPair();
        Region target = right.region(64);
        SendSpec request = operation.spec(target.at(4), badRemote ? GARBAGE_KEY : target.rkey(),
                badLocal ? garbageOfEight() : left.region(8).sge());
        expect(pair.left().execute(request)).status(WcStatus.REM_INV_REQ_ERR);
        target.assertZero();
    }

    private static Sge garbageOfEight() {
        return Sge.raw(0x6bad_0000_1234_5000L, 8, GARBAGE_KEY);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 1", "5, 5, 9", "5, 6, 9", "-1, -1, 0", "0, -1, 7", "4294967296, 0, 7", "1, 4294967297, 7",
        "-9223372036854775808, -9223372036854775808, 9223372036854775807", "3, 3, 3"})
    @Catalogue("F15")
    void compareAndSwapSwapsEqualWordsAndAlwaysReturnsTheOriginal(long original, long compare, long swap) {
        Pair pair = rcPair();
        Region target = right.region(24).store(0, UNTOUCHED).store(8, original).store(16, UNTOUCHED);
        Region result = left.region(24).store(0, UNTOUCHED).store(8, ~original).store(16, UNTOUCHED);
        Wc wc = pair.left().succeed(
                SendSpec.compareAndSwap(target.at(8), target.rkey(), compare, swap, result.sge(8, 8)));
        expect(wc).opcode(RemoteOp.COMPARE_AND_SWAP.completion()).bytes(8);
        assertEquals(original, result.load(8));
        assertEquals(original == compare ? swap : original, target.load(8));
        assertNeighboursUntouched(target);
        assertNeighboursUntouched(result);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "41, 1", "7, 0", "5, -6", "-1, 1", "9223372036854775807, 1", "-9223372036854775808, -1",
        "4294967295, 1", "72623859790382856, 72623859790382856"})
    @Catalogue("F16")
    void fetchAndAddWrapsAroundAndReturnsTheOriginal(long original, long add) {
        Pair pair = rcPair();
        Region target = right.region(24).store(0, UNTOUCHED).store(8, original).store(16, UNTOUCHED);
        Region result = left.region(24).store(0, UNTOUCHED).store(8, ~original).store(16, UNTOUCHED);
        Wc wc = pair.left().succeed(SendSpec.fetchAndAdd(target.at(8), target.rkey(), add, result.sge(8, 8)));
        expect(wc).opcode(RemoteOp.FETCH_AND_ADD.completion()).bytes(8);
        assertEquals(original, result.load(8));
        assertEquals(original + add, target.load(8));
        assertNeighboursUntouched(target);
        assertNeighboursUntouched(result);
    }

    private static void assertNeighboursUntouched(Region region) {
        assertEquals(UNTOUCHED, region.load(0));
        assertEquals(UNTOUCHED, region.load(16));
    }

    @Test
    @Catalogue("F17")
    void bothHostsSeeWordsInTheirOwnByteOrder() {
        Pair pair = rcPair();
        // stored and loaded by the CPU of each end in its native byte order
        Region target = right.region(8).store(0, DISTINCT);
        Region result = left.region(8);
        pair.left().succeed(fetchAndAdd(target, 0xff, result.sge()));
        assertEquals(DISTINCT, result.load(0));
        assertEquals(DISTINCT + 0xff, target.load(0));
        pair.left().succeed(compareAndSwap(target, DISTINCT + 0xff, Long.reverseBytes(DISTINCT), result.sge()));
        assertEquals(DISTINCT + 0xff, result.load(0));
        assertEquals(Long.reverseBytes(DISTINCT), target.load(0));
    }

    @ParameterizedTest
    @CsvSource({"COMPARE_AND_SWAP, 0", "COMPARE_AND_SWAP, 4", "COMPARE_AND_SWAP, 7", "COMPARE_AND_SWAP, 9",
        "COMPARE_AND_SWAP, 16", "FETCH_AND_ADD, 0", "FETCH_AND_ADD, 4", "FETCH_AND_ADD, 7", "FETCH_AND_ADD, 9",
        "FETCH_AND_ADD, 16"})
    @Catalogue("F18")
    void aResultOfAnySizeButEightIsALengthError(RemoteOp operation, int length) {
        Pair pair = rcPair();
        Region target = right.region(64);
        Region result = left.region(64).fill(3);
        SendSpec request = operation.spec(target.address(), target.rkey(), result.sge(0, length)).signaled();
        PostResult posted = pair.left().tryPost(request);
        if (!posted.ok()) {
            assertEquals(Errno.EINVAL.code(), posted.errno());
            target.assertZero();
            return;
        }
        Wc wc = pair.left().awaitSend();
        if (operation == RemoteOp.FETCH_AND_ADD && length > 8) {
            // the result is device-specific according to the catalogue
            expect(wc).status(WcStatus.LOC_LEN_ERR, WcStatus.REM_ACCESS_ERR, WcStatus.SUCCESS);
        } else {
            expect(wc).status(WcStatus.LOC_LEN_ERR);
        }
        if (!wc.success()) {
            target.assertZero();
            result.assertHolds(3);
            pair.left().awaitState(QpState.ERR);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPARE_AND_SWAP", "FETCH_AND_ADD"})
    @Catalogue("F18")
    void aResultOfTwoElementsIsScatteredOrRefused(RemoteOp operation) {
        Pair pair = rcPair(o -> o.sges(2, 1));
        Region target = right.region(8);
        Region result = left.region(16).fill(3);
        SendSpec request = operation.on(target, result.sge(0, 4)).sges(result.sge(0, 4), result.sge(8, 4));
        PostResult posted = pair.left().tryPost(request.signaled());
        if (!posted.ok()) {
            assertEquals(Errno.EINVAL.code(), posted.errno());
            target.assertZero();
            return;
        }
        Wc wc = pair.left().awaitSend();
        expect(wc).status(WcStatus.SUCCESS, WcStatus.LOC_LEN_ERR);
        if (wc.success()) {
            result.assertZero(0, 4);
            result.assertZero(8, 4);
            assertEquals(1, target.load(0));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPARE_AND_SWAP", "FETCH_AND_ADD"})
    @Catalogue("F19")
    void aBadLocalKeyFailsAfterTheWordHasChanged(RemoteOp operation) {
        Pair pair = rcPair();
        Region target = right.region(8);
        expect(pair.left().execute(operation.on(target, garbageOfEight()))).status(WcStatus.LOC_PROT_ERR);
        assertEquals(1, target.load(0));
        pair.left().awaitState(QpState.ERR);
        pair.right().assertStays(QpState.RTS);
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPARE_AND_SWAP", "FETCH_AND_ADD"})
    @Catalogue("F19")
    void aBadRemoteKeyChangesNothing(RemoteOp operation) {
        Pair pair = rcPair();
        Region target = right.region(8);
        Region result = left.region(8).store(0, UNTOUCHED);
        expect(pair.left().execute(operation.spec(target.address(), GARBAGE_KEY, result.sge())))
                .status(WcStatus.REM_ACCESS_ERR);
        target.assertZero();
        assertEquals(UNTOUCHED, result.load(0));
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPARE_AND_SWAP", "FETCH_AND_ADD"})
    @Catalogue("F20")
    void aRegionWithoutTheRightIsARemoteAccessError(RemoteOp operation) {
        Pair pair = rcPair();
        Region target = right.region(8, Side.ALL_ACCESS & ~Access.REMOTE_ATOMIC);
        expect(pair.left().execute(operation.on(target, left.region(8).sge()))).status(WcStatus.REM_ACCESS_ERR);
        target.assertZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"COMPARE_AND_SWAP", "FETCH_AND_ADD"})
    @Catalogue("F20")
    void aQueuePairWithoutTheRightIsAnInvalidRequest(RemoteOp operation) {
        Pair pair = rcPair(o -> o.right(r -> r.access(Access.REMOTE_WRITE | Access.REMOTE_READ)));
        Region target = right.region(8);
        expect(pair.left().execute(operation.on(target, left.region(8).sge()))).status(WcStatus.REM_INV_REQ_ERR);
        target.assertZero();
    }

    @Test
    @Catalogue("F21")
    void concurrentAdditionsOfManyQueuePairsAndThreadsAreNotLost() {
        int each = 400;
        int pairs = 3;
        Region target = right.region(16);
        Cq cq = left.cq(pairs * 2 * each);
        List<PostTask> posters = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            Pair pair = rcPair(o -> o.left(l -> l.cq(cq)));
            // two threads for each queue pair
            for (int thread = 0; thread < 2; thread++) {
                posters.add(PostTask.sends(pair.left().id(), SendSpec.fetchAndAdd(target.at(8), target.rkey(),
                        1 + thread, left.region(8).sge()).signaled(), each));
            }
        }
        RepeatedPostsResult result = left.end().postRepeatedly(posters, List.of(cq.id()), 1, pairs * 2 * each,
                Waits.deadline());
        assertEquals(List.of(), result.refusals());
        assertEquals(pairs * 2 * each, result.completions().size());
        result.completions().forEach(wc -> expect(wc).success());
        assertEquals((long) pairs * each * 3, target.load(8));
        assertEquals(0, target.load(0));
    }

    @Test
    @Catalogue("F21")
    void additionsFromBothEndsAreSerialised() {
        int each = 300;
        Region target = right.region(8);
        Cq leftCq = left.cq(each);
        Cq rightCq = right.cq(each);
        Pair remotePair = rcPair(o -> o.left(l -> l.cq(leftCq)));
        Pair localPair = pair(QpType.RC, right, right, o -> o.left(l -> l.cq(rightCq)));
        PostTask remoteTask = PostTask.sends(remotePair.left().id(),
                fetchAndAdd(target, 1, left.region(8).sge()).signaled(), each);
        PostTask localTask = PostTask.sends(localPair.left().id(),
                fetchAndAdd(target, 1, right.region(8).sge()).signaled(), each);
        Job background = left.background(end -> postRepeatedly(end, remoteTask, leftCq, each));
        RepeatedPostsResult localResult = postRepeatedly(right.end(), localTask, rightCq, each);
        RepeatedPostsResult remoteResult = (RepeatedPostsResult) background.await();
        for (RepeatedPostsResult result : List.of(localResult, remoteResult)) {
            assertEquals(each, result.completions().size());
            assertTrue(result.completions().stream().allMatch(Wc::success), result::toString);
        }
        assertEquals(2L * each, target.load(0));
    }

    private static RepeatedPostsResult postRepeatedly(End end, PostTask task, Cq cq, int completions) {
        return end.postRepeatedly(List.of(task), List.of(cq.id()), 1, completions, Waits.deadline());
    }

    @Test
    @Catalogue({"F15", "F21"})
    void onlyOneOfManyConcurrentSwapsSucceeds() {
        int pairs = 8;
        Region target = right.region(8);
        Cq cq = left.cq(pairs);
        List<PostTask> posters = new ArrayList<>();
        List<Region> results = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            Pair pair = rcPair(o -> o.left(l -> l.cq(cq)));
            Region result = left.region(8).store(0, UNTOUCHED);
            results.add(result);
            posters.add(PostTask.sends(pair.left().id(),
                    compareAndSwap(target, 0, 100 + i, result.sge()).id(i).signaled(), 1));
        }
        RepeatedPostsResult posted = left.end().postRepeatedly(posters, List.of(cq.id()), 1, pairs, Waits.deadline());
        assertEquals(pairs, posted.completions().size());
        posted.completions().forEach(wc -> expect(wc).success());
        List<Integer> winners = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            if (results.get(i).load(0) == 0) {
                winners.add(i);
            }
        }
        assertEquals(1, winners.size(), () -> "winners " + winners);
        long winner = 100 + winners.getFirst();
        assertEquals(winner, target.load(0));
        for (int i = 0; i < pairs; i++) {
            assertEquals(i == winners.getFirst() ? 0 : winner, results.get(i).load(0));
        }
    }
}
