package io.jverbs.contract.completion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.Cq;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.PairOptions;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.QpOptions;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.Infos.RepeatedPostsResult;
import io.jverbs.contract.end.JobCommands.PostTask;
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.fixture.Catalogue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests completion queues: sizes, polling, order, overflow. */
final class CompletionQueueContract extends VerbsContract {

    private PairOptions apart(PairOptions options) {
        return options.left(o -> o.separateCqs(left)).right(o -> o.separateCqs(right));
    }

    /** Connects queue pairs so that the sends of the left one complete on this queue. */
    private Pair pairWithSendCq(Cq cq) {
        return rcPair(o -> o.wrs(64, 64).right(r -> r.separateCqs(right)).left(l -> l.cqs(cq, left.cq(16))));
    }

    private void complete(Pair pair, int count) {
        for (int i = 0; i < count; i++) {
            pair.left().post(write(right.region(8)).id(i).signaled());
        }
    }

    /**
     * Posts requests like {@link #complete}, and waits until they have completed. Without polling, only a drained send
     * queue shows this.
     */
    private void awaitComplete(Pair pair, int count) {
        complete(pair, count);
        pair.left().modify(QpState.SQD);
        pair.left().awaitDrained();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
    @Catalogue("C1")
    void aSizeOutOfRangeIsRefused(int cqe) {
        assertErrno(Errno.EINVAL, () -> left.end().createCq(End.MAIN, cqe, End.NONE, 0));
    }

    @Test
    @Catalogue("C1")
    @ResourceLock(GIBIBYTES)
    void everySizeUpToTheLimitIsGranted() {
        int max = left.device().maxCqe();
        for (int cqe : new int[] {1, 2, 3, 100, max}) {
            Cq cq = left.cq(cqe);
            assertTrue(cq.cqe() >= cqe, cq::toString);
            cq.destroy();
        }
        assertErrno(Errno.EINVAL, () -> left.end().createCq(End.MAIN, max + 1, End.NONE, 0));
    }

    @Test
    @Catalogue("C2")
    void everyCompletionVectorUpToTheLimitIsAccepted() {
        int vectors = left.device().completionVectors();
        for (int vector = 0; vector < vectors; vector++) {
            assertTrue(left.end().createCq(End.MAIN, 8, End.NONE, vector).cqe() >= 8);
        }
        assertErrno(Errno.EINVAL, () -> left.end().createCq(End.MAIN, 8, End.NONE, vectors));
        assertErrno(Errno.EINVAL, () -> left.end().createCq(End.MAIN, 8, End.NONE, -1));
    }

    @Test
    @Catalogue("C3")
    void destroyOfAQueueInUseIsRefusedAndItKeepsWorking() {
        Pair pair = rcPair(this::apart);
        assertErrno(Errno.EBUSY, () -> pair.left().sendCq().destroy());
        assertErrno(Errno.EBUSY, () -> pair.right().recvCq().destroy());
        assertDelivers(pair);
        pair.left().destroy();
        pair.left().sendCq().destroy();
    }

    @Test
    @Catalogue("C4")
    void oneQueueServesBothSidesOfManyPairs() {
        Cq shared = left.cq(64);
        List<Qp> receivers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Pair pair = pair(QpType.RC, left, left, o -> o.both(q -> q.cq(shared)));
            pair.right().postRecv(recv().id(100 + i));
            pair.left().post(send().id(i).signaled());
            receivers.add(pair.right());
        }
        List<Wc> all = shared.await(6);
        for (int i = 0; i < 3; i++) {
            int id = 100 + i;
            Wc received = all.stream().filter(wc -> wc.wrId() == id).findFirst().orElseThrow();
            assertEquals(receivers.get(i).number(), received.qpNumber());
        }
        assertEquals(Set.of(0L, 1L, 2L, 100L, 101L, 102L), new HashSet<>(all.stream().map(Wc::wrId).toList()));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 64, 1000})
    @Catalogue("C6")
    void resizeKeepsCompletionsInOrder(int cqe) {
        Cq cq = left.cq(16);
        Pair pair = pairWithSendCq(cq);
        complete(pair, 4);
        left.end().resizeCq(cq.id(), cqe);
        assertTrue(left.end().cqe(cq.id()) >= cqe);
        assertIds(cq.await(4), 0, 1, 2, 3);
        complete(pair, 2);
        assertIds(cq.await(2), 0, 1);
    }

    @Test
    @Catalogue("C6")
    void resizeBelowTheNumberOfCompletionsIsRefused() {
        Cq cq = left.cq(16);
        Pair pair = pairWithSendCq(cq);
        awaitComplete(pair, 4);
        assertErrno(Errno.EINVAL, () -> left.end().resizeCq(cq.id(), 3));
        assertIds(cq.await(4), 0, 1, 2, 3);
        assertErrno(Errno.EINVAL, () -> left.end().resizeCq(cq.id(), 0));
        assertErrno(Errno.EINVAL, () -> left.end().resizeCq(cq.id(), left.device().maxCqe() + 1));
    }

    @Test
    @Catalogue("C7")
    void aPollReturnsAvailableCompletionsWithoutWaiting() {
        Cq cq = left.cq(16);
        Pair pair = pairWithSendCq(cq);
        assertEquals(List.of(), cq.poll(8));
        awaitComplete(pair, 3);
        assertEquals(2, cq.poll(2).size());
        assertEquals(1, cq.poll(8).size());
        assertEquals(List.of(), cq.poll(8));
    }

    @Test
    @Catalogue("C8")
    void manyPollersGetEachCompletionOnce() {
        Cq cq = left.cq(1024);
        Pair pair = rcPair(o -> o.wrs(256, 256).left(l -> l.cqs(cq, left.cq(16))));
        RepeatedPostsResult result = left.end().postRepeatedly(
                List.of(PostTask.sends(pair.left().id(), write(right.region(8)).id(0).signaled(), 600)),
                List.of(cq.id()),
                3, 600, 20_000);
        assertEquals(600, result.completions().size());
        assertEquals(600, result.completions().stream().mapToLong(Wc::wrId).distinct().count());
        cq.assertQuiet();
    }

    @Test
    @Catalogue("C9")
    void eachQueueCompletesInItsOwnOrder() {
        Pair pair = rcPair(o -> apart(o).wrs(32, 32));
        IntStream.range(0, 20).forEach(i -> pair.right().postRecv(recv().id(i)));
        IntStream.range(0, 20).forEach(i -> pair.left().post(send().id(i).signaled()));
        long[] ids = IntStream.range(0, 20).asLongStream().toArray();
        assertIds(pair.left().sendCq().await(20), ids);
        assertIds(pair.right().recvCq().await(20), ids);
    }

    @Test
    @Catalogue("C10")
    void anErrorCompletionHasWrIdAndQueuePairNumber() {
        Pair pair = rcPair(this::apart);
        pair.left().post(write(right.region(8, 0), left.region(8).sge()).id(0xFEED));
        expect(pair.left().awaitSend()).status(WcStatus.REM_ACCESS_ERR).id(0xFEED).qp(pair.left());
    }

    @ParameterizedTest
    @CsvSource({"SUCCESS,0", "LOC_LEN_ERR,1", "LOC_PROT_ERR,4", "WR_FLUSH_ERR,5", "MW_BIND_ERR,6", "REM_INV_REQ_ERR,9",
        "REM_ACCESS_ERR,10", "REM_OP_ERR,11", "RETRY_EXC_ERR,12", "RNR_RETRY_EXC_ERR,13", "GENERAL_ERR,21"})
    @Catalogue("C11")
    void eachStatusHasItsNumber(WcStatus status, int number) {
        assertEquals(number, status.code());
        assertEquals(status, WcStatus.of(number));
    }

    @ParameterizedTest
    @CsvSource({"SEND,0", "RDMA_WRITE,1", "RDMA_READ,2", "COMP_SWAP,3", "FETCH_ADD,4", "BIND_MW,5", "LOCAL_INV,6",
        "RECV,128", "RECV_RDMA_WITH_IMM,129"})
    @Catalogue("C12")
    void eachOperationHasItsNumber(WcOpcode opcode, int number) {
        assertEquals(number, opcode.code());
    }

    @Test
    @Catalogue({"C13", "C14"})
    void flagsShowImmediateDataAndSuccessHasNoVendorError() {
        Pair pair = rcPair(this::apart);
        pair.right().postRecv(recv(), recv());
        expect(pair.left().succeed(send())).plain();
        pair.left().succeed(sendImm(3));
        Wc bare = expect(pair.right().awaitRecv()).success().plain().wc();
        Wc withImmediate = expect(pair.right().awaitRecv()).success().immediate(3).wc();
        // bit 0 means that a GRH is present, which some devices also set for connected queue pairs
        assertEquals(0, bare.flags() & ~1);
        assertEquals(2, withImmediate.flags() & ~1);
        assertEquals(0, bare.vendorError());
    }

    @Test
    @Catalogue({"C15", "J7"})
    void overflowRaisesCqErrAndFailsTheQueuePairs() {
        Cq cq = left.cq(4);
        Pair pair = pairWithSendCq(cq);
        int room = cq.cqe();
        complete(pair, room + 1);
        assertEquals(cq.id(), left.awaitAsync(AsyncEventType.CQ_ERR).cq());
        pair.left().awaitState(QpState.ERR);
        List<Wc> kept = cq.poll(room);
        for (int i = 0; i < kept.size(); i++) {
            expect(kept.get(i)).success().id(i);
        }
        left.drainAsync();
    }

    /** A device removes the completions of a destroyed queue pair, or keeps them until they are polled. */
    @Test
    @Catalogue("C17")
    void allOrNoneOfTheCompletionsOfADestroyedQueuePairRemain() {
        Cq cq = left.cq(16);
        Pair pair = pairWithSendCq(cq);
        awaitComplete(pair, 3);
        int number = pair.left().number();
        pair.left().destroy();
        List<Wc> remaining = cq.poll(16);
        if (!remaining.isEmpty()) {
            assertIds(remaining, 0, 1, 2).forEach(wc -> assertEquals(number, wc.qpNumber()));
        }
        cq.assertQuiet();
        Qp next = left.qp(QpType.RC, new QpOptions().cq(cq));
        assertNotEquals(number, next.number());
    }
}
