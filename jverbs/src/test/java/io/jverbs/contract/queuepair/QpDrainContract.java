package io.jverbs.contract.queuepair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AsyncEventType;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.end.QpAttr;
import io.jverbs.contract.fixture.Catalogue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests SQD: started requests complete, no request starts, and an event reports the end of the drain. */
final class QpDrainContract extends QpStates {

    private static final QpAttr DRAIN_WITH_EVENT = QpAttr.to(QpState.SQD).sqdNotify(true);

    /** Returns a connection with a message that is in RNR retry. */
    private Pair withAStartedMessage() {
        Pair pair = rcPair(o -> apart(o).rnrRetry(7).minRnrTimer(8));
        pair.left().post(message(pair, 1).signaled());
        pair.left().sendCq().assertQuiet();
        return pair;
    }

    private void assertDrained(Qp qp) {
        assertEquals(qp.id(), left.awaitAsync(AsyncEventType.SQ_DRAINED).qp());
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D35")
    void anIdleQueueIsDrainedImmediatelyAndRaisesTheEventIfRequested(QpType type) {
        Pair pair = pair(type, this::apart);
        for (int i = 0; i < 3; i++) {
            pair.left().modify(DRAIN_WITH_EVENT);
            assertDrained(pair.left());
            left.assertNoAsync();
            assertFalse(pair.left().query().draining());
            pair.left().modify(QpState.RTS);
        }
        left.assertNoAsync();
        right.assertNoAsync();
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D35")
    void noEventIsRaisedUnlessRequested(QpType type) {
        Pair pair = pair(type, this::apart);
        pair.left().modify(QpState.SQD);
        pair.left().modify(QpState.SQD);
        pair.left().modify(QpState.RTS);
        pair.left().modify(QpAttr.to(QpState.SQD).sqdNotify(false));
        pair.left().modify(QpState.RTS);
        // an unretrieved event would hide a second one
        left.assertNoAsync();
        pair.left().modify(DRAIN_WITH_EVENT);
        assertDrained(pair.left());
        left.assertNoAsync();
    }

    @Test
    @Catalogue({"D20", "D35"})
    void aStartedMessageCompletesInSqdBeforeTheQueueIsDrained() {
        Pair pair = withAStartedMessage();
        Qp qp = pair.left();
        assertFalse(qp.query().draining());
        qp.modify(DRAIN_WITH_EVENT);
        assertEquals(QpState.SQD, qp.state());
        assertTrue(qp.query().draining());
        left.assertNoAsync();
        Inbox inbox = new Inbox(pair.right()).post(1);
        inbox.assertReceives(0, 1);
        expect(qp.awaitSend()).success().id(1);
        assertDrained(qp);
        assertFalse(qp.query().draining());
        left.assertNoAsync();
        assertEquals(QpState.SQD, qp.state());
    }

    @Test
    @Catalogue("D35")
    void requestsBehindAStartedMessageWaitForRts() {
        Pair pair = withAStartedMessage();
        Qp qp = pair.left();
        qp.modify(DRAIN_WITH_EVENT);
        Region target = right.region(64);
        qp.post(message(pair, 2).signaled(), write(target, left.region(64).fill(3).sge()).id(3).signaled());
        Inbox inbox = new Inbox(pair.right()).post(2);
        inbox.assertReceives(0, 1);
        expect(qp.awaitSend()).success().id(1);
        assertDrained(qp);
        qp.sendCq().assertQuiet();
        pair.right().recvCq().assertEmpty();
        target.assertZero();
        qp.modify(QpState.RTS);
        inbox.assertReceives(1, 2);
        assertIds(qp.sendCq().await(2), 2, 3).forEach(wc -> expect(wc).success());
        target.assertHolds(3);
        left.assertNoAsync();
    }

    @Test
    @Catalogue("D35")
    void aStartedMessageContinuesIfSqdIsLeftEarly() {
        Pair pair = withAStartedMessage();
        pair.left().modify(QpState.SQD);
        pair.left().modify(QpState.RTS);
        pair.left().post(message(pair, 2).signaled());
        Inbox inbox = new Inbox(pair.right()).post(2);
        inbox.assertReceives(0, 1);
        inbox.assertReceives(1, 2);
        assertIds(pair.left().sendCq().await(2), 1, 2).forEach(wc -> expect(wc).success());
    }

    @Test
    @Catalogue("D35")
    void attributesChangedDuringTheDrainDoNotCancelTheEvent() {
        Pair pair = withAStartedMessage();
        pair.left().modify(DRAIN_WITH_EVENT);
        pair.left().modify(QpState.SQD);
        pair.left().modify(QpAttr.none().access(0));
        left.assertNoAsync();
        Inbox inbox = new Inbox(pair.right()).post(1);
        inbox.assertReceives(0, 1);
        assertDrained(pair.left());
        left.assertNoAsync();
    }

    @Test
    @Catalogue("D35")
    void leavingSqdBeforeTheQueueIsDrainedCancelsTheEvent() {
        Pair pair = withAStartedMessage();
        pair.left().modify(DRAIN_WITH_EVENT);
        pair.left().modify(QpState.RTS);
        pair.left().modify(QpState.SQD);
        Inbox inbox = new Inbox(pair.right()).post(1);
        inbox.assertReceives(0, 1);
        expect(pair.left().awaitSend()).success().id(1);
        left.assertNoAsync();
    }

    @Test
    @Catalogue({"D27", "D35"})
    void anErrorEndsTheDrainWithFlushes() {
        Pair pair = withAStartedMessage();
        Qp qp = pair.left();
        qp.modify(QpState.SQD);
        qp.post(message(pair, 2), message(pair, 3).signaled());
        qp.modify(QpState.ERR);
        assertFlushed(qp.sendCq(), 1, 2, 3);
        assertFalse(qp.query().draining());
        // a packet sent before the error may still be in flight
        pair.right().recvCq().assertQuiet();
        Inbox inbox = new Inbox(pair.right()).post(1);
        pair.right().recvCq().assertQuiet();
        inbox.assertEmpty();
    }

    @Test
    @Catalogue({"D34", "D35"})
    void aResetEndsTheDrainWithoutAnEvent() {
        Pair pair = withAStartedMessage();
        Qp qp = pair.left();
        qp.modify(DRAIN_WITH_EVENT);
        qp.modify(QpState.RESET);
        left.assertNoAsync();
        qp.sendCq().assertEmpty();
        assertFalse(qp.query().draining());
        // in the next connection no request has started
        qp.connect(pair.right());
        qp.modify(QpState.SQD);
        assertFalse(qp.query().draining());
        qp.post(message(pair, 2).signaled());
        left.assertNoAsync();
        qp.sendCq().assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D35")
    void queuedMessagesAreSentInOrderWhenSqdIsLeft(QpType type) {
        Pair pair = leftIn(type, QpState.SQD);
        Inbox inbox = new Inbox(pair.right()).post(12);
        for (int i = 0; i < 12; i++) {
            pair.left().post(i % 4 == 3 ? message(pair, i).signaled() : message(pair, i));
        }
        pair.right().recvCq().assertQuiet();
        pair.left().modify(QpState.RTS);
        for (int i = 0; i < 12; i++) {
            inbox.assertReceives(i, i);
        }
        assertIds(pair.left().sendCq().await(3), 3, 7, 11).forEach(wc -> expect(wc).success());
        pair.left().sendCq().assertQuiet();
    }

    @Test
    @Catalogue("D35")
    void aQueuePairInSqdStillResponds() {
        Pair pair = leftIn(QpType.RC, QpState.SQD);
        pair.left().post(message(pair, 1).signaled());
        Region own = left.region(64).fill(9);
        Region sink = right.region(64);
        expect(pair.right().execute(read(own, sink.sge()))).success();
        sink.assertHolds(9);
        pair.left().sendCq().assertQuiet();
    }
}
