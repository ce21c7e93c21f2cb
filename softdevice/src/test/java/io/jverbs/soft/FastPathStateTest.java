package io.jverbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.jverbs.AsyncEvent;
import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QueuePair;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * WRITE and SEND requests that follow many successful ones, after a state, a connection or a queue has changed.
 * Catalogue items D35, E1, E3, L32 and the error matrix of part F.
 */
final class FastPathStateTest extends FastPathPair {
    @ParameterizedTest
    @EnumSource
    void aPeerInErrDoesNotRespond(Kind kind) {
        assertEquals(WcStatus.RETRY_EXC_ERR,
                after(kind, each -> receiver.modify(QpAttributes.builder().state(QpState.ERR).build())));
        assertNothingWritten();
    }

    @ParameterizedTest
    @EnumSource
    void aDestroyedPeerDoesNotRespond(Kind kind) {
        assertEquals(WcStatus.RETRY_EXC_ERR, after(kind, each -> receiver.close()));
        assertNothingWritten();
    }

    @ParameterizedTest
    @EnumSource
    void aPeerConnectedToAnotherQueuePairDoesNotRespond(Kind kind) {
        assertEquals(WcStatus.RETRY_EXC_ERR, after(kind, each -> {
            receiver.modify(QpAttributes.builder().state(QpState.RESET).build());
            QueuePair third = queuePair(cq);
            connect(receiver, third);
        }));
        assertNothingWritten();
    }

    @ParameterizedTest
    @EnumSource
    void aPeerWithAnotherPkeyDoesNotRespond(Kind kind) {
        control().setPkey(1, 1, 0x8001);
        assertEquals(WcStatus.RETRY_EXC_ERR, after(kind, each -> {
            receiver.modify(QpAttributes.builder().state(QpState.SQD).build());
            receiver.modify(QpAttributes.builder().state(QpState.SQD).pkeyIndex(1).build());
        }));
        assertNothingWritten();
    }

    @ParameterizedTest
    @EnumSource
    void requestsTimeOutWhenTheirPkeyIsRemovedFromTheTable(Kind kind) {
        assertEquals(WcStatus.RETRY_EXC_ERR, after(kind, each -> control().setPkey(1, 0, 0)));
        assertNothingWritten();
    }

    @ParameterizedTest
    @EnumSource
    void requestsTimeOutWhenTheCableIsPulled(Kind kind) {
        assertEquals(WcStatus.RETRY_EXC_ERR, after(kind, each -> control().pullCable(1)));
        assertNothingWritten();
    }

    @ParameterizedTest
    @EnumSource
    void aQueuePairThatFailedAsResponderFlushesRequests(Kind kind) {
        assertEquals(WcStatus.WR_FLUSH_ERR, after(kind, each -> {
            QueuePair third = queuePair(receiverCq);
            connect(third, sender, sender.query().rqPsn());
            third.postSend(write(0x00BAD000));
            assertEquals(QpState.ERR, sender.state());
        }));
        assertEquals(QpState.RTS, receiver.state());
        assertNothingWritten();
    }

    @ParameterizedTest
    @EnumSource
    void aPeerThatFailedAsRequesterDoesNotRespond(Kind kind) {
        warmUp(kind);
        receiver.postSend(write(target.rkey()).sge(0, source.address(), BYTES, source.lkey() ^ 0x100));
        assertEquals(WcStatus.LOC_PROT_ERR, completed(receiverCq));
        target.segment().fill((byte) 0);
        sender.postSend(request);
        assertEquals(WcStatus.RETRY_EXC_ERR, completed(cq));
        assertNothingWritten();
    }

    /** Catalogue item L32: a request that the peer has executed before is acknowledged and not executed again. */
    @Test
    void aPsnThatAnotherQueuePairHasUsedIsADuplicate() {
        warmUp(Kind.WRITE);
        QueuePair third = queuePair(cq);
        connect(third, receiver, sender.query().sqPsn());
        third.postSend(write(target.rkey()));
        assertEquals(sender.query().sqPsn() + 1 & 0xFFFFFF, receiver.query().rqPsn());
        target.segment().fill((byte) 0);
        sender.postSend(request);
        assertEquals(WcStatus.SUCCESS, completed(cq));
        assertNothingWritten();
    }

