package io.jverbs.contract.queuepair;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Cq;
import io.jverbs.contract.dsl.Job;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.Srq;
import io.jverbs.contract.end.Infos.RepeatedPostsResult;
import io.jverbs.contract.end.JobCommands.PostTask;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.fixture.Catalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests ERR: outstanding requests are flushed in order, each once. */
final class FlushContract extends QpStates {

    /** Returns requests of every kind that the type supports. Every third one is signaled. */
    private List<SendSpec> mixedSends(Pair pair, int count) {
        Region local = left.region(64);
        Region remote = right.region(64);
        List<SendSpec> kinds = new ArrayList<>(List.of(send(local.sge()), sendImm(1, local.sge()), send()));
        if (pair.left().type() != QpType.UD) {
            kinds.addAll(List.of(write(remote, local.sge()), writeImm(2, remote, local.sge())));
        }
        if (pair.left().type() == QpType.RC) {
            kinds.addAll(List.of(read(remote, local.sge()), compareAndSwap(remote, 0, 1, local.sge(0, 8)),
                    fetchAndAdd(remote, 1, local.sge(0, 8)), SendSpec.localInvalidate(GARBAGE_KEY)));
        }
        List<SendSpec> sends = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SendSpec request = from(pair, pair.left(), kinds.get(i % kinds.size())).id(100 + i);
            sends.add(i % 3 == 0 ? request.signaled() : request);
        }
        return sends;
    }

    private static long[] ids(long first, int count) {
        return LongStream.range(first, first + count).toArray();
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D27")
    void modifyToErrorFlushesAllQueuedRequestsInOrder(QpType type) {
        Pair pair = leftIn(type, QpState.SQD);
        Qp qp = pair.left();
        Inbox own = new Inbox(qp).post(7);
        mixedSends(pair, 12).forEach(qp::post);
        qp.sendCq().assertQuiet();
        qp.modify(QpState.ERR);
        assertFlushed(qp.sendCq(), ids(100, 12));
        assertFlushed(qp.recvCq(), ids(0, 7));
        qp.sendCq().assertQuiet();
        qp.recvCq().assertEmpty();
        own.assertEmpty();
    }

    @Test
    @Catalogue("D27")
    void modifyToErrorFlushesRequestsInRnrRetry() {
        Pair pair = rcPair(o -> apart(o).rnrRetry(7).minRnrTimer(1));
        Qp qp = pair.left();
        new Inbox(qp).post(2);
        qp.post(message(pair, 1), message(pair, 2).signaled(), message(pair, 3));
        qp.modify(QpState.ERR);
        assertFlushed(qp.sendCq(), 1, 2, 3);
        assertFlushed(qp.recvCq(), 0, 1);
        // its retries have ended; a packet in flight arrives and finds no receive
        pair.right().recvCq().assertQuiet();
        Inbox there = new Inbox(pair.right()).post(1);
        pair.right().recvCq().assertQuiet();
        there.assertEmpty();
        qp.sendCq().assertQuiet();
    }

    @Test
    @Catalogue("D27")
    void modifyToErrorFlushesUnacknowledgedRequests() {
        // the timeout is infinite: only the modify can end the request
        Pair pair = leftIn(QpType.RC, QpState.RTS, o -> o.left(l -> l.timeout(0)).right(r -> r.upTo(QpState.INIT)));
        pair.left().post(message(pair, 1), message(pair, 2).signaled());
        pair.left().sendCq().assertQuiet();
        pair.left().modify(QpState.ERR);
        assertFlushed(pair.left().sendCq(), 1, 2);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D27")
    void receivesFlushFromEveryStateThatAcceptsThem(QpType type) {
        for (QpState state : List.of(QpState.INIT, QpState.RTR, QpState.RTS, QpState.SQD)) {
            Qp qp = leftIn(type, state).left();
            new Inbox(qp).post(3);
            qp.modify(QpState.ERR);
            assertFlushed(qp.recvCq(), 0, 1, 2);
            qp.sendCq().assertQuiet();
        }
    }

    @Test
    @Catalogue({"D27", "D28"})
    void aFailureOfAReliablePairFlushesBothQueues() {
        Pair pair = leftIn(QpType.RC, QpState.RTS);
        Qp qp = pair.left();
        new Inbox(qp).post(3);
        List<SendSpec> chain = new ArrayList<>(List.of(send(garbage()).id(99)));
        chain.addAll(mixedSends(pair, 10));
        qp.post(chain.toArray(SendSpec[]::new));
        expect(qp.awaitSend()).status(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR).id(99).qp(qp);
        assertFlushed(qp.sendCq(), ids(100, 10));
        assertFlushed(qp.recvCq(), 0, 1, 2);
        qp.awaitState(QpState.ERR);
        qp.sendCq().assertQuiet();
        qp.recvCq().assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D28")
    void theFailedRequestCompletesBeforeTheFlushedOnes(QpType type) {
        Pair pair = pair(type, this::apart);
        Inbox inbox = new Inbox(pair.right()).post(8);
        SendSpec bad = from(pair, pair.left(), send(garbage())).id(4);
        pair.left().post(message(pair, 1), message(pair, 2).signaled(), message(pair, 3), bad, message(pair, 5),
                message(pair, 6).signaled(), message(pair, 7));
        List<Wc> seen = assertIds(pair.left().sendCq().await(5), 2, 4, 5, 6, 7);
        expect(seen.getFirst()).success();
        expect(seen.get(1)).status(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR);
        seen.subList(2, 5).forEach(wc -> expect(wc).flushed());
        pair.left().sendCq().assertQuiet();
        for (int i = 0; i < 3; i++) {
            inbox.assertReceives(i, i + 1);
        }
        pair.right().recvCq().assertQuiet();
    }

    @Test
    @Catalogue({"D28", "D31"})
    void aRefusalByThePeerAmongUnsignaledRequestsIsReportedOnce() {
        Pair pair = rcPair(this::apart);
        Region target = right.region(8 * MESSAGE);
        List<SendSpec> chain = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            int key = i == 4 ? GARBAGE_KEY : target.rkey();
            chain.add(SendSpec.write(target.at((long) i * MESSAGE), key, left.region(MESSAGE).fill(i).sge()).id(i));
        }
        pair.left().post(chain.toArray(SendSpec[]::new));
        expect(pair.left().awaitSend()).status(WcStatus.REM_ACCESS_ERR).id(4);
        assertFlushed(pair.left().sendCq(), 5, 6, 7);
        pair.left().sendCq().assertQuiet();
        for (int i = 0; i < 4; i++) {
            target.assertHolds((long) i * MESSAGE, MESSAGE, i);
        }
        target.assertZero(4 * MESSAGE, 4 * MESSAGE);
    }

    @Test
    @Catalogue("D31")
    void aRefusalByThePeerAmongSignaledRequestsIsReportedOnce() {
        Pair pair = rcPair(o -> apart(o).signalAll());
        Region target = right.region(64);
        Region local = left.region(64);
        List<SendSpec> chain = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            chain.add((i == 5
                    ? SendSpec.read(target.at(1), target.rkey(), local.sge())
                    : write(target, local.sge())).id(i));
        }
        pair.left().post(chain.toArray(SendSpec[]::new));
        pair.left().post(write(target, local.sge()).id(12));
        List<Wc> seen = assertIds(pair.left().sendCq().await(13), ids(0, 13));
        for (Wc wc : seen) {
            expect(wc).status(wc.wrId() < 5
                    ? WcStatus.SUCCESS
                    : wc.wrId() == 5 ? WcStatus.REM_ACCESS_ERR : WcStatus.WR_FLUSH_ERR);
        }
        pair.left().sendCq().assertQuiet();
        pair.right().sendCq().assertEmpty();
        pair.right().recvCq().assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D29")
    void requestsPostedAfterTheErrorAreFlushed(QpType type) {
        Pair pair = leftIn(type, QpState.ERR);
        Inbox own = new Inbox(pair.left());
        for (int i = 0; i < 16; i++) {
            pair.left().post(message(pair, i));
            expect(pair.left().awaitSend()).flushed().id(i).qp(pair.left());
            pair.left().postRecv(own.next());
            expect(pair.left().awaitRecv()).flushed().id(i).qp(pair.left());
        }
        pair.left().sendCq().assertQuiet();
        pair.left().recvCq().assertEmpty();
        assertEquals(QpState.ERR, pair.left().state());
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D29")
    void requestsOfManyThreadsInErrAreFlushedOnceEach(QpType type) {
        int each = 150;
        Cq cq = left.cq(6 * each);
        Pair pair = pair(type, o -> o.left(l -> l.cq(cq)));
        Qp qp = pair.left();
        qp.modify(QpState.ERR);
        List<PostTask> posters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            posters.add(PostTask.sends(qp.id(), from(pair, qp, send()).id(1000L * i), each));
            posters.add(PostTask.receives(qp.id(), recv().id(10_000 + 1000L * i), each));
        }
        RepeatedPostsResult result = left.end().postRepeatedly(posters, List.of(cq.id()), 1, 6 * each, 10_000);
        assertEachFlushedOnce(result, posters, each);
        cq.assertQuiet();
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue({"D27", "D29"})
    void requestsPostedDuringTheErrorCompleteOnceEach(QpType type) {
        int each = 150;
        Cq cq = left.cq(2 * each);
        Pair pair = pair(type, o -> o.left(l -> l.cq(cq)));
        Qp qp = pair.left();
        qp.modify(QpState.SQD);
        List<PostTask> posters = List.of(PostTask.sends(qp.id(), from(pair, qp, send()).id(0), each),
                PostTask.receives(qp.id(), recv().id(1000), each));
        // full queues continue only when the error flushes them
        Job traffic = left.background(end -> end.postRepeatedly(posters, List.of(cq.id()), 1, 2 * each, 10_000));
        qp.modify(QpState.ERR);
        assertEachFlushedOnce((RepeatedPostsResult) traffic.await(), posters, each);
        cq.assertQuiet();
    }

    /** Asserts that the requests of each poster are flushed in order. Both kinds complete on one queue. */
    private static void assertEachFlushedOnce(RepeatedPostsResult result, List<PostTask> posters, int each) {
        assertEquals(List.of(), result.refusals());
        assertEquals(posters.size() * each, result.completions().size());
        result.completions().forEach(wc -> expect(wc).flushed());
        for (PostTask poster : posters) {
            long first = poster.send() != null ? poster.send().wrId() : poster.receive().wrId();
            List<Long> seen = result.completions().stream().map(Wc::wrId)
                    .filter(id -> id >= first && id < first + each).toList();
            assertEquals(LongStream.range(first, first + each).boxed().toList(), seen);
        }
    }

    @Test
    @Catalogue("D32")
    void anInboundErrorFlushesTheReceiversQueues() {
        Pair pair = rcPair(this::apart);
        Qp receiver = pair.right();
        Region readable = right.region(64, Access.LOCAL_WRITE | Access.REMOTE_READ);
        receiver.modify(QpState.SQD);
        receiver.post(message(pair, receiver, 10), message(pair, receiver, 11).signaled());
        new Inbox(receiver).post(3);
        expect(pair.left().execute(write(readable, left.region(64).sge()))).status(WcStatus.REM_ACCESS_ERR);
        receiver.awaitState(QpState.ERR);
        assertFlushed(receiver.recvCq(), 0, 1, 2);
        assertFlushed(receiver.sendCq(), 10, 11);
        receiver.recvCq().assertQuiet();
        receiver.sendCq().assertEmpty();
        readable.assertZero();
    }

    @Test
    @Catalogue("D32")
    void anInboundErrorDoesNotAffectOtherUsersOfTheSharedQueue() {
        Srq srq = right.srq(8, 1);
        Pair failing = rcPair(o -> apart(o).right(r -> r.srq(srq)));
        Pair other = rcPair(o -> apart(o).right(r -> r.srq(srq)));
        Inbox inbox = new Inbox(other.right());
        srq.post(inbox.next(), inbox.next());
        Region unwritable = right.region(64, Access.REMOTE_READ);
        expect(failing.left().execute(write(unwritable, left.region(64).sge()))).status(WcStatus.REM_ACCESS_ERR);
        failing.right().awaitState(QpState.ERR);
        failing.right().recvCq().assertQuiet();
        deliver(other, 1);
        deliver(other, 2);
        inbox.assertReceives(0, 1);
        inbox.assertReceives(1, 2);
        failing.right().recvCq().assertQuiet();
    }
}
