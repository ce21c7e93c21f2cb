package io.jverbs.contract.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.Errno;
import io.jverbs.MwType;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.Cq;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.PairOptions;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.QpOptions;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.end.Infos.RepeatedPostsResult;
import io.jverbs.contract.end.JobCommands.PostTask;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Sge;
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.fixture.Catalogue;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests RC: order, READs and atomics, RNR retries and timeouts. */
final class ReliableContract extends VerbsContract {

    private PairOptions apart(PairOptions options) {
        return options.left(o -> o.separateCqs(left)).right(o -> o.separateCqs(right));
    }

    private Pair pair() {
        return rcPair(this::apart);
    }

    @Test
    @Catalogue({"F1", "F2"})
    void requestsExecuteInOrderAndTheLastCompletionCoversAll() {
        Pair pair = rcPair(o -> apart(o).wrs(64, 64));
        Region target = right.region(8);
        Region source = left.region(32 * 8);
        for (int i = 0; i < 32; i++) {
            source.store(8L * i, i + 1);
        }
        for (int i = 0; i < 31; i++) {
            pair.left().post(write(target, source.sge(8L * i, 8)).id(i));
        }
        expect(pair.left().execute(write(target, source.sge(8L * 31, 8)).id(31))).success().id(31);
        assertEquals(32, target.load(0));
        pair.left().sendCq().assertQuiet();
    }

