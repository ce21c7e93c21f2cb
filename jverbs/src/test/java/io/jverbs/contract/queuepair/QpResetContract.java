package io.jverbs.contract.queuepair;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Psn;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.RemoteOp;
import io.jverbs.contract.end.RecvSpec;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.fixture.Catalogue;
import io.jverbs.contract.queuepair.Transitions.Situation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests RESET: the queues are emptied without completions, and the queue pair can be connected again. */
final class QpResetContract extends QpStates {

    /** Reconnects both queue pairs from any state, with PSNs other than before. */
    private static void reconnect(Pair pair) {
        pair.left().options().psn(Psn.add(pair.left().psn(), 0x10_0001));
        pair.right().options().psn(Psn.add(pair.right().psn(), 0x70_0003));
        reconnectAsBefore(pair);
    }

    private static void reconnectAsBefore(Pair pair) {
        pair.left().modify(QpState.RESET);
        pair.right().modify(QpState.RESET);
        pair.left().connect(pair.right());
        pair.right().connect(pair.left());
    }

    /** Asserts that one message in each direction arrives, and that there are no other completions. */
    private static void assertDeliversBothWays(Pair pair) {
        Inbox there = new Inbox(pair.right()).post(1);
        Inbox back = new Inbox(pair.left()).post(1);
        deliver(pair, 1);
        there.assertReceives(0, 1);
        expect(pair.right().execute(message(pair, pair.right(), 2).id(2))).success().id(2);
        back.assertReceives(0, 2);
        for (Qp qp : new Qp[] {pair.left(), pair.right()}) {
            qp.sendCq().assertEmpty();
            qp.recvCq().assertEmpty();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.jverbs.contract.queuepair.Transitions#situations")
    @Catalogue("D34")
    void aResetFromEveryStateAllowsANewConnection(Situation situation) {
        Pair pair = leftIn(situation.type(), situation.state());
        pair.left().modify(QpState.RESET);
        assertEquals(QpState.RESET, pair.left().state());
        pair.left().options().upTo(QpState.RTS);
        reconnect(pair);
        assertDeliversBothWays(pair);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D34")
    void bothQueuesAreEmptiedWithoutCompletions(QpType type) {
        Pair pair = leftIn(type, QpState.SQD);
        Qp qp = pair.left();
        Inbox dropped = new Inbox(qp).post(5);
        qp.post(message(pair, 21), message(pair, 22).signaled(), message(pair, 23));
        qp.modify(QpState.RESET);
        reconnect(pair);
        assertDeliversBothWays(pair);
        dropped.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D34")
    void bothQueuesHaveTheirFullCapacityAfterAReset(QpType type) {
        Pair pair = leftIn(type, QpState.SQD);
        Qp qp = pair.left();
        int sends = qp.info().capabilities().maxSendWr();
        int receives = qp.info().capabilities().maxRecvWr();
        SendSpec request = from(pair, qp, send());
        // a receive of UD needs room for the 40 bytes before the payload
        RecvSpec receive = type == QpType.UD ? recv(left.region(40).sge()) : recv();
        for (int round = 0; round < 3; round++) {
            assertEquals(sends, left.end().repostSend(qp.id(), request, sends));
            for (int i = 0; i < receives; i++) {
                qp.postRecv(receive);
            }
            qp.modify(QpState.RESET);
            qp.toInit().toRtr(pair.right()).toRts().modify(QpState.SQD);
        }
        qp.sendCq().assertQuiet();
        qp.recvCq().assertEmpty();
    }

    @Test
    @Catalogue("D34")
    void aSendInRnrRetryIsDiscarded() {
        Pair pair = rcPair(o -> apart(o).rnrRetry(7).minRnrTimer(1));
        pair.left().post(message(pair, 1), message(pair, 2).signaled());
        pair.left().modify(QpState.RESET);
        // a packet in flight arrives and finds no receive
        pair.right().recvCq().assertQuiet();
        Inbox there = new Inbox(pair.right()).post(1);
        pair.left().sendCq().assertQuiet();
        pair.right().recvCq().assertEmpty();
        there.assertEmpty();
        reconnect(pair);
        assertDeliversBothWays(pair);
    }

    @Test
    @Catalogue("D34")
    void anUnacknowledgedSendIsDiscarded() {
        Pair pair = leftIn(QpType.RC, QpState.RTS, o -> o.left(l -> l.timeout(0)).right(r -> r.upTo(QpState.INIT)));
        pair.right().options().upTo(QpState.RTS);
        pair.left().post(message(pair, 1).signaled());
        pair.left().modify(QpState.RESET);
        reconnect(pair);
        assertDeliversBothWays(pair);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    @Catalogue("D34")
    void psnsStartWithTheValuesOfTheNewConnection(QpType type) {
        Pair pair = pair(type, this::apart);
        for (int psn : new int[] {0, 0xff_ffff, 0x80_0000, 5}) {
            assertDeliversBothWays(pair);
            pair.left().options().psn(psn);
            pair.right().options().psn(psn ^ 0x55_5555);
            reconnectAsBefore(pair);
        }
        assertDeliversBothWays(pair);
    }

    @Test
    @Catalogue("D34")
    void aResetQueuePairDoesNotRespond() {
        Pair pair = rcPair(o -> apart(o).timeout(shortTimeout()).retry(1));
        new Inbox(pair.right()).post(1);
        pair.right().modify(QpState.RESET);
        expect(pair.left().execute(message(pair, 1))).status(WcStatus.RETRY_EXC_ERR);
        pair.right().recvCq().assertQuiet();
        assertEquals(QpState.RESET, pair.right().state());
    }

    @Test
    @Catalogue("D34")
    void aResetRestoresTheRetries() {
        Pair pair = rcPair(o -> apart(o).rnrRetry(1).minRnrTimer(1));
        for (int round = 0; round < 3; round++) {
            expect(pair.left().execute(message(pair, 1))).status(WcStatus.RNR_RETRY_EXC_ERR);
            reconnect(pair);
        }
        assertDeliversBothWays(pair);
    }

    @Test
    @Catalogue("D34")
    void rightsOfTheEarlierConnectionAreGoneAfterAReset() {
        Pair pair = rcPair(this::apart);
        Region target = right.region(64);
        pair.left().succeed(write(target, left.region(64).fill(1).sge()));
        pair.right().options().access(0);
        reconnect(pair);
        for (RemoteOp operation : RemoteOp.values()) {
            expect(pair.left().execute(operation.on(target, left.region(8).sge())))
                    .status(WcStatus.REM_INV_REQ_ERR, WcStatus.REM_ACCESS_ERR);
            reconnect(pair);
        }
        target.assertHolds(1);
    }

    @Test
    @Catalogue("D34")
    void earlierCompletionsMayRemainAfterAReset() {
        Pair pair = rcPair(this::apart);
        Inbox inbox = new Inbox(pair.right()).post(2);
        pair.left().post(message(pair, 1).signaled());
        inbox.assertReceives(0, 1);
        // its completion is available once the message was acknowledged
        pair.left().post(write(right.region(8), left.region(8).store(0, 7).sge()).id(2).signaled());
        pair.left().modify(QpState.RESET);
        for (Wc wc : pair.left().sendCq().poll(4)) {
            expect(wc).success().qp(pair.left());
        }
        pair.left().sendCq().assertQuiet();
        reconnect(pair);
        assertDeliversBothWays(pair);
    }

    @Test
    @Catalogue("D34")
    void aQueuePairCanBeConnectedToAnotherPeerAfterAReset() {
        Pair first = rcPair(this::apart);
        Pair second = rcPair(this::apart);
        Pair crossed = new Pair(first.left(), second.right(), first.toRight(), second.toLeft());
        reconnect(crossed);
        assertDeliversBothWays(crossed);
    }
}
