package io.jverbs.contract.queuepair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Cq;
import io.jverbs.contract.dsl.Job;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.QpOptions;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.end.Infos.RepeatedPostsResult;
import io.jverbs.contract.end.JobCommands.PostTask;
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.fixture.Catalogue;
import io.jverbs.contract.queuepair.Transitions.Situation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the destruction of queue pairs: in every state, with outstanding work, and during traffic of the peer. */
final class QpDestructionContract extends QpStates {

    private static final Gid GROUP = Gid.parse("ff12::d6");

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.jverbs.contract.queuepair.Transitions#situations")
    @Catalogue("D6")
    void aQueuePairCanBeDestroyedInEveryState(Situation situation) {
        Qp qp = leftIn(situation.type(), situation.state()).left();
        qp.destroy();
        qp.sendCq().assertQuiet();
        qp.recvCq().assertEmpty();
        // the completion queues are no longer in use
        qp.sendCq().destroy();
        qp.recvCq().destroy();
        assertRefused(IllegalStateException.class, qp::state);
        // a second destroy has no effect
        qp.destroy();
    }

    @ParameterizedTest
    @CsvSource({"RC, INIT", "RC, RTS", "RC, SQD", "UC, INIT", "UC, SQD", "UC, SQE", "UD, INIT", "UD, SQD", "UD, SQE"})
    @Catalogue("D6")
    void outstandingWorkIsDiscardedWithoutCompletions(QpType type, QpState state) {
        Pair pair = leftIn(type, state);
        Qp qp = pair.left();
        Inbox inbox = new Inbox(qp).post(3);
        if (state == QpState.SQD) {
            qp.post(message(pair, 1).signaled(), message(pair, 2).signaled());
        }
        qp.destroy();
        qp.sendCq().assertQuiet();
        qp.recvCq().assertEmpty();
        inbox.assertEmpty();
    }

    @Test
    @Catalogue("D6")
    void aSendInRnrRetryIsDiscarded() {
        Pair pair = rcPair(o -> apart(o).rnrRetry(7).minRnrTimer(1));
        pair.left().post(message(pair, 1).signaled(), message(pair, 2).signaled());
        pair.left().destroy();
        // a packet in flight arrives and finds no receive
        pair.right().recvCq().assertQuiet();
        Inbox inbox = new Inbox(pair.right()).post(1);
        pair.left().sendCq().assertQuiet();
        pair.right().recvCq().assertEmpty();
        inbox.assertEmpty();
        pair.right().assertStays(QpState.RTS);
    }

    @Test
    @Catalogue("D6")
    void completionsMayBePolledAfterTheDestruction() {
        Pair pair = rcPair();
        pair.left().post(write(right.region(64), left.region(64).sge()).id(6).signaled());
        pair.left().destroy();
        // [M] a provider may remove it
        for (Wc wc : pair.left().sendCq().poll(4)) {
            expect(wc).success().id(6).qp(pair.left());
        }
        pair.left().sendCq().assertQuiet();
    }

    @Test
    @Catalogue("D6")
    void destroyOfAMulticastMemberIsRefusedUntilItIsDetached() {
        Pair pair = udPair();
        Qp member = pair.right();
        right.end().attachMulticast(member.id(), GROUP, 0);
        assertErrno(Errno.EBUSY, member::destroy);
        // the refusal did not change the queue pair
        Inbox inbox = new Inbox(member).post(1);
        deliver(pair, 1);
        inbox.assertReceives(0, 1);
        right.end().detachMulticast(member.id(), GROUP, 0);
        member.destroy();
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    @Catalogue("D6")
    void messagesForADestroyedQueuePairAreDropped(QpType type) {
        Pair pair = pair(type, this::apart);
        Inbox inbox = new Inbox(pair.right()).post(2);
        deliver(pair, 1);
        inbox.assertReceives(0, 1);
        pair.right().destroy();
        deliver(pair, 2);
        pair.right().recvCq().assertQuiet();
        assertEquals(QpState.RTS, pair.left().state());
    }

    @Test
    @Catalogue("D7")
    void aRequesterWhosePeerIsDestroyedFailsAndFlushes() {
        Pair pair = rcPair(o -> apart(o).timeout(shortTimeout()).retry(1));
        Region target = right.region(64);
        pair.left().succeed(write(target, left.region(64).fill(1).sge()));
        pair.right().destroy();
        pair.left().post(write(target, left.region(64).fill(2).sge()).id(1), message(pair, 2), message(pair, 3));
        expect(pair.left().awaitSend()).status(WcStatus.RETRY_EXC_ERR).id(1);
        assertFlushed(pair.left().sendCq(), 2, 3);
        pair.left().awaitState(QpState.ERR);
        target.assertHolds(1);
    }

    @Test
    @Catalogue("D7")
    void aRequesterInRnrRetryFailsIfItsPeerIsDestroyed() {
        Pair pair = rcPair(o -> apart(o).timeout(silentPeerTimeout()).retry(1).rnrRetry(7).minRnrTimer(5));
        pair.left().post(message(pair, 1), message(pair, 2));
        pair.right().destroy();
        expect(pair.left().awaitSend()).status(WcStatus.RETRY_EXC_ERR).id(1);
        assertFlushed(pair.left().sendCq(), 2);
    }

    @Test
    @Catalogue("D7")
    void aPeerMayBeDestroyedDuringTraffic() {
        int count = 20_000;
        Cq cq = left.cq(count);
        Pair pair = rcPair(o -> o.timeout(shortTimeout()).retry(1).left(l -> l.cq(cq)));
        Region counter = right.region(8);
        PostTask adds = PostTask.sends(pair.left().id(),
                fetchAndAdd(counter, 1, left.region(8).sge()).id(0).signaled(), count);
        Job traffic = left.background(end -> end.postRepeatedly(List.of(adds), List.of(cq.id()), 1, count, 60_000));
        while (counter.load(0) == 0) {
            Thread.yield();
        }
        pair.right().destroy();
        long executed = counter.load(0);
        RepeatedPostsResult result = (RepeatedPostsResult) traffic.await();
        assertEquals(List.of(), result.refusals());
        assertEquals(count, result.completions().size());
        assertStopsOnce(result.completions(), executed);
        assertEquals(executed, counter.load(0), "no request is executed after the peer was destroyed");
    }

    /** Asserts that successes are followed by at most one failure, and then only by flushes. */
    private static void assertStopsOnce(List<Wc> completions, long executed) {
        int successes = 0;
        while (successes < completions.size() && completions.get(successes).success()) {
            successes++;
        }
        // executed requests need not have been acknowledged
        long unacknowledged = executed - successes;
        assertTrue(unacknowledged >= 0 && unacknowledged <= 16, executed + " executed, " + successes + " completed");
        if (successes < completions.size()) {
            expect(completions.get(successes)).status(WcStatus.RETRY_EXC_ERR).id(successes);
        }
        for (int i = successes + 1; i < completions.size(); i++) {
            expect(completions.get(i)).flushed().id(i);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D8")
    void theQpnOfADestroyedQueuePairIsNotReusedSoon(QpType type) {
        QpOptions options = new QpOptions().cq(left.cq());
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            Qp qp = left.qp(type, options);
            assertTrue(seen.add(qp.number()), () -> qp + " has a number that was in use just before");
            qp.destroy();
        }
    }
}
