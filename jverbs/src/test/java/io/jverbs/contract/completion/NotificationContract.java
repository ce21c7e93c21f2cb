package io.jverbs.contract.completion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.jverbs.Errno;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.Cq;
import io.jverbs.contract.dsl.Job;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.fixture.Catalogue;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests arming of a completion queue, and the single event that follows. */
final class NotificationContract extends VerbsContract {
    private int channel;
    private Cq cq;
    private Pair pair;

    @BeforeEach
    void connect() {
        channel = right.channel();
        cq = right.cq(32, channel);
        pair = rcPair(o -> o.wrs(32, 32).left(l -> l.separateCqs(left)).right(r -> r.cqs(right.cq(32), cq)));
    }

    /** Delivers one message, which may be solicited. */
    private void deliver(boolean solicited) {
        pair.right().postRecv(recv());
        pair.left().succeed(solicited ? send().solicited() : send());
    }

    @Test
    @Catalogue({"C18", "C20", "C26"})
    void anArmedQueueRaisesOneEventForTheNextCompletionAndNoMore() {
        cq.arm();
        right.assertNoEvent(channel);
        deliver(false);
        right.awaitEvent(channel, cq);
        deliver(false);
        right.assertNoEvent(channel);
        cq.await(2);
        cq.arm();
        deliver(false);
        right.awaitEvent(channel, cq);
    }

    @Test
    @Catalogue("C19")
    void completionsBeforeArmingRaiseNoEvent() {
        deliver(false);
        cq.arm();
        right.assertNoEvent(channel);
        deliver(false);
        right.awaitEvent(channel, cq);
        cq.await(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Catalogue("C21")
    void armingForAnyCompletionOverridesSolicitedOnly(boolean solicitedFirst) {
        if (solicitedFirst) {
            cq.armSolicited();
            cq.arm();
        } else {
            cq.arm();
            cq.armSolicited();
        }
        deliver(false);
        right.awaitEvent(channel, cq);
        cq.await();
    }

    @Test
    @Catalogue({"C23", "C24"})
    void aQueueArmedForSolicitedCompletionsIgnoresOthers() {
        cq.armSolicited();
        deliver(false);
        right.assertNoEvent(channel);
        deliver(true);
        right.awaitEvent(channel, cq);
        cq.await(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"send", "sendImm", "writeImm"})
    @Catalogue("C23")
    void everyOperationThatUsesAReceiveCanBeSolicited(String operation) {
        cq.armSolicited();
        pair.right().postRecv(recv());
        pair.left().succeed((switch (operation) {
            case "send" -> send();
            case "sendImm" -> sendImm(1);
            default -> writeImm(2, right.region(8));
        }).solicited());
        right.awaitEvent(channel, cq);
        cq.await();
    }

    @Test
    @Catalogue("C23")
    void completionsOfSendsAreNotSolicited() {
        int own = left.channel();
        Cq sends = left.cq(32, own);
        Pair other = rcPair(o -> o.left(l -> l.cqs(sends, left.cq(8))));
        sends.armSolicited();
        other.right().postRecv(recv());
        other.left().succeed(send().solicited());
        left.assertNoEvent(own);
    }

    @Test
    @Catalogue("C22")
    void anErrorCountsAsSolicited() {
        cq.armSolicited();
        pair.right().postRecv(recv(right.region(8, 0).sge()).id(1));
        pair.left().execute(send(left.region(8).sge()));
        right.awaitEvent(channel, cq);
        expect(cq.await()).status(WcStatus.LOC_PROT_ERR);
    }

    @Test
    @Catalogue("C22")
    void aFlushCountsAsSolicited() {
        pair.right().postRecv(recv().id(7));
        cq.armSolicited();
        pair.right().modify(QpState.ERR);
        right.awaitEvent(channel, cq);
        assertFlushed(cq, 7);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    @Catalogue("C25")
    void aSolicitedWriteRaisesNoEvent(QpType type) {
        cq.arm();
        Pair other = pair(type, o -> o.right(r -> r.cqs(right.cq(8), cq)));
        other.left().succeed(write(right.region(8), left.region(8).sge()).solicited());
        right.assertNoEvent(channel);
    }

    @Test
    @Catalogue("C26")
    void eachArmedQueueOfAChannelRaisesItsEvent() {
        Cq second = right.cq(8, channel);
        Pair other = rcPair(o -> o.right(r -> r.cqs(right.cq(8), second)));
        cq.arm();
        second.arm();
        deliver(false);
        other.right().postRecv(recv());
        other.left().succeed(send());
        Set<Integer> fired = new HashSet<>();
        for (int i = 0; i < 2; i++) {
            int id = right.awaitEvent(channel).cq();
            fired.add(id);
            right.end().ackCqEvents(id, 1);
        }
        assertEquals(Set.of(cq.id(), second.id()), fired);
    }

    @Test
    @Catalogue("C27")
    void eventsAreAcknowledgedTogether() {
        for (int i = 0; i < 3; i++) {
            cq.arm();
            deliver(false);
            assertEquals(cq.id(), right.awaitEvent(channel).cq());
        }
        right.end().ackCqEvents(cq.id(), 3);
        cq.await(3);
        pair.right().destroy();
        cq.destroy();
    }

    @Test
    @Catalogue("C28")
    void pollingAChannelWithoutEventsReturnsNull() {
        assertNull(right.end().awaitCqEvent(channel, 0));
    }

    @Test
    @Catalogue("C28")
    void aWaitBlocksUntilTheEventIsRaised() {
        cq.arm();
        Job waiting = right.background(end -> end.awaitCqEvent(channel, 20_000));
        waiting.assertBlocked();
        deliver(false);
        waiting.await();
        right.end().ackCqEvents(cq.id(), 1);
    }

    @Test
    @Catalogue("C29")
    void aQueueWithoutChannelCannotBeArmed() {
        Cq withoutChannel = right.cq(8);
        assertErrno(Errno.EINVAL, withoutChannel::arm);
    }

    @Test
    @Catalogue("C30")
    void aChannelInUseIsNotDestroyed() {
        assertErrno(Errno.EBUSY, () -> right.end().destroy(channel));
        pair.right().destroy();
        cq.destroy();
        right.end().destroy(channel);
    }

    @Test
    @Catalogue("C31")
    void moreAcknowledgementsThanEventsAreRefused() {
        assertErrno(Errno.EINVAL, () -> right.end().ackCqEvents(cq.id(), 1));
        cq.arm();
        deliver(false);
        right.awaitEvent(channel);
        assertErrno(Errno.EINVAL, () -> right.end().ackCqEvents(cq.id(), 2));
        right.end().ackCqEvents(cq.id(), 1);
        assertErrno(Errno.EINVAL, () -> right.end().ackCqEvents(cq.id(), -1));
    }

    @Test
    @Catalogue("C5")
    void destroyBlocksUntilEventsAreAcknowledged() {
        cq.arm();
        deliver(false);
        right.awaitEvent(channel);
        pair.right().destroy();
        Job closing = right.background(end -> end.destroy(cq.id()));
        closing.assertBlocked();
        right.end().ackCqEvents(cq.id(), 1);
        closing.await();
    }

    @Test
    @Catalogue("C5")
    void unretrievedEventsAreDiscardedWithTheQueue() {
        cq.arm();
        deliver(false);
        pair.right().destroy();
        cq.destroy();
        assertNull(right.end().awaitCqEvent(channel, 0));
    }
}
