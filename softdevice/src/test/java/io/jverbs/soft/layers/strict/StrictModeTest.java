package io.jverbs.soft.layers.strict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.Errno;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.SrqInitAttributes;
import io.jverbs.Verbs;
import io.jverbs.WcStatus;
import io.jverbs.fault.FaultInjection;
import io.jverbs.fault.FaultRule;
import io.jverbs.soft.layers.LayeredPair;
import io.jverbs.strict.StrictMode;
import io.jverbs.strict.StrictViolationException;
import io.jverbs.strict.Violation;
import io.jverbs.strict.Violation.Kind;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Checks what strict mode reports on the software device, and that it does not report legal programs. */
final class StrictModeTest extends StrictReports {
    private static final int SIGNALED = SendFlags.SIGNALED;

    @Test
    void aContextOpenedWithoutLayersHasNoStrictMode() {
        try (RdmaContext context = Verbs.open("soft")) {
            assertTrue(context.capability(StrictMode.class).isEmpty());
        }
    }

    @Test
    void aViolationIsReportedOnceForEachPlaceAndPassedToTheListener() {
        List<Violation> reported = new ArrayList<>();
        StrictMode reporting = StrictMode.reporting(reported::add);
        try (LayeredPair pair = new LayeredPair(reporting)) {
            for (int i = 0; i < 3 * LayeredPair.DEPTH; i++) {
                int errno = pair.sender.tryPostSend(pair.write(i, 0));
                assertEquals(i < LayeredPair.DEPTH ? 0 : Errno.ENOMEM.code(), errno, "errno of request " + i);
            }
            assertEquals(1, reported.size());
            assertEquals(reported, reporting.violations());
            assertEquals("aViolationIsReportedOnceForEachPlaceAndPassedToTheListener",
                    reported.getFirst().place().getMethodName());
        }
    }

    @Test
    void aThrowingStrictModePostsNothing() {
        StrictMode throwing = StrictMode.throwing();
        try (LayeredPair pair = new LayeredPair(throwing)) {
            pair.reconnectSender(14, 7, 0);
            for (int i = 0; i < 2; i++) {
                StrictViolationException refused = assertThrows(StrictViolationException.class,
                        () -> pair.sender.postSend(pair.write(1, SIGNALED).next(pair.send(2))));
                assertEquals(Kind.NO_RECEIVE_POSTED, refused.violation().kind());
            }
            assertEquals(List.of(), pair.polled(pair.sendCq));
            assertEquals(QpState.RTS, pair.sender.state());
        }
    }

    @Test
    void injectedFaultsAreNotReported() {
        FaultInjection faults = FaultInjection.of(FaultRule.failCompletion(WcStatus.RETRY_EXC_ERR).nth(1));
        try (LayeredPair pair = new LayeredPair(strict, faults)) {
            pair.sender.postSend(pair.write(1, SIGNALED).next(pair.write(2, 0)));
            assertEquals(List.of("1 RETRY_EXC_ERR", "2 WR_FLUSH_ERR"), pair.polled(pair.sendCq));
            for (int i = 0; i < 2 * LayeredPair.DEPTH; i++) {
                pair.sender.postSend(pair.write(i, 0));
                assertEquals(List.of(i + " WR_FLUSH_ERR"), pair.polled(pair.sendCq));
            }
            assertNothingFound();
        }
    }

