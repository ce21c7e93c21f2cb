package io.jverbs.contract.srq;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Cq;
import io.jverbs.contract.dsl.Job;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.PairOptions;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.dsl.Srq;
import io.jverbs.contract.end.Infos.RepeatedPostsResult;
import io.jverbs.contract.end.JobCommands.PostTask;
import io.jverbs.contract.end.MrSpec;
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.fixture.Catalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests shared receive queues with a mixture of types of queue pairs, domains and threads. */
final class SharedReceiveUseContract extends QpStates {

    private Pair sharing(Srq srq, QpType type, Consumer<PairOptions> change) {
        return pair(type, o -> change.accept(apart(o).right(r -> r.srq(srq))));
    }

    private Pair sharing(SharedInbox inbox, QpType type) {
        return sharing(inbox.srq(), type, o -> {});
    }

    @Test
    @Catalogue("I4")
    void receivesAreUsedInOrderAndCompleteOnTheQueueOfTheReceiver() {
        SharedInbox inbox = new SharedInbox(right, 16);
        List<Pair> pairs = List.of(sharing(inbox, QpType.RC), sharing(inbox, QpType.UD), sharing(inbox, QpType.RC),
                sharing(inbox, QpType.UC));
        inbox.post(12);
        int[] receivers = {0, 1, 2, 3, 3, 1, 0, 0, 2, 1, 1, 3};
        for (int i = 0; i < receivers.length; i++) {
            Pair pair = pairs.get(receivers[i]);
            deliver(pair, 10 + i);
            inbox.assertReceives(pair.right(), i, 10 + i);
        }
        pairs.forEach(pair -> pair.right().recvCq().assertQuiet());
    }

    @Test
    @Catalogue("I4")
    void theQpnOfACompletionIdentifiesTheReceiver() {
        SharedInbox inbox = new SharedInbox(right, 16);
        Cq all = right.cq();
        Pair first = rcPair(o -> o.right(r -> r.srq(inbox.srq()).cq(all)));
        Pair second = rcPair(o -> o.right(r -> r.srq(inbox.srq()).cq(all)));
        inbox.post(4);
        List<Pair> order = List.of(second, first, first, second);
        order.forEach(pair -> pair.left().succeed(send()));
        List<Wc> seen = assertIds(all.await(4), 0, 1, 2, 3);
        for (int i = 0; i < 4; i++) {
            expect(seen.get(i)).success().qp(order.get(i).right());
        }
    }