    /** D24: a request that was executed before is not a valid one, so it does not raise COMM_EST. */
    @Test
    void theFirstRequestAfterADuplicateRaisesCommEst() throws InterruptedException {
        warmUp(Kind.WRITE);
        receiver.modify(QpAttributes.builder().state(QpState.RESET).build());
        receiver.modify(
                QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(ALL).build());
        receiver.modify(readyToReceive(sender, sender.query().sqPsn() + 1 & 0xFFFFFF));
        for (int i = 0; i < 2; i++) {
            assertNull(context.awaitAsyncEvent(Duration.ZERO), "after " + i + " requests");
            sender.postSend(request);
            assertEquals(WcStatus.SUCCESS, completed(cq));
        }
        try (AsyncEvent event = context.awaitAsyncEvent(Duration.ZERO)) {
            assertEquals(AsyncEventType.COMM_EST, event.type());
        }
    }

    @Test
    void aSendWithoutAReceiveExceedsTheRnrRetries() {
        warmUp(Kind.SEND);
        sender.postSend(request);
        assertEquals(WcStatus.RNR_RETRY_EXC_ERR, completed(cq));
    }

    @ParameterizedTest
    @EnumSource
    void aQueuePairInErrFlushesRequests(Kind kind) {
        assertEquals(WcStatus.WR_FLUSH_ERR,
                after(kind, each -> sender.modify(QpAttributes.builder().state(QpState.ERR).build())));
        assertNothingWritten();
    }

    @ParameterizedTest
    @EnumSource
    void aRequestPostedInSqdWaitsForRts(Kind kind) {
        warmUp(kind);
        sender.modify(QpAttributes.builder().state(QpState.SQD).build());
        if (kind.isSend()) {
            postReceive();
        }
        target.segment().fill((byte) 0);
        sender.postSend(request);
        assertEquals(0, cq.poll(completions));
        assertNothingWritten();
        sender.modify(QpAttributes.builder().state(QpState.RTS).build());
        assertEquals(WcStatus.SUCCESS, completed(cq));
    }

    /** A request that is posted after one that waits completes after it. */
    @Test
    void aRequestDoesNotOvertakeOneThatWaitsForAReceive() {
        warmUp(Kind.SEND);
        sender.modify(QpAttributes.builder().state(QpState.SQD).build());
        sender.modify(QpAttributes.builder().state(QpState.SQD).rnrRetry(7).build());
        sender.modify(QpAttributes.builder().state(QpState.RTS).build());
        sender.postSend(request.wrId(1));
        sender.postSend(SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED).wrId(2)
                .sge(source, 0, BYTES).remote(target.address(), target.rkey()));
        assertEquals(0, cq.poll(completions));
        postReceive();
        long deadline = System.nanoTime() + 10_000_000_000L;
        long expected = 1;
        while (expected <= 2 && System.nanoTime() - deadline < 0) {
            int count = cq.poll(completions);
            for (int i = 0; i < count; i++) {
                assertEquals(expected++, completions.wrId(i));
                assertEquals(WcStatus.SUCCESS, completions.status(i));
            }
        }
        assertEquals(3, expected);
    }

    /** Catalogue items E1 and E3. */
    @Test
    void aChainLongerThanTheQueueIsRefusedAtTheFirstRequestWithoutASlot() {
        warmUp(Kind.WRITE);
        SendWorkRequest head = null;
        int slots = sender.capabilities().maxSendWr();
        SendWorkRequest last = null;
        for (int i = 0; i <= slots; i++) {
            SendWorkRequest each = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).wrId(i)
                    .sge(source, 0, BYTES).remote(target.address(), target.rkey());
            head = head == null ? each : head;
            if (last != null) {
                last.next(each);
            }
            last = each;
        }
        assertEquals(Errno.ENOMEM.code(), sender.tryPostSend(head));
        assertEquals(slots, head.failed().wrId());
        last.next(head);
        assertEquals(Errno.ENOMEM.code(), sender.tryPostSend(head), "a cyclic chain");
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITE", "SEND"})
    void aMessageOfSeveralPacketsUsesOnePsnForEach(Kind kind) {
        warmUp(kind);
        int before = sender.query().sqPsn();
        int mtu = sender.localInfo().mtu().bytes();
        receiver.postReceive(ReceiveWorkRequest.create(1).sge(target, 0, LONG_MESSAGE));
        sender.postSend(request.sge(source, 0, LONG_MESSAGE));
        assertEquals(WcStatus.SUCCESS, completed(cq));
        int packets = (LONG_MESSAGE + mtu - 1) / mtu;
        assertEquals(before + packets & 0xFFFFFF, sender.query().sqPsn());
        assertEquals(sender.query().sqPsn(), receiver.query().rqPsn());
    }

    @Test
    void anUnsignaledRequestHasNoCompletion() {
        warmUp(Kind.WRITE);
        sender.postSend(request.flags(0));
        assertEquals(0, cq.poll(completions));
        assertEquals(SENT, target.segment().get(ValueLayout.JAVA_BYTE, 0));
    }
}