    @Test
    void aFullSendQueueWithoutSignaledRequestIsReported() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            for (int i = 0; i < LayeredPair.DEPTH - 1; i++) {
                pair.sender.postSend(pair.write(i, 0));
            }
            assertNothingFound();
            pair.sender.postSend(pair.write(99, 0));
            assertFound(Kind.NEVER_SIGNALED, "all 16 entries", "ENOMEM");
        }
    }

    @Test
    void oneSignaledRequestPerQueueLengthIsLegal() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            for (int i = 0; i < 10 * LayeredPair.DEPTH; i++) {
                boolean last = i % LayeredPair.DEPTH == LayeredPair.DEPTH - 1;
                pair.sender.postSend(pair.write(i, last ? SIGNALED : 0));
                if (last) {
                    assertEquals(List.of(i + " SUCCESS"), pair.await(pair.sendCq, 1));
                }
            }
            assertNothingFound();
        }
    }

    @Test
    void aSendWithoutReceiveAndRnrRetryIsReported() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            pair.reconnectSender(14, 7, 0);
            pair.receiver.postReceive(pair.receive(1));
            pair.sender.postSend(pair.send(1));
            assertNothingFound();
            pair.sender.postSend(pair.send(2));
            assertFound(Kind.NO_RECEIVE_POSTED, "RNR_RETRY_EXC_ERR");
        }
    }

    @Test
    void receivesDiscardedByResetDoNotCount() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            pair.receiver.postReceive(pair.receive(1).next(pair.receive(2)));
            pair.reconnectSender(14, 7, 0);
            pair.sender.postSend(pair.send(1));
            assertFound(Kind.NO_RECEIVE_POSTED);
        }
    }

    @Test
    void receivesPostedInTimeOrDuringRnrRetriesAreLegal() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            pair.reconnectSender(14, 7, 0);
            for (int i = 0; i < 5; i++) {
                pair.receiver.postReceive(pair.receive(1).next(pair.receive(2)));
                pair.sender.postSend(pair.send(1).next(pair.send(2)));
                pair.await(pair.recvCq, 2);
                pair.await(pair.sendCq, 2);
            }
            pair.reconnectSender(14, 7, 7);
            pair.sender.postSend(pair.send(3));
            pair.receiver.postReceive(pair.receive(3));
            pair.await(pair.sendCq, 1);
            assertNothingFound();
        }
    }

    @Test
    void receivesOfASharedQueueCountForAllItsQueuePairs() {
        try (RdmaContext context = Verbs.select("soft").open(strict)) {
            ProtectionDomain pd = context.allocatePd();
            CompletionQueue cq = context.createCompletionQueue(64);
            SharedReceiveQueue srq = pd.createSharedReceiveQueue(SrqInitAttributes.of(8, 1));
            QueuePair[] senders = new QueuePair[2];
            for (int i = 0; i < 2; i++) {
                senders[i] = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build());
                QueuePair shared = pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).srq(srq).build());
                shared.connect(senders[i].localInfo());
                LayeredPair.connectWithoutRnrRetry(context, senders[i], shared);
            }
            srq.postReceive(ReceiveWorkRequest.create(0).next(ReceiveWorkRequest.create(0)));
            senders[0].postSend(SendWorkRequest.create(0));
            senders[1].postSend(SendWorkRequest.create(0));
            assertNothingFound();
            senders[0].postSend(SendWorkRequest.create(0));
            assertFound(Kind.NO_RECEIVE_POSTED);
        }
    }

    @Test
    void aSendThatFailsLocallyUsesNoReceiveOfASharedQueue() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            SharedReceiveQueue srq = pair.pd.createSharedReceiveQueue(SrqInitAttributes.of(8, 1));
            for (int i = 0; i < 2; i++) {
                QueuePair sender = pair.pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(pair.sendCq).build());
                QueuePair shared = pair.pd.createQueuePair(
                        QpInitAttributes.builder(QpType.RC).cq(pair.recvCq).srq(srq).build());
                shared.connect(sender.localInfo());
                LayeredPair.connectWithoutRnrRetry(pair.context, sender, shared);
                if (i == 0) {
                    srq.postReceive(ReceiveWorkRequest.create(0));
                    sender.postSend(SendWorkRequest.create(1).flags(SIGNALED).sge(0, 1, 8, 0x7777));
                    assertEquals(List.of("0 LOC_PROT_ERR"), pair.await(pair.sendCq, 1));
                } else {
                    sender.postSend(SendWorkRequest.create(0).flags(SIGNALED));
                    assertEquals(List.of("0 SUCCESS"), pair.await(pair.sendCq, 1));
                }
            }
            assertNothingFound();
        }
    }

    @Test
    void aPayloadChangedBeforeItsCompletionIsReportedWithThePlaceOfThePost() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            pair.sender.postSend(pair.write(7, SIGNALED));
            pair.source.segment().set(ValueLayout.JAVA_BYTE, 3, (byte) 1);
            assertNothingFound();
            pair.await(pair.sendCq, 1);
            assertFound(Kind.PAYLOAD_CHANGED, "wrId 7");
        }
    }

    @Test
    void anUnsignaledRequestOwnsItsPayloadUntilALaterRequestCompletes() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            pair.sender.postSend(pair.write(1, 0));
            pair.source.segment().set(ValueLayout.JAVA_BYTE, 3, (byte) 1);
            pair.sender.postSend(pair.write(2, SIGNALED));
            pair.await(pair.sendCq, 1);
            assertFound(Kind.PAYLOAD_CHANGED, "wrId 1");
        }
    }

    @Test
    void changesAfterCompletionOutsideThePayloadAndOfInlinePayloadsAreLegal() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            for (int i = 0; i < 3; i++) {
                pair.source.segment().set(ValueLayout.JAVA_INT, 0, i);
                pair.sender.postSend(pair.write(i, SIGNALED));
                pair.source.segment().set(ValueLayout.JAVA_INT, 8, i);
                pair.await(pair.sendCq, 1);
            }
            QpInitAttributes withInline = QpInitAttributes.builder(QpType.RC).cq(pair.sendCq).maxInlineData(16).build();
            QueuePair inline = pair.pd.createQueuePair(withInline);
            QueuePair peer = pair.pd.createQueuePair(withInline);
            inline.connect(peer.localInfo());
            peer.connect(inline.localInfo());
            inline.postSend(pair.write(1, SIGNALED | SendFlags.INLINE));
            pair.source.segment().set(ValueLayout.JAVA_INT, 0, 77);
            pair.await(pair.sendCq, 1);
            assertNothingFound();
        }
    }

    @Test
    void changesByTheDeviceAreNotAttributedToTheProgram() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            MemoryRegion both = pair.pd.allocate(64, Access.LOCAL_WRITE);
            pair.sender.postReceive(ReceiveWorkRequest.create(1).sge(both, 0, 8));
            pair.receiver.postReceive(pair.receive(1));
            pair.sender.postSend(SendWorkRequest.create(1).flags(SIGNALED).sge(both, 0, 8));
            pair.source.segment().set(ValueLayout.JAVA_LONG, 0, -1);
            pair.receiver.postSend(pair.send(2));
            pair.await(pair.recvCq, 2);
            assertEquals(-1, both.segment().get(ValueLayout.JAVA_LONG, 0),
                    "the response arrived before the completion was polled");
            pair.await(pair.sendCq, 2);
            MemoryRegion open = pair.pd.allocate(64, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
            pair.sender.postSend(pair.write(3, SIGNALED).sge(open, 0, 8));
            pair.receiver.postSend(pair.write(4, SIGNALED).remote(open.address(), open.rkey()));
            assertEquals(-1, open.segment().get(ValueLayout.JAVA_LONG, 0),
                    "the peer wrote before the completion was polled");
            pair.await(pair.sendCq, 2);
            assertNothingFound();
        }
    }

    @Test
    void moreExpectedCompletionsThanTheQueueHoldsAreReported() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            CompletionQueue small = pair.context.createCompletionQueue(4);
            QueuePair qp = pair.pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(small).maxRecvWr(8).build());
            qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(0).build());
            for (int i = 0; i < 4; i++) {
                qp.postReceive(pair.receive(i));
            }
            assertNothingFound();
            qp.postReceive(pair.receive(4));
            assertFound(Kind.COMPLETION_QUEUE_TOO_SMALL, "5 completions", "holds 4");
        }
    }

    @Test
    void aSmallCompletionQueuePolledInTimeIsLegal() {
        try (LayeredPair pair = new LayeredPair(strict)) {
            CompletionQueue small = pair.context.createCompletionQueue(1);
            QueuePair qp = pair.pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(small).build());
            qp.connect(pair.receiver.localInfo());
            pair.receiver.modify(QpAttributes.builder().state(QpState.RESET).build());
            pair.receiver.connect(qp.localInfo());
            for (int i = 0; i < 20; i++) {
                qp.postSend(pair.write(i, 0).next(pair.write(i, SIGNALED)));
                pair.await(small, 1);
            }
            assertNothingFound();
        }
    }

    @Test
    void objectsOpenWhenTheirContextIsClosedAreReportedWithTheirPlaceOfCreation() {
        RdmaContext context = Verbs.select("soft").open(strict);
        ProtectionDomain pd = context.allocatePd();
        pd.allocate(64, 0).close();
        context.createCompletionQueue(4);
        context.close();
        assertFound(Kind.OBJECT_LEAKED, "2 objects", "completion queue of 4 entries created at ",
                "protection domain of soft0",
                StrictModeTest.class.getName());
        assertFalse(strict.violations().getFirst().explanation().contains("memory region"));
    }

    @Test
    void objectsClosedBeforeTheirContextAreLegal() {
        try (RdmaContext context = Verbs.select("soft").open(strict);
                ProtectionDomain pd = context.allocatePd();
                CompletionQueue cq = context.createCompletionQueue(4);
                MemoryRegion region = pd.allocate(64, 0);
                QueuePair qp = pd.createQueuePair(QpInitAttributes.builder(QpType.UD).cq(cq).build())) {
            assertEquals(64, region.length());
            assertEquals(QpState.RESET, qp.state());
        }
        assertNothingFound();
    }

    @Test
    void closeWithUnacknowledgedEventsIsReportedBeforeItBlocks() throws InterruptedException {
        BlockingQueue<Violation> reported = new LinkedBlockingQueue<>();
        try (LayeredPair pair = new LayeredPair(StrictMode.reporting(reported::add))) {
            CompletionQueue cq = queueWithEvent(pair);
            CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> close(cq));
            Violation violation = reported.poll(10, TimeUnit.SECONDS);
            assertEquals(Kind.EVENTS_NOT_ACKNOWLEDGED, violation.kind());
            assertEquals(StrictModeTest.class.getName(), violation.place().getClassName());
            cq.acknowledgeEvents(1);
            closing.join();
        }
    }

    /** Catalogue C5. */
    @Test
    void closeBeforeAnotherThreadAcknowledgesIsLegal() throws InterruptedException {
        StrictMode throwing = StrictMode.throwing();
        try (LayeredPair pair = new LayeredPair(throwing)) {
            CompletionQueue cq = queueWithEvent(pair);
            Thread closing = Thread.ofPlatform().start(cq::close);
            long start = System.nanoTime();
            while (closing.getState() != Thread.State.TIMED_WAITING) {
                assertTrue(System.nanoTime() - start < Duration.ofSeconds(10).toNanos(), closing::toString);
                Thread.onSpinWait();
            }
            cq.acknowledgeEvents(1);
            closing.join();
            assertTrue(cq.isClosed());
            assertEquals(List.of(), throwing.violations());
        }
    }

    private static void close(CompletionQueue cq) {
        cq.close();
    }

    /** Creates a completion queue without queue pairs, one event of which was retrieved. */
    private static CompletionQueue queueWithEvent(LayeredPair pair) throws InterruptedException {
        CompletionQueue cq = pair.context.createCompletionQueue(4, pair.channel);
        try (QueuePair qp = pair.pd.createQueuePair(QpInitAttributes.builder(QpType.RC).cq(cq).build())) {
            qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(0).build());
            qp.modify(QpAttributes.builder().state(QpState.ERR).build());
            cq.requestNotification(false);
            qp.postReceive(pair.receive(1));
            assertEquals(cq, pair.channel.awaitEvent(Duration.ofSeconds(10)));
        }
        return cq;
    }

    @Test
    void closeAfterAcknowledgingIsLegal() throws InterruptedException {
        try (LayeredPair pair = new LayeredPair(strict)) {
            CompletionQueue cq = queueWithEvent(pair);
            cq.acknowledgeEvents(1);
            cq.close();
            assertNothingFound();
        }
    }
}
