package io.jverbs.contract.posting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Cq;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.Srq;
import io.jverbs.contract.dsl.Waits;
import io.jverbs.contract.end.Infos.PostResult;
import io.jverbs.contract.end.RecvSpec;
import io.jverbs.contract.end.Wait;
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.fixture.Catalogue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests when entries of a receive queue are free. An entry is free when the completion of its request was polled, and
 * not before. An entry of a shared receive queue is free when a queue pair has taken the request.
 */
final class ReceiveQueueRoomContract extends QpStates {

    private static final int SIZE = 8;

    /** Connects queue pairs; the right one has a small receive queue and a completion queue of the same size. */
    private Pair small(QpType type, Cq recvCq) {
        return pair(type, o -> apart(o).right(r -> r.wrs(1, SIZE).cqs(right.cq(1), recvCq)).rnrRetry(7));
    }

    private static int room(Qp qp) {
        return qp.info().capabilities().maxRecvWr();
    }

    private RecvSpec receive() {
        return recv(right.region(128).sge());
    }

    private static PostResult full(int taken) {
        return new PostResult(Errno.ENOMEM.code(), taken);
    }

    /** Asserts that exactly this number of requests can be posted. */
    private void assertFits(Qp qp, int count) {
        RecvSpec receive = receive();
        assertEquals(full(count), qp.tryPostRecv(Collections.nCopies(count + 1, receive).toArray(RecvSpec[]::new)));
        assertEquals(full(0), qp.tryPostRecv(receive));
    }

    private static void send(Pair pair, int count) {
        for (int i = 0; i < count; i++) {
            deliver(pair, i);
        }
    }

    /** Polls exactly this number of completions, and leaves the others in the queue. */
    private static List<Wc> poll(Cq cq, int count) {
        List<Wc> polled = new ArrayList<>();
        Wait wait = new Wait(Waits.deadline());
        while (polled.size() < count) {
            polled.addAll(cq.poll(count - polled.size()));
            assertTrue(polled.size() == count || wait.goesOn(),
                    () -> "expected " + count + " completions, but polled " + polled);
        }
        return polled;
    }

    private static void pollSuccesses(Cq cq, int count) {
        poll(cq, count).forEach(wc -> expect(wc).success());
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue({"E2", "E3"})
    void aUsedReceiveKeepsItsEntryUntilItsCompletionIsPolled(QpType type) {
        Pair pair = small(type, right.cq(SIZE));
        Qp qp = pair.right();
        int room = room(qp);
        assertFits(qp, room);
        for (int polled = 1; polled < room; polled++) {
            send(pair, polled);
            assertEquals(full(0), qp.tryPostRecv(receive()));
            pollSuccesses(qp.recvCq(), polled);
            assertFits(qp, polled);
        }
        send(pair, room);
        pollSuccesses(qp.recvCq(), room);
        assertFits(qp, room);
    }

    @Test
    @Catalogue({"C15", "E3"})
    void aCompletionQueueAsDeepAsItsReceiveQueueNeverOverflows() {
        Pair pair = small(QpType.RC, right.cq(SIZE));
        Qp qp = pair.right();
        int posted = 0;
        int polled = 0;
        for (int round = 0; round < 30; round++) {
            while (qp.tryPostRecv(receive()).ok()) {
                posted++;
            }
            assertTrue(posted - polled <= room(qp), posted + " posted, " + polled + " polled");
            send(pair, Math.min(3, room(qp) - round % 3));
            List<Wc> some = poll(qp.recvCq(), 3);
            some.forEach(wc -> expect(wc).success());
            polled += some.size();
        }
        right.assertNoAsync();
        assertEquals(QpState.RTS, qp.state());
    }

    @Test
    @Catalogue({"D27", "E3"})
    void aFlushedReceiveKeepsItsEntryUntilItsCompletionIsPolled() {
        Pair pair = small(QpType.RC, right.cq(SIZE));
        Qp qp = pair.right();
        int room = room(qp);
        assertFits(qp, room);
        send(pair, 1);
        qp.modify(QpState.ERR);
        assertEquals(full(0), qp.tryPostRecv(receive()));
        expect(poll(qp.recvCq(), 1).getFirst()).success();
        poll(qp.recvCq(), 2).forEach(wc -> expect(wc).flushed());
        assertFits(qp, 3);
        poll(qp.recvCq(), room).forEach(wc -> expect(wc).flushed());
        qp.recvCq().assertQuiet();
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue({"D34", "E3"})
    void aResetFreesTheEntriesOfUnpolledCompletions(QpType type) {
        Pair pair = small(type, right.cq(4 * SIZE));
        Qp qp = pair.right();
        int room = room(qp);
        for (int round = 0; round < 2; round++) {
            assertFits(qp, room);
            send(pair, 3);
            pair.left().modify(QpState.RESET);
            qp.modify(QpState.RESET);
            pair.left().connect(qp);
            qp.connect(pair.left());
        }
        assertFits(qp, room);
    }

    @Test
    @Catalogue({"C4", "E3"})
    void completionsOfOthersInTheSameQueueFreeNoEntry() {
        Cq shared = right.cq(2 * SIZE);
        Pair one = small(QpType.RC, shared);
        Pair other = small(QpType.RC, shared);
        int room = room(one.right());
        assertFits(one.right(), room);
        assertFits(other.right(), room);
        send(one, 3);
        send(other, 2);
        poll(shared, 4);
        assertFits(other.right(), 1);
        assertFits(one.right(), 3);
        pollSuccesses(shared, 1);
        assertFits(other.right(), 1);
        assertFits(one.right(), 0);
    }

    @Test
    @Catalogue({"C6", "E3"})
    void resizingTheCompletionQueueFreesNoEntryAndLosesNone() {
        Pair pair = small(QpType.RC, right.cq(SIZE));
        Qp qp = pair.right();
        int room = room(qp);
        assertFits(qp, room);
        send(pair, room);
        right.end().resizeCq(qp.recvCq().id(), 4 * room);
        assertEquals(full(0), qp.tryPostRecv(receive()));
        pollSuccesses(qp.recvCq(), 3);
        right.end().resizeCq(qp.recvCq().id(), room);
        assertFits(qp, 3);
        pollSuccesses(qp.recvCq(), room - 3);
        assertFits(qp, room - 3);
    }

    @Test
    @Catalogue({"I2", "I4"})
    void anEntryOfASharedQueueIsFreeWhenItsRequestWasTaken() {
        Srq srq = right.srq(SIZE, 1);
        Pair pair = rcPair(o -> apart(o).right(r -> r.srq(srq)));
        int room = 0;
        while (srq.tryPost(receive()).ok()) {
            room++;
        }
        send(pair, 3);
        for (int i = 0; i < 3; i++) {
            assertTrue(srq.tryPost(receive()).ok(), "request " + i);
        }
        assertEquals(full(0), srq.tryPost(receive()));
        assertTrue(room >= SIZE);
        pollSuccesses(pair.right().recvCq(), 3);
        assertEquals(full(0), srq.tryPost(receive()));
    }
}
