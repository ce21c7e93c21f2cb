package io.jverbs.contract.srq;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.Cq;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.QpOptions;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.Srq;
import io.jverbs.contract.end.Infos.RepeatedPostsResult;
import io.jverbs.contract.end.Infos.PostResult;
import io.jverbs.contract.end.JobCommands.PostTask;
import io.jverbs.contract.end.RecvSpec;
import io.jverbs.contract.end.Sge;
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.fixture.Catalogue;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests receive requests that many queue pairs share. */
final class SharedReceiveContract extends VerbsContract {

    private Pair sharing(QpType type, Srq srq) {
        return pair(type, o -> o.wrs(32, 32).left(l -> l.separateCqs(left)).right(r -> r.separateCqs(right).srq(srq)));
    }

    private static RecvSpec[] empty(int count) {
        return IntStream.range(0, count).mapToObj(i -> recv().id(i)).toArray(RecvSpec[]::new);
    }

    @Test
    @Catalogue("I1")
    @ResourceLock(GIBIBYTES)
    void everySizeUpToTheLimitIsGrantedAndNoOther() {
        int wr = right.device().maxSrqWr();
        int sge = right.device().maxSrqSge();
        Srq largest = right.srq(wr, sge);
        assertTrue(largest.maxWr() >= wr);
        assertTrue(largest.maxSge() >= sge);
        assertTrue(right.srq(1, 1).maxWr() >= 1);
        assertErrno(Errno.EINVAL, () -> right.srq(wr + 1, 1));
        assertErrno(Errno.EINVAL, () -> right.srq(1, sge + 1));
        assertErrno(Errno.EINVAL, () -> right.srq(0, 1));
    }

    @Test
    @Catalogue("I2")
    void aFullQueueRefusesMoreRequests() {
        Srq srq = right.srq(8, 1);
        int capacity = srq.maxWr();
        assertEquals(new PostResult(Errno.ENOMEM.code(), capacity), srq.tryPost(empty(capacity + 2)));
    }

    @Test
    @Catalogue("I2")
    void moreElementsThanTheLimitAreRefused() {
        Srq srq = right.srq(8, 2);
        Sge[] elements = new Sge[srq.maxSge() + 1];
        Arrays.fill(elements, right.region(8).sge());
        assertEquals(new PostResult(Errno.EINVAL.code(), 1), srq.tryPost(recv(), recv(elements)));
    }

    @Test
    @Catalogue("I2")
    void anEndlessChainIsPostedUntilTheQueueIsFull() {
        Srq srq = right.srq(8, 1);
        assertEquals(Errno.ENOMEM.code(),
                right.end().tryPostSrqReceiveCycle(srq.id(), List.of(recv().id(1), recv().id(2))).errno());
    }

    @Test
    @Catalogue("I3")
    void aQueuePairWithASharedQueueRefusesItsOwnReceives() {
        Pair pair = sharing(QpType.RC, right.srq(8, 1));
        assertEquals(new PostResult(Errno.EINVAL.code(), 0), pair.right().tryPostRecv(recv()));
    }

    @Test
    @Catalogue({"I4", "E27"})
    void requestsAreUsedInOrderByAllQueuePairs() {
        Srq srq = right.srq(8, 1);
        Pair first = sharing(QpType.RC, srq);
        Pair second = sharing(QpType.RC, srq);
        srq.post(empty(4));
        first.left().succeed(send());
        second.left().succeed(send());
        second.left().succeed(send());
        first.left().succeed(send());
        assertIds(first.right().recvCq().await(2), 0, 3).forEach(wc -> expect(wc).success().qp(first.right()));
        assertIds(second.right().recvCq().await(2), 1, 2).forEach(wc -> expect(wc).success().qp(second.right()));
    }

