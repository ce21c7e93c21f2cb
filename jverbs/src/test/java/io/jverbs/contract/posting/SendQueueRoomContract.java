package io.jverbs.contract.posting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Cq;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.QpOptions;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.Waits;
import io.jverbs.contract.end.Infos.PostResult;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Wait;
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.fixture.Catalogue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests when entries of the send queue are free. An entry is free when the completion that covers its request was
 * polled, and not before.
 */
final class SendQueueRoomContract extends QpStates {

    private static final int SIZE = 8;

    private Pair small(QpType type) {
        return small(type, left.cq(SIZE));
    }

    /** Connects queue pairs; the left one has a small send queue with its own completion queue. */
    private Pair small(QpType type, Cq sendCq) {
        return pair(type, o -> apart(o).left(l -> l.wrs(SIZE, 1).cqs(sendCq, left.cq(1))));
    }

    private static int room(Qp qp) {
        return qp.info().capabilities().maxSendWr();
    }

    /** Returns a request that needs nothing from the peer. For UD, a datagram with a Q_Key that the peer drops. */
    private SendSpec request(Pair pair) {
        return pair.left().type() == QpType.UD
                ? send(left.region(8).sge()).to(pair.toRight(), pair.right().number(), QpOptions.QKEY + 1)
                : write(right.region(8), left.region(8).sge());
    }

    /**
     * Waits until all requests are done, without polling a completion: the drained send queue shows it. Requests of UC
     * and UD are done when they are posted. Polls another queue in the meantime, which advances simulated time.
     */
    private static void awaitDone(Pair pair) {
        Qp qp = pair.left();
        if (qp.type() == QpType.RC) {
            qp.modify(QpState.SQD);
            Wait wait = new Wait(Waits.deadline());
            while (qp.query().draining()) {
                assertEquals(List.of(), qp.recvCq().poll(1));
                assertTrue(wait.goesOn(), () -> qp + " is still draining");
            }
            qp.modify(QpState.RTS);
        }
    }

    private static SendSpec[] chain(SendSpec request, int length) {
        return Collections.nCopies(length, request).toArray(SendSpec[]::new);
    }

    private static PostResult full(int taken) {
        return new PostResult(Errno.ENOMEM.code(), taken);
    }

