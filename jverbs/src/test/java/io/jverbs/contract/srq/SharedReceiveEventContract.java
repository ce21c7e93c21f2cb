package io.jverbs.contract.srq;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.Srq;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.Infos.AsyncInfo;
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.fixture.Catalogue;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests events of shared receive queues: limits that are armed again, queue pairs that are reconnected, all types of
 * queue pairs.
 */
final class SharedReceiveEventContract extends QpStates {

    private Srq srq;
    private Pair pair;

    @BeforeEach
    void share() {
        srq = right.srq(16, 1);
        pair = rcPair(o -> apart(o).right(r -> r.srq(srq)));
    }

    private void post(int count) {
        for (int i = 0; i < count; i++) {
            srq.post(recv());
        }
    }

    private void use(int count) {
        for (int i = 0; i < count; i++) {
            pair.left().succeed(send());
            expect(pair.right().awaitRecv()).success();
        }
    }

    private void assertLimitReached() {
        AsyncInfo event = right.awaitAsync(AsyncEventType.SRQ_LIMIT_REACHED);
        assertEquals(srq.id(), event.srq());
        assertEquals(End.NONE, event.qp());
        assertEquals(End.NONE, event.cq());
    }

    // Limit events

    @Test
    @Catalogue("I8")
    void theLimitCanBeArmedAgain() {
        post(10);
        for (int limit : new int[] {10, 9, 5}) {
            srq.limit(limit);
            assertEquals(limit, srq.query().limit());
            use(limit == 5 ? 4 : 1);
            assertLimitReached();
            assertEquals(0, srq.query().limit());
        }
        right.assertNoAsync();
    }

    @Test
    @Catalogue("I8")
    void receivesPostedAfterArmingCount() {
        post(4);
        srq.limit(3);
        for (int i = 0; i < 5; i++) {
            use(1);
            post(1);
        }
        right.assertNoAsync();
        use(1);
        right.assertNoAsync();
        use(1);
        assertLimitReached();
    }

    @Test
    @Catalogue("I8")
    void allQueuePairsCountTowardsTheLimit() {
        Pair other = rcPair(o -> apart(o).right(r -> r.srq(srq)));
        post(4);
        srq.limit(3);
        use(1);
        right.assertNoAsync();
        other.left().succeed(send());
        assertLimitReached();
    }

    @Test
    @Catalogue("I8")
    void anUnarmedQueueRaisesNoEvent() {
        assertEquals(0, srq.query().limit());
        post(4);
        use(4);
        right.assertNoAsync();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100_000, -1})
    @Catalogue("I9")
    void aLimitOutOfRangeIsRefusedAndTheOldOneStays(int beyond) {
        int limit = beyond < 0 ? beyond : srq.maxWr() + beyond;
        post(4);
        srq.limit(4);
        assertErrno(Errno.EINVAL, () -> srq.limit(limit));
        assertEquals(4, srq.query().limit());
        use(1);
        assertLimitReached();
    }

    // QP_LAST_WQE_REACHED

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("I12")
    void aQueuePairOfEachTypeMovedToErrRaisesLastWqeReached(QpType type) {
        SharedInbox inbox = new SharedInbox(right, 8).post(3);
        Pair other = pair(type, o -> apart(o).right(r -> r.srq(inbox.srq())));
        deliver(other, 1);
        inbox.assertReceives(other.right(), 0, 1);
        other.right().modify(QpState.ERR);
        AsyncInfo event = right.awaitAsync(AsyncEventType.QP_LAST_WQE_REACHED);
        assertEquals(other.right().id(), event.qp());
        assertEquals(End.NONE, event.srq());
        right.assertNoAsync();
        left.assertNoAsync();
    }

    @Test
    @Catalogue("I12")
    void takenReceivesCompleteBeforeLastWqeReached() {
        for (int i = 0; i < 5; i++) {
            srq.post(recv().id(i));
        }
        for (int i = 0; i < 3; i++) {
            pair.left().succeed(send());
        }
        pair.right().modify(QpState.ERR);
        right.awaitAsync(AsyncEventType.QP_LAST_WQE_REACHED);
        // one poll, without waiting
        List<Wc> taken = pair.right().recvCq().poll(8);
        assertIds(taken, 0, 1, 2).forEach(wc -> expect(wc).success());
        pair.right().recvCq().assertQuiet();
    }

    @Test
    @Catalogue("I12")
    void aRefusedAccessRaisesAnAccessErrorInAddition() {
        post(1);
        Region unwritable = right.region(64, 0);
        expect(pair.left().execute(write(unwritable, left.region(8).sge()))).status(WcStatus.REM_ACCESS_ERR);
        List<AsyncInfo> events = right.awaitAsync(2);
        Set<AsyncEventType> types = EnumSet.noneOf(AsyncEventType.class);
        for (AsyncInfo event : events) {
            types.add(event.type());
            assertEquals(pair.right().id(), event.qp(), event::toString);
        }
        assertEquals(EnumSet.of(AsyncEventType.QP_ACCESS_ERR, AsyncEventType.QP_LAST_WQE_REACHED), types);
        right.assertNoAsync();
    }

    @Test
    @Catalogue("I12")
    void aQueuePairWithoutSharedQueueRaisesNoLastWqeReached() {
        Pair own = rcPair(this::apart);
        new Inbox(own.right()).post(2);
        own.right().modify(QpState.ERR);
        assertFlushed(own.right().recvCq(), 0, 1);
        right.assertNoAsync();
    }

    @Test
    @Catalogue("I12")
    void aReconnectedQueuePairRaisesLastWqeReachedAgain() {
        for (int i = 0; i < 2; i++) {
            pair.right().modify(QpState.ERR);
            assertEquals(pair.right().id(), right.awaitAsync(AsyncEventType.QP_LAST_WQE_REACHED).qp());
            for (Qp qp : List.of(pair.left(), pair.right())) {
                qp.modify(QpState.RESET);
            }
            pair.left().connect(pair.right());
            pair.right().connect(pair.left());
            post(1);
            use(1);
        }
        right.assertNoAsync();
        assertEquals(QpState.RTS, pair.right().state());
    }
}