    @Test
    @Catalogue("I5")
    void withoutReceivesAReliableSenderFailsAfterItsRetries() {
        SharedInbox inbox = new SharedInbox(right, 4);
        Pair pair = sharing(inbox.srq(), QpType.RC, o -> o.rnrRetry(1).minRnrTimer(1));
        expect(pair.left().execute(message(pair, 1))).status(WcStatus.RNR_RETRY_EXC_ERR).id(1);
        pair.left().awaitState(QpState.ERR);
        pair.right().assertStays(QpState.RTS);
        // another queue pair finds the queue unchanged
        Pair other = sharing(inbox, QpType.RC);
        inbox.post(1);
        deliver(other, 2);
        inbox.assertReceives(other.right(), 0, 2);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("I6")
    void aResetQueuePairKeepsItsSharedQueue(QpType type) {
        SharedInbox inbox = new SharedInbox(right, 8).post(2);
        Pair pair = sharing(inbox, type);
        deliver(pair, 1);
        inbox.assertReceives(pair.right(), 0, 1);
        for (Qp qp : List.of(pair.left(), pair.right())) {
            qp.modify(QpState.RESET);
        }
        pair.left().connect(pair.right());
        pair.right().connect(pair.left());
        deliver(pair, 2);
        inbox.assertReceives(pair.right(), 1, 2);
    }

    @Test
    @Catalogue("I13")
    void manyThreadsAndPairsUseEachReceiveOnce() {
        int pairs = 4;
        int each = 150;
        int posters = 3;
        Srq srq = right.srq(32, 1);
        Cq sent = left.cq(1024);
        Cq received = right.cq(1024);
        Region sink = right.region(8);
        List<Pair> all = new ArrayList<>();
        List<PostTask> sends = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            Pair pair = rcPair(o -> o.rnrRetry(7).minRnrTimer(1).left(l -> l.cq(sent).wrs(32, 1))
                    .right(r -> r.cq(received).srq(srq)));
            all.add(pair);
            sends.add(PostTask.sends(pair.left().id(), sendImm(i, left.region(8).fill(i).sge()).signaled(), each));
        }
        List<PostTask> receives = new ArrayList<>();
        int share = pairs * each / posters;
        for (int i = 0; i < posters; i++) {
            receives.add(PostTask.srqReceives(srq.id(), recv(sink.sge()).id((long) i * share), share));
        }
        Job receiving = right
                .background(end -> end.postRepeatedly(receives, List.of(received.id()), 2, pairs * each, 20_000));
        RepeatedPostsResult sending = left.end().postRepeatedly(sends, List.of(sent.id()), 1, pairs * each, 20_000);
        RepeatedPostsResult got = (RepeatedPostsResult) receiving.await();
        assertEquals(List.of(), sending.refusals());
        assertEquals(List.of(), got.refusals());
        sending.completions().forEach(wc -> expect(wc).success());
        got.completions().forEach(wc -> expect(wc).success().bytes(8));
        assertEquals(LongStream.range(0, (long) pairs * each).boxed().toList(),
                got.completions().stream().map(Wc::wrId).sorted().toList());
        for (int i = 0; i < pairs; i++) {
            Qp receiver = all.get(i).right();
            List<Wc> own = got.completions().stream().filter(wc -> wc.qpNumber() == receiver.number()).toList();
            assertEquals(each, own.size(), () -> "messages received by " + receiver);
            for (Wc wc : own) {
                expect(wc).immediate(i);
            }
        }
        received.assertQuiet();
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    @Catalogue("I14")
    void aWriteWithImmediateUsesAReceiveWithoutWritingToItsMemory(QpType type) {
        SharedInbox inbox = new SharedInbox(right, 4).post(2);
        Pair pair = sharing(inbox, type);
        Region target = right.region(32);
        pair.left().succeed(writeImm(0x1234_5678, target, left.region(32).fill(3).sge()));
        expect(pair.right().awaitRecv()).success().id(0).qp(pair.right()).opcode(WcOpcode.RECV_RDMA_WITH_IMM)
                .immediate(0x1234_5678).bytes(32);
        target.assertHolds(3);
        inbox.assertUntouched(0);
        // a WRITE without immediate data uses none
        pair.left().succeed(write(target, left.region(32).fill(4).sge()));
        deliver(pair, 5);
        inbox.assertReceives(pair.right(), 1, 5);
        target.assertHolds(4);
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    @Catalogue("I15")
    void receivesWriteToMemoryOfTheSharedQueuesDomain(QpType type) {
        int pd = right.newPd();
        Srq srq = right.srq(pd, 4, 1);
        Pair pair = sharing(srq, type, o -> {});
        int grh = type == QpType.UD ? 40 : 0;
        Region sink = right.region(MrSpec.of(pd, 128, Side.ALL_ACCESS));
        srq.post(recv(sink.sge()).id(1));
        deliver(pair, 5);
        expect(pair.right().awaitRecv()).success().id(1).bytes(MESSAGE + grh);
        sink.assertHolds(grh, MESSAGE, 5);
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    @Catalogue("I15")
    void receivesDoNotWriteToMemoryOfThePairsDomain(QpType type) {
        Srq srq = right.srq(right.newPd(), 4, 1);
        Pair pair = sharing(srq, type, o -> {});
        Region sink = right.region(128);
        srq.post(recv(sink.sge()).id(1));
        pair.left().post(message(pair, 5));
        expect(pair.right().awaitRecv()).status(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR).id(1).qp(pair.right());
        sink.assertZero();
    }

    @Test
    @Catalogue("I15")
    void queuePairsOfOneSharedQueueMayHaveDifferentDomains() {
        SharedInbox inbox = new SharedInbox(right, 4).post(2);
        Pair same = sharing(inbox, QpType.RC);
        int pd = right.newPd();
        Pair other = rcPair(o -> apart(o).right(r -> r.srq(inbox.srq()).pd(pd)));
        deliver(same, 1);
        inbox.assertReceives(same.right(), 0, 1);
        deliver(other, 2);
        inbox.assertReceives(other.right(), 1, 2);
    }
}