    @Test
    @Catalogue("F2")
    void noRequestBehindAFailedOneIsExecuted() {
        Pair pair = pair();
        Region first = right.region(8);
        Region behind = right.region(8);
        Region source = left.region(8).fill(1);
        pair.left().post(write(first, source.sge()).id(1).signaled(),
                write(first, Sge.raw(0, 8, 0x0BADBAD0)).id(2), write(behind, source.sge()).id(3));
        expect(pair.left().awaitSend()).success().id(1);
        expect(pair.left().awaitSend()).status(WcStatus.LOC_PROT_ERR).id(2);
        assertFlushed(pair.left().sendCq(), 3);
        first.assertHolds(1);
        behind.assertZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Catalogue("F3")
    void aWriteIsVisibleWhenTheMessageBehindItArrives(boolean withImmediate) {
        Pair pair = pair();
        Region target = right.region(100_000);
        Region source = left.region(100_000).fill(6);
        pair.right().postRecv(recv().id(1));
        if (withImmediate) {
            pair.left().post(writeImm(1, target, source.sge()));
        } else {
            pair.left().post(write(target, source.sge()), send());
        }
        expect(pair.right().awaitRecv()).success().id(1);
        target.assertHolds(6);
    }

    @Test
    @Catalogue({"F4", "F5"})
    void aFencedSendSendsTheResultOfTheRead() {
        Pair pair = pair();
        Region remote = right.region(64).fill(9);
        Region local = left.region(64);
        Region sink = right.region(64);
        pair.right().postRecv(recv(sink.sge()).id(1));
        pair.left().post(read(remote, local.sge()), send(local.sge()).fenced().signaled().id(2));
        expect(pair.left().awaitSend()).success().id(2);
        expect(pair.right().awaitRecv()).success();
        sink.assertHolds(9);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    @Catalogue({"F7", "F9"})
    void moreReadsThanMayBeOutstandingSucceed(int depth) {
        Pair pair = rcPair(o -> apart(o).rdAtomic(depth).wrs(64, 64));
        Region remote = right.region(32 * 8);
        Region local = left.region(32 * 8);
        for (int i = 0; i < 32; i++) {
            remote.store(8L * i, 70 + i);
            pair.left().post(SendSpec.read(remote.at(8L * i), remote.rkey(), local.sge(8L * i, 8))
                    .id(i).signaled());
        }
        assertIds(pair.left().sendCq().await(32), IntStream.range(0, 32).asLongStream().toArray());
        for (int i = 0; i < 32; i++) {
            assertEquals(70 + i, local.load(8L * i));
        }
    }

    @Test
    @Catalogue("F7")
    void aQueuePairWithMaxRdAtomicZeroRefusesARead() {
        Pair pair = rcPair(o -> apart(o).left(l -> l.maxRdAtomic(0)));
        var result = pair.left().tryPost(read(right.region(8), left.region(8).sge()).signaled());
        if (result.errno() == 0) {
            expect(pair.left().awaitSend()).status(WcStatus.LOC_QP_OP_ERR);
        } else {
            assertEquals(Errno.EINVAL.code(), result.errno());
        }
    }

    @Test
    @Catalogue("F8")
    void aResponderWithMaxDestRdAtomicZeroRefusesARead() {
        Pair pair = rcPair(o -> apart(o).right(r -> r.maxDestRdAtomic(0)));
        expect(pair.left().execute(read(right.region(8), left.region(8).sge()))).status(WcStatus.REM_INV_REQ_ERR);
        pair.right().awaitState(QpState.ERR);
    }

    @Test
    @Catalogue("F11")
    void aReadOfZeroBytesSucceeds() {
        expect(pair().left().execute(read(right.region(8)))).success().bytes(0);
    }

    @ParameterizedTest
    @CsvSource({"5,5,9,9", "5,6,9,5", "-1,-1,0,0", "0,0,-9223372036854775808,-9223372036854775808"})
    @Catalogue({"F15", "F17"})
    void compareAndSwapStoresIfEqualAndReturnsTheOriginal(long present, long compare, long swap, long after) {
        Pair pair = pair();
        Region target = right.region(8).store(0, present);
        Region result = left.region(8).store(0, 77);
        expect(pair.left().execute(compareAndSwap(target, compare, swap, result.sge()))).success().bytes(8);
        assertEquals(present, result.load(0));
        assertEquals(after, target.load(0));
    }

    @ParameterizedTest
    @CsvSource({"5,3,8", "-1,1,0", "9223372036854775807,1,-9223372036854775808", "42,0,42"})
    @Catalogue({"F16", "F17"})
    void fetchAndAddAddsModuloTwoToThe64AndReturnsTheOriginal(long present, long add, long after) {
        Pair pair = pair();
        Region target = right.region(8).store(0, present);
        Region result = left.region(8);
        expect(pair.left().execute(fetchAndAdd(target, add, result.sge()))).success().bytes(8);
        assertEquals(present, result.load(0));
        assertEquals(after, target.load(0));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, 9, 16})
    @Catalogue("F18")
    void anAtomicNeedsAResultOfEightBytes(int length) {
        Pair pair = pair();
        Region target = right.region(8);
        Region result = left.region(16);
        var posted = pair.left().tryPost(compareAndSwap(target, 0, 1, result.sge(0, length)).signaled());
        if (posted.errno() == 0) {
            expect(pair.left().awaitSend()).status(WcStatus.LOC_LEN_ERR);
        } else {
            assertEquals(Errno.EINVAL.code(), posted.errno());
        }
        target.assertZero();
    }

    @Test
    @Catalogue("F21")
    void atomicsOfManyQueuePairsAndThreadsAddUp() {
        Region counter = right.region(8);
        Region result = left.region(8);
        Cq all = left.cq(2048);
        List<Pair> pairs = IntStream.range(0, 3)
                .mapToObj(i -> rcPair(o -> o.wrs(256, 16).left(l -> l.cqs(all, left.cq(16))))).toList();
        RepeatedPostsResult done = left.end().postRepeatedly(pairs.stream()
                .map(pair -> PostTask.sends(pair.left().id(), fetchAndAdd(counter, 1, result.sge()).signaled(), 200))
                .toList(),
                List.of(all.id()), 1, 600, 20_000);
        assertEquals(600, done.completions().size());
        assertEquals(600, counter.load(0));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    @Catalogue({"F24", "F23"})
    void theSenderRetriesAfterTheRnrTimer(int retries) {
        // timer code 14: 1.28 ms
        Pair pair = rcPair(o -> apart(o).rnrRetry(retries).minRnrTimer(14));
        long start = System.nanoTime();
        expect(pair.left().execute(send())).status(WcStatus.RNR_RETRY_EXC_ERR);
        long micros = (System.nanoTime() - start) / 1000;
        assertTrue(micros >= retries * 1280L, retries + " waits of 1280 us took " + micros + " us");
        pair.left().awaitState(QpState.ERR);
        pair.right().assertStays(QpState.RTS);
    }

    @Test
    @Catalogue({"F24", "F25"})
    void withSevenRetriesTheSenderWaitsUntilAReceiveIsPosted() {
        // a busy machine may respond later than that
        Pair pair = rcPair(o -> apart(o).rnrRetry(7).minRnrTimer(1).timeout(shortTimeout()).retry(3));
        pair.left().post(send(left.region(8).fill(3).sge()).signaled().id(1));
        assertNoCompletion(pair.left().sendCq());
        Region sink = right.region(8);
        pair.right().postRecv(recv(sink.sge()).id(2));
        expect(pair.left().awaitSend()).success().id(1);
        expect(pair.right().awaitRecv()).success().id(2);
        sink.assertHolds(3);
    }

    @Test
    @Catalogue({"F25", "F28"})
    void eachMessageHasItsOwnRetries() {
        // timer code 27: 122.88 ms, long enough to post the receive within the first waits
        Pair pair = rcPair(o -> apart(o).rnrRetry(2).minRnrTimer(27));
        for (int i = 0; i < 4; i++) {
            pair.left().post(send().signaled().id(i));
            pair.right().postRecv(recv().id(i));
            expect(pair.left().awaitSend()).success().id(i);
            expect(pair.right().awaitRecv()).success().id(i);
        }
    }

    @Test
    @Catalogue({"F26", "F27"})
    void aWriteWithImmediateOfManyPacketsWaitsForItsReceive() {
        Pair pair = rcPair(o -> apart(o).rnrRetry(7).minRnrTimer(1));
        Region target = right.region(2500);
        pair.left().post(writeImm(5, target, left.region(2500).fill(8).sge()).signaled().id(1),
                send().signaled().id(2));
        assertNoCompletion(pair.left().sendCq());
        pair.right().postRecv(recv().id(11), recv().id(12));
        assertIds(pair.left().sendCq().await(2), 1, 2);
        expect(pair.right().awaitRecv()).success().id(11).immediate(5).bytes(2500);
        expect(pair.right().awaitRecv()).success().id(12).bytes(0);
        target.assertHolds(8);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 7})
    @Catalogue({"F30", "F29", "F28"})
    void theTimeoutElapsesOnceMoreThanTheRetryCount(int retries) {
        Pair pair = rcPair(o -> apart(o).timeout(silentPeerTimeout()).retry(retries));
        pair.right().modify(QpState.RESET);
        long start = System.nanoTime();
        expect(pair.left().execute(send())).status(WcStatus.RETRY_EXC_ERR);
        long nanos = System.nanoTime() - start;
        long least = leastSilenceNanos(silentPeerTimeout(), retries + 1);
        assertTrue(nanos >= least, "gave up after " + nanos + " ns instead of " + least);
        pair.left().awaitState(QpState.ERR);
    }

    @Test
    @Catalogue("F29")
    void withTimeoutZeroTheSenderWaitsForever() {
        Pair pair = rcPair(o -> apart(o).timeout(0).retry(0));
        pair.right().modify(QpState.RESET);
        pair.left().post(send().id(1).signaled());
        assertNoCompletion(pair.left().sendCq());
        pair.left().modify(QpState.ERR);
        assertFlushed(pair.left().sendCq(), 1);
    }

    @Test
    @Catalogue("F31")
    void progressRestoresTheRetries() {
        Pair pair = rcPair(o -> apart(o).timeout(14).retry(7));
        for (int i = 0; i < 3; i++) {
            pair.right().postRecv(recv().id(i));
            pair.left().succeed(send().id(i));
        }
        assertIds(pair.right().recvCq().await(3), 0, 1, 2);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    @Catalogue("F44")
    void aQueuePairConnectedToItselfReceivesItsOwnMessages(QpType type) {
        Qp self = left.qp(type, new QpOptions().separateCqs(left));
        self.connect(self);
        Region source = left.region(64).fill(1);
        Region target = left.region(64);
        Region sink = left.region(64);
        self.postRecv(recv(sink.sge()).id(1), recv().id(2));
        self.succeed(send(source.sge()));
        self.succeed(writeImm(3, target, source.sge()));
        expect(self.awaitRecv()).success().id(1);
        expect(self.awaitRecv()).success().id(2).immediate(3);
        sink.assertHolds(1);
        target.assertHolds(1);
        if (type == QpType.RC) {
            Region back = left.region(64);
            self.succeed(read(target, back.sge()));
            back.assertHolds(1);
            Region counter = left.region(8);
            self.succeed(fetchAndAdd(counter, 5, back.sge(0, 8)));
            assertEquals(5, counter.load(0));
        }
    }

    @Test
    @Catalogue("F46")
    void aChainOfPointersIsFollowedByReads() {
        Pair pair = pair();
        Region remote = right.region(16 * 8);
        for (int i = 0; i < 16; i++) {
            remote.store(8L * i, remote.at(8L * ((i * 5 + 3) % 16)));
        }
        Region local = left.region(8);
        long address = remote.address();
        for (int i = 0; i < 16; i++) {
            long expected = remote.load(address - remote.address());
            pair.left().succeed(SendSpec.read(address, remote.rkey(), local.sge()));
            assertEquals(expected, local.load(0));
            address = local.load(0);
        }
    }

    @Test
    @Catalogue("F6")
    void anInvalidationExecutesAfterEarlierRequests() {
        Pair pair = pair();
        Region region = right.region(64);
        var window = right.window(MwType.TYPE_2);
        int key = window.nextRkey();
        pair.right().post(window.bind(key, region.range(0, 64, Access.REMOTE_WRITE)),
                SendSpec.localInvalidate(key).signaled().id(2));
        Wc wc = expect(pair.right().awaitSend()).success().id(2).wc();
        assertTrue(wc.success());
        expect(pair.left().execute(SendSpec.write(region.address(), key, left.region(8).sge())))
                .status(WcStatus.REM_ACCESS_ERR);
        right.drainAsync();
    }
}
