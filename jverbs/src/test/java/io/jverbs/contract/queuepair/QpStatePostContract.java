package io.jverbs.contract.queuepair;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Errno;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.end.Infos.PostResult;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.fixture.Catalogue;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests posted requests in each state: the columns post_recv and post_send of the table of states. */
final class QpStatePostContract extends QpStates {

    private static Stream<Arguments> every(QpState... states) {
        return Stream.of(QpType.RC, QpType.UC, QpType.UD).flatMap(type -> Stream.of(states)
                .filter(state -> state != QpState.SQE || type != QpType.RC)
                .map(state -> Arguments.of(type, state)));
    }

    static Stream<Arguments> beforeSending() {
        return every(QpState.RESET, QpState.INIT, QpState.RTR);
    }

    static Stream<Arguments> receiving() {
        return every(QpState.INIT, QpState.RTR, QpState.RTS, QpState.SQD, QpState.SQE);
    }

    private static void assertRefused(PostResult result) {
        assertEquals(Errno.EINVAL.code(), result.errno(), result::toString);
        assertEquals(0, result.failedIndex(), result::toString);
    }

    /** Moves a queue pair from its current state to RTS. */
    private static void continueToRts(Qp qp, Qp peer) {
        QpState from = qp.state();
        if (from == QpState.RESET) {
            qp.toInit();
        }
        if (from.compareTo(QpState.RTR) < 0) {
            qp.toRtr(peer);
        }
        qp.toRts();
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D22")
    void aReceiveIsRefusedInReset(QpType type) {
        Pair pair = rightIn(type, QpState.RESET);
        Inbox inbox = new Inbox(pair.right());
        assertRefused(pair.right().tryPostRecv(inbox.next(), inbox.next()));
        continueToRts(pair.right(), pair.left());
        inbox.post(1);
        deliver(pair, 1);
        inbox.assertReceives(2, 1);
        pair.right().recvCq().assertQuiet();
    }

    @ParameterizedTest
    @MethodSource("receiving")
    @Catalogue("D22")
    void receivesAreAcceptedAndUsedInOrder(QpType type, QpState state) {
        Pair pair = rightIn(type, state);
        Inbox inbox = new Inbox(pair.right()).post(3);
        if (state == QpState.INIT) {
            pair.right().recvCq().assertQuiet();
            pair.right().toRtr(pair.left());
        }
        for (int i = 0; i < 3; i++) {
            deliver(pair, i);
            inbox.assertReceives(i, i);
        }
        pair.right().assertStays(state == QpState.INIT ? QpState.RTR : state);
    }

    @ParameterizedTest
    @MethodSource("beforeSending")
    @Catalogue("D22")
    void aSendIsRefusedBeforeRtsAndTheQueueIsUnchanged(QpType type, QpState state) {
        Pair pair = leftIn(type, state);
        Inbox inbox = new Inbox(pair.right()).post(2);
        assertRefused(pair.left().tryPost(message(pair, 1).signaled(), message(pair, 2).signaled()));
        assertErrno(Errno.EINVAL, () -> left.end().postSend(pair.left().id(), List.of(message(pair, 3).signaled())));
        assertEquals(state, pair.left().state());
        continueToRts(pair.left(), pair.right());
        deliver(pair, 4);
        inbox.assertReceives(0, 4);
        pair.left().sendCq().assertQuiet();
        pair.right().recvCq().assertEmpty();
    }

    @ParameterizedTest
    @MethodSource("beforeSending")
    @Catalogue("D22")
    void refusedSendsOccupyNoQueueEntry(QpType type, QpState state) {
        Pair pair = leftIn(type, state);
        int room = pair.left().info().capabilities().maxSendWr();
        SendSpec request = from(pair, pair.left(), send()).id(5);
        for (int i = 0; i <= room; i++) {
            assertRefused(pair.left().tryPost(request));
        }
        continueToRts(pair.left(), pair.right());
        pair.left().modify(QpState.SQD);
        // no request starts, so all of them must fit
        assertEquals(room, left.end().repostSend(pair.left().id(), request, room));
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D22")
    void inRtsBothQueuesWork(QpType type) {
        Pair pair = leftIn(type, QpState.RTS);
        Inbox there = new Inbox(pair.right()).post(1);
        Inbox back = new Inbox(pair.left()).post(1);
        deliver(pair, 1);
        there.assertReceives(0, 1);
        expect(pair.right().execute(message(pair, pair.right(), 2))).success();
        back.assertReceives(0, 2);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue({"D22", "D35"})
    void inSqdASendIsAcceptedButNotStarted(QpType type) {
        Pair pair = leftIn(type, QpState.SQD);
        Inbox inbox = new Inbox(pair.right()).post(4);
        pair.left().post(message(pair, 1).signaled());
        pair.left().post(message(pair, 2), message(pair, 3).signaled());
        pair.left().sendCq().assertQuiet();
        pair.right().recvCq().assertEmpty();
        inbox.assertEmpty();
        pair.left().modify(QpState.RTS);
        for (int i = 0; i < 3; i++) {
            inbox.assertReceives(i, i + 1);
        }
        assertIds(pair.left().sendCq().await(2), 1, 3).forEach(wc -> expect(wc).success());
        deliver(pair, 4);
        inbox.assertReceives(3, 4);
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    @Catalogue({"D22", "D33"})
    void inSqeASendIsAcceptedAndFlushed(QpType type) {
        Pair pair = leftIn(type, QpState.SQE);
        Inbox inbox = new Inbox(pair.right()).post(1);
        pair.left().post(message(pair, 1), message(pair, 2).signaled());
        pair.left().post(message(pair, 3));
        assertFlushed(pair.left().sendCq(), 1, 2, 3);
        pair.left().assertStays(QpState.SQE);
        // a flushed request was not sent: the next message uses the first receive
        pair.left().modify(QpState.RTS);
        deliver(pair, 4);
        inbox.assertReceives(0, 4);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue({"D22", "D29"})
    void inErrBothQueuesAcceptRequestsAndFlushThem(QpType type) {
        Pair pair = leftIn(type, QpState.ERR);
        Inbox there = new Inbox(pair.right()).post(1);
        Inbox own = new Inbox(pair.left()).post(2);
        pair.left().post(message(pair, 1), message(pair, 2).signaled());
        assertFlushed(pair.left().recvCq(), 0, 1);
        assertFlushed(pair.left().sendCq(), 1, 2);
        // a flushed request was not sent: after a reset the next message uses the first receive
        pair.left().modify(QpState.RESET);
        pair.left().connect(pair.right());
        deliver(pair, 3);
        there.assertReceives(0, 3);
        own.assertEmpty();
    }
}