    @Test
    @Catalogue("I5")
    void anEmptyQueueFailsAReliableSenderWithoutRetries() {
        Pair pair = pair(QpType.RC, o -> o.rnrRetry(0).minRnrTimer(1).right(r -> r.srq(right.srq(4, 1))));
        expect(pair.left().execute(send())).status(WcStatus.RNR_RETRY_EXC_ERR);
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    @Catalogue("I5")
    void anEmptyQueueDropsUnreliableMessages(QpType type) {
        Srq srq = right.srq(4, 1);
        Pair pair = sharing(type, srq);
        pair.left().succeed(type == QpType.UD ? pair.toRight(send()) : send());
        assertNoCompletion(pair.right().recvCq());
        srq.post(recv(right.region(64).sge()).id(9));
        pair.left().succeed(type == QpType.UD ? pair.toRight(send()) : send());
        expect(pair.right().awaitRecv()).success().id(9);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ERR", "RESET", "destroyed"})
    @Catalogue({"I6", "D32"})
    void requestsOutliveTheQueuePairsThatShareThem(String end) {
        Srq srq = right.srq(8, 1);
        Pair leaver = sharing(QpType.RC, srq);
        Pair stayer = sharing(QpType.RC, srq);
        srq.post(empty(2));
        if (end.equals("destroyed")) {
            leaver.right().destroy();
        } else {
            leaver.right().modify(QpState.valueOf(end));
            assertNoCompletion(leaver.right().recvCq());
        }
        stayer.left().succeed(send());
        stayer.left().succeed(send());
        assertIds(stayer.right().recvCq().await(2), 0, 1);
        right.drainAsync();
    }

    @Test
    @Catalogue("I7")
    void aLargerQueueKeepsItsRequests() {
        Srq srq = right.srq(4, 1);
        Pair pair = sharing(QpType.RC, srq);
        srq.post(empty(3));
        srq.resize(64);
        assertTrue(srq.query().maxWr() >= 64);
        srq.post(IntStream.range(3, 20).mapToObj(i -> recv().id(i)).toArray(RecvSpec[]::new));
        IntStream.range(0, 20).forEach(i -> pair.left().succeed(send()));
        assertIds(pair.right().recvCq().await(20), LongStream.range(0, 20).toArray());
    }

    @Test
    @Catalogue("I7")
    void theQueueDoesNotShrinkBelowThePostedRequests() {
        Srq srq = right.srq(16, 1);
        srq.post(empty(5));
        assertErrno(Errno.EINVAL, () -> srq.resize(4));
        assertErrno(Errno.EINVAL, () -> srq.resize(right.device().maxSrqWr() + 1));
        assertErrno(Errno.EINVAL, () -> right.end().modifySrq(srq.id(), 32, 33));
        assertTrue(srq.query().maxWr() < 32, "the size must not change either");
        assertEquals(0, srq.query().limit());
    }

    @Test
    @Catalogue({"I8", "I10"})
    void droppingBelowTheLimitRaisesOneEvent() {
        Srq srq = right.srq(16, 1);
        Pair pair = sharing(QpType.RC, srq);
        srq.post(empty(10));
        srq.limit(7);
        assertEquals(7, srq.query().limit());
        IntStream.range(0, 3).forEach(i -> pair.left().succeed(send()));
        // seven are left, which is not below the limit
        right.assertNoAsync();
        pair.left().succeed(send());
        assertEquals(srq.id(), right.awaitAsync(AsyncEventType.SRQ_LIMIT_REACHED).srq());
        assertEquals(0, srq.query().limit());
        pair.left().succeed(send());
        right.assertNoAsync();
    }

    @Test
    @Catalogue("I9")
    void aLimitAboveTheSizeIsRefusedAndZeroDisarms() {
        Srq srq = right.srq(4, 1);
        Pair pair = sharing(QpType.RC, srq);
        assertErrno(Errno.EINVAL, () -> srq.limit(srq.maxWr() + 1));
        srq.post(empty(4));
        srq.limit(4);
        srq.limit(0);
        pair.left().succeed(send());
        right.assertNoAsync();
    }

    @Test
    @Catalogue("I9")
    void aLimitAboveThePostedRequestsRaisesTheEventAtTheNextUse() {
        Srq srq = right.srq(8, 1);
        Pair pair = sharing(QpType.RC, srq);
        srq.post(empty(2));
        srq.limit(5);
        pair.left().succeed(send());
        assertEquals(srq.id(), right.awaitAsync(AsyncEventType.SRQ_LIMIT_REACHED).srq());
    }

    @Test
    @Catalogue("I11")
    void destroyOfAQueueInUseIsRefused() {
        Srq srq = right.srq(4, 1);
        Qp qp = right.qp(QpType.RC, new QpOptions().srq(srq));
        assertErrno(Errno.EBUSY, srq::destroy);
        qp.destroy();
        srq.destroy();
    }

    @Test
    @Catalogue("I12")
    void aQueuePairMovedToErrRaisesLastWqeReached() {
        Srq srq = right.srq(4, 1);
        Pair pair = sharing(QpType.RC, srq);
        pair.right().modify(QpState.ERR);
        assertEquals(pair.right().id(), right.awaitAsync(AsyncEventType.QP_LAST_WQE_REACHED).qp());
        right.assertNoAsync();
    }

    @Test
    @Catalogue("I12")
    void aQueuePairThatFailsRaisesLastWqeReachedOnce() {
        Srq srq = right.srq(4, 1);
        Pair pair = sharing(QpType.RC, srq);
        srq.post(recv(right.region(8, 0).sge()).id(3));
        expect(pair.left().execute(send(left.region(8).sge()))).status(WcStatus.REM_OP_ERR);
        expect(pair.right().awaitRecv()).status(WcStatus.LOC_PROT_ERR).id(3);
        assertEquals(pair.right().id(), right.awaitAsync(AsyncEventType.QP_LAST_WQE_REACHED).qp());
        right.assertNoAsync();
    }

    @Test
    @Catalogue("I13")
    void manyThreadsPostAndManyQueuePairsUseEachRequestOnce() {
        Srq srq = right.srq(1024, 1);
        Cq all = right.cq(2048);
        Cq sends = left.cq(2048);
        List<Pair> pairs = IntStream.range(0, 3)
                .mapToObj(i -> pair(QpType.RC, o -> o.wrs(256, 16).rnrRetry(7).minRnrTimer(1)
                        .left(l -> l.cqs(sends, left.cq(16))).right(r -> r.cqs(right.cq(16), all).srq(srq))))
                .toList();
        RepeatedPostsResult posted = right.end().postRepeatedly(IntStream.range(0, 2)
                .mapToObj(thread -> PostTask.srqReceives(srq.id(), recv().id(1000L * thread), 300)).toList(), List.of(),
                0, 0,
                20_000);
        assertEquals(List.of(), posted.refusals());
        RepeatedPostsResult sent = left.end().postRepeatedly(
                pairs.stream().map(pair -> PostTask.sends(pair.left().id(), send().signaled(), 200)).toList(),
                List.of(sends.id()), 1, 600, 20_000);
        assertEquals(600, sent.completions().size());
        List<Wc> received = all.await(600);
        received.forEach(wc -> expect(wc).success());
        assertEquals(600, received.stream().mapToLong(Wc::wrId).distinct().count());
    }

    @Test
    @Catalogue("I14")
    void aWriteWithImmediateUsesARequestWithoutWritingToItsMemory() {
        Srq srq = right.srq(4, 1);
        Pair pair = sharing(QpType.RC, srq);
        Region sink = right.region(32);
        Region target = right.region(32);
        srq.post(recv(sink.sge()).id(12));
        pair.left().succeed(writeImm(8, target, left.region(32).fill(5).sge()));
        expect(pair.right().awaitRecv()).success().id(12).opcode(WcOpcode.RECV_RDMA_WITH_IMM).immediate(8);
        sink.assertZero();
        target.assertHolds(5);
    }

    @Test
    @Catalogue({"I15", "B6"})
    void receivesUseTheDomainOfTheSharedQueue() {
        int domain = right.newPd();
        Srq srq = right.srq(domain, 4, 1);
        Pair pair = sharing(QpType.RC, srq);
        int inQueuesDomain = right.end().allocateRegion(domain, 64, Access.LOCAL_WRITE).id();
        srq.post(recv(Sge.inRegion(inQueuesDomain, 0, 64)).id(1));
        pair.left().succeed(send(left.region(64).sge()));
        expect(pair.right().awaitRecv()).success().id(1);
        // memory of the queue pair's own domain is refused
        srq.post(recv(right.region(64).sge()).id(2));
        expect(pair.left().execute(send(left.region(64).sge()))).status(WcStatus.REM_OP_ERR);
        expect(pair.right().awaitRecv()).status(WcStatus.LOC_PROT_ERR).id(2);
        right.drainAsync();
    }

    @Test
    @Catalogue("I16")
    void aRequestPostedDuringRnrRetryIsUsed() {
        Srq srq = right.srq(4, 1);
        Pair pair = pair(QpType.RC, o -> o.rnrRetry(7).minRnrTimer(5).left(l -> l.separateCqs(left))
                .right(r -> r.separateCqs(right).srq(srq)));
        pair.left().post(send(left.region(8).sge()).signaled().id(1));
        assertNoCompletion(pair.left().sendCq());
        srq.post(recv(right.region(8).sge()).id(2));
        expect(pair.left().awaitSend()).success().id(1);
        expect(pair.right().awaitRecv()).success().id(2);
    }
}