    /** Asserts that exactly this number of requests can be posted. */
    private static void assertFits(Qp qp, SendSpec request, int count) {
        assertEquals(full(count), qp.tryPost(chain(request, count + 1)));
        assertEquals(full(0), qp.tryPost(request));
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
    @Catalogue({"D37", "E3"})
    void aSignaledRequestKeepsItsEntryUntilItsCompletionIsPolled(QpType type) {
        Pair pair = small(type);
        Qp qp = pair.left();
        SendSpec signaled = request(pair).signaled();
        int room = room(qp);
        for (int i = 0; i < room; i++) {
            qp.post(signaled);
        }
        awaitDone(pair);
        assertEquals(full(0), qp.tryPost(signaled));
        for (int polled = 1; polled < room; polled++) {
            pollSuccesses(qp.sendCq(), polled);
            assertFits(qp, signaled, polled);
            awaitDone(pair);
        }
        pollSuccesses(qp.sendCq(), room);
        qp.sendCq().assertQuiet();
    }

    @ParameterizedTest
    @EnumSource(names = {"RDMA_READ", "ATOMIC_FETCH_AND_ADD", "SEND", "RDMA_WRITE_WITH_IMM"})
    @Catalogue("D37")
    void requestsOfEachOpcodeKeepTheirEntries(WrOpcode opcode) {
        Pair pair = small(QpType.RC);
        Qp qp = pair.left();
        Region local = left.region(8);
        Region remote = right.region(8);
        int room = room(qp);
        SendSpec request = switch (opcode) {
            case RDMA_READ -> read(remote, local.sge());
            case ATOMIC_FETCH_AND_ADD -> fetchAndAdd(remote, 1, local.sge());
            case SEND -> send();
            default -> writeImm(1, remote, local.sge());
        };
        for (int i = 0; i < 16; i++) {
            pair.right().postRecv(recv());
        }
        assertFits(qp, request.signaled(), room);
        awaitDone(pair);
        assertEquals(full(0), qp.tryPost(request));
        pollSuccesses(qp.sendCq(), 3);
        assertFits(qp, request.signaled(), 3);
        pollSuccesses(qp.sendCq(), room);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D37")
    void unsignaledRequestsKeepTheirEntriesUntilALaterCompletionIsPolled(QpType type) {
        Pair pair = small(type);
        Qp qp = pair.left();
        SendSpec unsignaled = request(pair);
        int room = room(qp);
        for (int round = 0; round < 3; round++) {
            qp.post(unsignaled.signaled());
            qp.post(chain(unsignaled, room - 3));
            qp.post(unsignaled.signaled());
            qp.post(unsignaled);
            awaitDone(pair);
            assertEquals(full(0), qp.tryPost(unsignaled));
            pollSuccesses(qp.sendCq(), 1);
            // only the first entry is free: those behind it are covered by a completion that was not polled
            assertFits(qp, unsignaled, 1);
            pollSuccesses(qp.sendCq(), 1);
            // no completion covers the last two
            assertFits(qp, unsignaled.signaled(), room - 2);
            pollSuccesses(qp.sendCq(), room - 2);
        }
        qp.sendCq().assertQuiet();
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D37")
    void aQueueWithoutASignaledRequestStaysFullUntilAReset(QpType type) {
        Pair pair = small(type);
        Qp qp = pair.left();
        SendSpec unsignaled = request(pair);
        for (int round = 0; round < 2; round++) {
            assertFits(qp, unsignaled, room(qp));
            awaitDone(pair);
            qp.sendCq().assertQuiet();
            assertEquals(full(0), qp.tryPost(unsignaled.signaled()));
            assertEquals(QpState.RTS, qp.state());
            reset(pair);
        }
        expect(qp.execute(unsignaled)).success();
    }

    private static void reset(Pair pair) {
        pair.left().modify(QpState.RESET);
        pair.right().modify(QpState.RESET);
        pair.left().connect(pair.right());
        pair.right().connect(pair.left());
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue({"D34", "D37"})
    void aResetFreesTheEntriesOfUnpolledCompletions(QpType type) {
        Pair pair = small(type, left.cq(4 * SIZE));
        Qp qp = pair.left();
        SendSpec signaled = request(pair).signaled();
        int room = room(qp);
        qp.post(chain(signaled, room - 1));
        qp.post(request(pair));
        awaitDone(pair);
        reset(pair);
        poll(qp.sendCq(), qp.sendCq().poll(1).isEmpty() ? 0 : room - 2);
        assertFits(qp, signaled, room);
        pollSuccesses(qp.sendCq(), room);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Catalogue({"D27", "D29", "D37"})
    void aFlushedRequestKeepsItsEntryUntilItsCompletionIsPolled(boolean signaled) {
        Pair pair = small(QpType.RC);
        Qp qp = pair.left();
        UnaryOperator<SendSpec> signaling = signaled ? SendSpec::signaled : UnaryOperator.identity();
        SendSpec request = signaling.apply(request(pair));
        int room = room(qp);
        qp.modify(QpState.SQD);
        assertFits(qp, request, room);
        qp.modify(QpState.ERR);
        assertEquals(full(0), qp.tryPost(request));
        assertFlushed(qp.sendCq(), 2);
        assertFits(qp, request, 2);
        assertFlushed(qp.sendCq(), room);
        assertFits(qp, request, room);
        assertFlushed(qp.sendCq(), room);
        qp.sendCq().assertQuiet();
    }

    private static void assertFlushed(Cq cq, int count) {
        poll(cq, count).forEach(wc -> expect(wc).flushed());
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue({"D28", "D37"})
    void theCompletionOfAFailedRequestFreesEarlierEntries(QpType type) {
        Pair pair = small(type);
        Qp qp = pair.left();
        SendSpec unsignaled = request(pair);
        int room = room(qp);
        qp.post(chain(unsignaled, room - 2));
        qp.post(from(pair, qp, send(garbage())), unsignaled);
        expect(poll(qp.sendCq(), 1).getFirst()).status(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR);
        assertFits(qp, unsignaled, room - 1);
        assertFlushed(qp.sendCq(), room);
        qp.sendCq().assertQuiet();
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue({"C4", "D37"})
    void completionsOfOthersInTheSameQueueFreeNoEntry(QpType type) {
        Cq shared = left.cq(2 * SIZE);
        Pair one = small(type, shared);
        Pair other = small(type, shared);
        SendSpec ofOne = request(one).signaled();
        SendSpec ofOther = request(other).signaled();
        int room = room(one.left());
        one.left().post(chain(ofOne, room));
        awaitDone(one);
        other.left().post(chain(ofOther, room));
        awaitDone(other);
        poll(shared, room - 1).forEach(wc -> expect(wc).success().qp(one.left()));
        assertEquals(full(0), other.left().tryPost(ofOther));
        poll(shared, 2);
        assertFits(other.left(), ofOther, 1);
        assertFits(one.left(), ofOne, room);
        pollSuccesses(shared, room - 1);
        assertFits(other.left(), ofOther, room - 1);
        pollSuccesses(shared, 2 * room);
        assertEquals(QpState.RTS, one.left().state());
        assertEquals(QpState.RTS, other.left().state());
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue({"C6", "D37"})
    void resizingTheCompletionQueueFreesNoEntryAndLosesNone(QpType type) {
        Pair pair = small(type);
        Qp qp = pair.left();
        SendSpec signaled = request(pair).signaled();
        int room = room(qp);
        assertFits(qp, signaled, room);
        awaitDone(pair);
        left.end().resizeCq(qp.sendCq().id(), 4 * room);
        assertEquals(full(0), qp.tryPost(signaled));
        pollSuccesses(qp.sendCq(), 3);
        left.end().resizeCq(qp.sendCq().id(), room);
        assertFits(qp, signaled, 3);
        pollSuccesses(qp.sendCq(), room);
        assertFits(qp, signaled, room);
        pollSuccesses(qp.sendCq(), room);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue({"C15", "D37", "E3"})
    void aCompletionQueueAsDeepAsItsSendQueueNeverOverflows(QpType type) {
        Pair pair = small(type);
        Qp qp = pair.left();
        SendSpec signaled = request(pair).signaled();
        int posted = 0;
        int polled = 0;
        for (int round = 0; round < 50; round++) {
            posted += left.end().repostSend(qp.id(), signaled, 100);
            List<Wc> some = qp.sendCq().poll(1 + round % SIZE);
            some.forEach(wc -> expect(wc).success());
            polled += some.size();
            assertTrue(posted - polled <= room(qp), posted + " posted, " + polled + " polled");
        }
        pollSuccesses(qp.sendCq(), posted - polled);
        left.assertNoAsync();
        assertEquals(QpState.RTS, qp.state());
    }
}
