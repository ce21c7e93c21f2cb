package io.jverbs.contract.completion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.Errno;
import io.jverbs.MwType;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.QpOptions;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.dsl.Window;
import io.jverbs.contract.end.Infos.PostResult;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Wc;
import io.jverbs.contract.fixture.Catalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests which sends generate a completion, and when their entries are free again. */
final class SignalingContract extends QpStates {

    /**
     * Returns one unsignaled request of every kind that the type supports, with ids from 0, and posts receives for
     * them.
     */
    private List<SendSpec> oneOfEachKind(Pair pair) {
        Region local = left.region(64);
        Region remote = right.region(64);
        List<SendSpec> kinds = new ArrayList<>(List.of(send(local.sge()), sendImm(1, local.sge()), send()));
        if (pair.left().type() != QpType.UD) {
            kinds.addAll(List.of(write(remote, local.sge()), writeImm(2, remote, local.sge())));
        }
        if (pair.left().type() == QpType.RC) {
            Window window = left.window(MwType.TYPE_2);
            int key = window.nextRkey();
            kinds.addAll(List.of(read(remote, local.sge()), compareAndSwap(remote, 0, 1, local.sge(0, 8)),
                    fetchAndAdd(remote, 1, local.sge(0, 8)),
                    window.bind(key, left.region(64).range(0, 64, Access.REMOTE_READ)),
                    SendSpec.localInvalidate(key)));
        }
        List<SendSpec> all = new ArrayList<>();
        for (SendSpec kind : kinds) {
            all.add(from(pair, pair.left(), kind).id(all.size()));
        }
        new Inbox(pair.right()).post(4);
        return all;
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D36")
    void withSignalAllEveryRequestGeneratesACompletion(QpType type) {
        Pair pair = pair(type, o -> apart(o).signalAll());
        List<SendSpec> requests = oneOfEachKind(pair);
        pair.left().post(requests.toArray(SendSpec[]::new));
        List<Wc> seen = assertIds(pair.left().sendCq().await(requests.size()),
                LongStream.range(0, requests.size()).toArray());
        seen.forEach(wc -> expect(wc).success().qp(pair.left()));
        pair.left().sendCq().assertQuiet();
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D36")
    void withoutSignalAllOnlySignaledRequestsGenerateACompletion(QpType type) {
        Pair pair = pair(type, o -> apart(o).wrs(32, 64));
        List<SendSpec> requests = oneOfEachKind(pair);
        pair.left().post(requests.toArray(SendSpec[]::new));
        pair.left().sendCq().assertQuiet();
        // each kind signaled once, among the unsignaled others
        List<SendSpec> again = type == QpType.RC ? requests.subList(0, 8) : requests;
        for (SendSpec signaled : again) {
            new Inbox(pair.right()).post(4);
            pair.left().post(again.stream().map(each -> each == signaled ? each.signaled() : each)
                    .toArray(SendSpec[]::new));
            expect(pair.left().awaitSend()).success().id(signaled.wrId());
        }
        pair.left().sendCq().assertQuiet();
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D36")
    void anUnsignaledRequestThatFailsGeneratesACompletion(QpType type) {
        Pair pair = pair(type, this::apart);
        new Inbox(pair.right()).post(2);
        pair.left().post(message(pair, 1), from(pair, pair.left(), send(garbage())).id(2));
        expect(pair.left().awaitSend()).status(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR).id(2);
        pair.left().sendCq().assertQuiet();
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D37")
    void aPolledCompletionFreesAllEarlierEntries(QpType type) {
        Pair pair = pair(type, o -> apart(o).left(l -> l.wrs(8, 1)));
        Qp qp = pair.left();
        int room = qp.info().capabilities().maxSendWr();
        SendSpec unsignaled = requestWithoutReceive(pair);
        for (int round = 0; round < 20; round++) {
            assertEquals(room - 1, left.end().repostSend(qp.id(), unsignaled, room - 1), "round " + round);
            qp.post(unsignaled.id(round).signaled());
            expect(qp.awaitSend()).success().id(round);
        }
        qp.sendCq().assertQuiet();
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D37")
    void aQueueWithoutSignaledRequestsMayStayFullUntilAReset(QpType type) {
        Pair pair = pair(type, o -> apart(o).left(l -> l.wrs(8, 1)));
        Qp qp = pair.left();
        SendSpec unsignaled = requestWithoutReceive(pair);
        int room = qp.info().capabilities().maxSendWr();
        int posted = left.end().repostSend(qp.id(), unsignaled, 10 * room);
        assertTrue(posted >= room, () -> posted + " of " + room);
        PostResult next = qp.tryPost(unsignaled);
        // a device may free entries earlier
        assertTrue(next.ok() || next.errno() == Errno.ENOMEM.code(), next::toString);
        qp.sendCq().assertQuiet();
        assertEquals(QpState.RTS, qp.state());
        qp.modify(QpState.RESET);
        pair.right().modify(QpState.RESET);
        qp.connect(pair.right());
        pair.right().connect(qp);
        Inbox inbox = new Inbox(pair.right()).post(1);
        deliver(pair, 1);
        inbox.assertReceives(0, 1);
    }

    /**
     * Returns a request that needs nothing from the peer and does not use a receive, however late it arrives. A
     * datagram has another Q_Key.
     */
    private SendSpec requestWithoutReceive(Pair pair) {
        Region local = left.region(8, Side.ALL_ACCESS);
        return pair.left().type() == QpType.UD
                ? send(local.sge()).to(pair.toRight(), pair.right().number(), QpOptions.QKEY + 1)
                : write(right.region(8), local.sge());
    }
}
