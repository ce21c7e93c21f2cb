package io.jverbs.soft.layers.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AsyncEvent;
import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
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
import io.jverbs.VerbsException;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.control.DeviceRemoval;
import io.jverbs.fault.FaultInjection;
import io.jverbs.fault.FaultRule;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.layers.LayeredPair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Checks fault injection on the software device: each fault has its documented effect and conforms to the verbs
 * semantics.
 */
final class FaultInjectionTest {
    private static final int ENOMEM = Errno.ENOMEM.code();
    private static final int SIGNALED = SendFlags.SIGNALED;

    private static FaultInjection faults(FaultRule... rules) {
        return FaultInjection.of(rules);
    }

    @Test
    void aContextOpenedWithoutLayersHasNoFaultInjection() {
        try (RdmaContext context = Verbs.open("soft")) {
            assertTrue(context.capability(FaultInjection.class).isEmpty());
        }
    }

    @Test
    void aFailedSendInAChainReportsItselfAndThoseBeforeItArePosted() {
        FaultInjection faults = faults(FaultRule.failSend(Errno.ENOMEM).nth(3));
        try (LayeredPair pair = new LayeredPair(faults)) {
            SendWorkRequest third = pair.write(3, SIGNALED).next(pair.write(4, SIGNALED));
            SendWorkRequest head = pair.write(1, SIGNALED).next(pair.write(2, SIGNALED).next(third));

            assertEquals(ENOMEM, pair.sender.tryPostSend(head));

            assertSame(third, head.failed());
            assertEquals(List.of("1 SUCCESS", "2 SUCCESS"), pair.await(pair.sendCq, 2));
            assertEquals(0, pair.sender.tryPostSend(third), "posting the rest of the chain, after the rule has fired");
            assertEquals(List.of("3 SUCCESS", "4 SUCCESS"), pair.await(pair.sendCq, 2));
            assertEquals(List.of(new FaultInjection.Hits(faults.hits().getFirst().rule(), 5, 1)), faults.hits());
        }
    }

    @Test
    void rulesMatchByQueuePairOpcodeAndCount() {
        FaultInjection faults = faults(
                FaultRule.failSend(Errno.EIO).queuePairCreated(2).opcode(WrOpcode.SEND).every(2).times(2));
        try (LayeredPair pair = new LayeredPair(faults)) {
            pair.sender.postReceive(pair.receive(1).next(pair.receive(2).next(pair.receive(3))));
            pair.receiver.postReceive(pair.receive(1));
            assertEquals(0, pair.sender.tryPostSend(pair.send(1)), "the rule does not match the first queue pair");
            assertEquals(0, pair.receiver.tryPostSend(SendWorkRequest.create(0).opcode(WrOpcode.RDMA_WRITE)));
            List<Integer> errors = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                pair.sender.tryPostReceive(pair.receive(9));
                errors.add(pair.receiver.tryPostSend(pair.send(i)));
            }
            int eio = Errno.EIO.code();
            assertEquals(List.of(0, eio, 0, eio, 0, 0), errors);
        }
    }

    @Test
    void theSameSeedFailsTheSameOperations() {
        List<String> first = failures(7);
        assertEquals(first, failures(7));
        assertTrue(first.contains("0") && first.contains("12"), first::toString);
        assertFalse(first.equals(failures(8)));
    }

    private static List<String> failures(long seed) {
        try (LayeredPair pair = new LayeredPair(faults(FaultRule.failSend(Errno.ENOMEM).probability(0.5, seed)))) {
            List<String> all = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                all.add(Integer.toString(pair.sender.tryPostSend(pair.write(i, 0))));
            }
            return all;
        }
    }

    @Test
    void aFailedReceiveInAChainReportsItselfAndThoseBeforeItArePosted() {
        try (LayeredPair pair = new LayeredPair(faults(FaultRule.failReceive(Errno.ENOMEM).nth(2)))) {
            ReceiveWorkRequest second = pair.receive(2).next(pair.receive(3));
            ReceiveWorkRequest head = pair.receive(1).next(second);

            assertEquals(ENOMEM, pair.receiver.tryPostReceive(head));

            assertSame(second, head.failed());
            pair.sender.postSend(pair.send(1));
            assertEquals(List.of("1 SUCCESS"), pair.await(pair.recvCq, 1));
            assertEquals(0, pair.receiver.tryPostReceive(second));
        }
    }

    @Test
    void onlyTheMatchingRegistrationFails() {
        // LayeredPair has registered two regions
        try (LayeredPair pair = new LayeredPair(faults(FaultRule.failRegistration(Errno.ENOMEM).nth(3)))) {
            VerbsException refused = assertThrows(VerbsException.class, () -> pair.pd.allocate(64, 0));
            assertEquals(Errno.ENOMEM, refused.error());
            assertEquals("reg_mr", refused.operation());
            assertNotNull(pair.pd.allocate(64, 0));
        }
    }

    @Test
    void aFlushRuleMovesTheQueuePairToErrBeforeThePost() {
        try (LayeredPair pair = new LayeredPair(faults(FaultRule.flush().nth(2)))) {
            pair.sender.postReceive(pair.receive(9));
            pair.sender.postSend(pair.write(1, SIGNALED).next(pair.write(2, 0).next(pair.write(3, SIGNALED))));
            assertEquals(List.of("1 SUCCESS", "2 WR_FLUSH_ERR", "3 WR_FLUSH_ERR"), pair.await(pair.sendCq, 3));
            assertEquals(List.of("9 WR_FLUSH_ERR"), pair.await(pair.recvCq, 1));
        }
    }

    @Test
    void flushMovesAQueuePairOfThisFaultInjectionToErr() {
        FaultInjection faults = faults();
        try (LayeredPair pair = new LayeredPair(faults)) {
            pair.receiver.postReceive(pair.receive(9));
            faults.flush(pair.receiver);
            assertEquals(List.of("9 WR_FLUSH_ERR"), pair.await(pair.recvCq, 1));
            try (LayeredPair other = new LayeredPair(faults())) {
                assertThrows(IllegalArgumentException.class, () -> faults.flush(other.sender));
            }
        }
    }

    @Test
    void aQpFatalEventIsRaisedAndItsQueuePairIsInErr() throws InterruptedException {
        FaultInjection faults = faults(FaultRule.raiseEvent(AsyncEventType.QP_FATAL).nth(1));
        try (LayeredPair pair = new LayeredPair(faults)) {
            pair.sender.postSend(pair.write(1, 0));
            AsyncEvent event = pair.context.awaitAsyncEvent(Duration.ofSeconds(10));
            assertEquals(AsyncEventType.QP_FATAL, event.type());
            assertSame(pair.sender, event.queuePair());
            assertEquals(QpState.ERR, pair.sender.state());
            assertEquals(List.of("1 WR_FLUSH_ERR"), pair.await(pair.sendCq, 1));
            CompletableFuture<Void> closing = CompletableFuture.runAsync(pair.sender::close);
            assertThrows(Exception.class, () -> closing.get(20, TimeUnit.MILLISECONDS),
                    "close() returned before the event was acknowledged");
            event.acknowledge();
            closing.join();
        }
    }

    @Test
    void aPortEventWakesAThreadThatWaits() throws InterruptedException {
        FaultInjection faults = faults();
        try (LayeredPair pair = new LayeredPair(faults)) {
            CompletableFuture<AsyncEvent> waiter = CompletableFuture.supplyAsync(() -> {
                try {
                    return pair.context.awaitAsyncEvent(Duration.ofSeconds(10));
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            faults.raise(AsyncEventType.PORT_ERR, pair.sender);
            assertEquals(AsyncEventType.PORT_ERR, waiter.join().type());
            assertEquals(1, waiter.join().port());
            assertEquals(QpState.RTS, pair.sender.state());
            assertThrows(IllegalArgumentException.class,
                    () -> faults.raise(AsyncEventType.SRQ_LIMIT_REACHED, pair.sender));
        }
    }

    @Test
    void anSrqEventIsRaisedOnlyForAQueuePairWithASharedReceiveQueue() throws InterruptedException {
        FaultInjection faults = faults(FaultRule.raiseEvent(AsyncEventType.SRQ_ERR).nth(1));
        try (LayeredPair pair = new LayeredPair(faults)) {
            pair.sender.postSend(pair.write(1, 0));
            assertEquals(0, faults.hits().getFirst().matched());
            SharedReceiveQueue srq = pair.pd.createSharedReceiveQueue(SrqInitAttributes.of(8, 1));
            QueuePair user = pair.pd
                    .createQueuePair(QpInitAttributes.builder(QpType.RC).cq(pair.sendCq).srq(srq).build());
            user.connect(user.localInfo());
            user.postSend(pair.write(2, SIGNALED));
            try (AsyncEvent event = pair.context.awaitAsyncEvent(Duration.ofSeconds(10))) {
                assertEquals(AsyncEventType.SRQ_ERR, event.type());
                assertSame(srq, event.sharedReceiveQueue());
            }
            assertEquals(List.of("2 WR_FLUSH_ERR"), pair.await(pair.sendCq, 1));
            assertEquals(1, faults.hits().getFirst().fired());
            assertEquals(QpState.RTS, pair.sender.state());
        }
    }

    /** Rules for a queue pair do not match a shared receive queue, which has no queue pair number. */
    @Test
    void aFailedPostToASharedReceiveQueueReportsItself() {
        try (LayeredPair pair = new LayeredPair(faults(FaultRule.failReceive(Errno.EINVAL).queuePairCreated(1),
                FaultRule.failReceive(Errno.ENOMEM).nth(2)))) {
            SharedReceiveQueue srq = pair.pd.createSharedReceiveQueue(SrqInitAttributes.of(8, 1));
            ReceiveWorkRequest second = pair.receive(2).next(pair.receive(3));
            ReceiveWorkRequest head = pair.receive(1).next(second);
            assertEquals(ENOMEM, srq.tryPostReceive(head));
            assertSame(second, head.failed());
            assertEquals(0, srq.tryPostReceive(second));
        }
    }

    @Test
    void aRuleForAQueuePairNumberMatchesOnlyThatQueuePair() {
        FaultInjection faults = faults();
        try (LayeredPair pair = new LayeredPair(faults)) {
            faults.add(FaultRule.failSend(Errno.EIO).queuePair(pair.receiver.number()));
            assertEquals(0, pair.sender.tryPostSend(pair.write(1, 0)));
            assertEquals(Errno.EIO.code(), pair.receiver.tryPostSend(pair.write(1, 0)));
        }
    }

    /** Catalogue J7. */
    @Test
    void aFailedCompletionQueueMovesItsQueuePairsToErr() throws InterruptedException {
        FaultInjection faults = faults(FaultRule.raiseEvent(AsyncEventType.CQ_ERR).nth(1));
        try (LayeredPair pair = new LayeredPair(faults)) {
            pair.sender.postSend(pair.write(1, 0));
            try (AsyncEvent event = pair.context.awaitAsyncEvent(Duration.ofSeconds(10))) {
                assertEquals(AsyncEventType.CQ_ERR, event.type());
                assertSame(pair.sendCq, event.completionQueue());
            }
            assertEquals(QpState.ERR, pair.sender.state());
            assertEquals(QpState.ERR, pair.receiver.state());
        }
    }

    /** Catalogue F30: a lost packet is retransmitted. */
    @Test
    void aLostPacketIsRetransmitted() {
        FaultInjection faults = faults(FaultRule.losePacket().queuePairCreated(2).nth(2));
        try (LayeredPair pair = new LayeredPair(faults)) {
            pair.reconnectSender(8, 7, 7);
            pair.sender.postSend(pair.write(1, SIGNALED));
            assertEquals(List.of("1 SUCCESS"), pair.polled(pair.sendCq));
            pair.sender.postSend(pair.write(2, SIGNALED));
            assertEquals(List.of("2 SUCCESS"), pair.await(pair.sendCq, 1));
            FaultInjection.Hits hits = faults.hits().getFirst();
            assertEquals(3, hits.matched(), "packets matched, including one retransmission");
            assertEquals(1, hits.fired());
        }
    }

    @Test
    void aLostAckOverUdpMakesTheRequesterRetransmit() {
        FaultInjection faults = faults(FaultRule.losePacket().nth(1));
        try (RdmaContext left = Verbs.select(LoopbackAddress.wired()).open(faults);
                RdmaContext right = Verbs.open(LoopbackAddress.wired())) {
            QueuePair sender = queuePair(left);
            QueuePair receiver = queuePair(right);
            sender.connect(receiver.localInfo());
            receiver.connect(sender.localInfo());
            receiver.postReceive(ReceiveWorkRequest.create(0).wrId(1));
            sender.postSend(SendWorkRequest.create(0).flags(SIGNALED));
            WorkCompletions completions = WorkCompletions.create(4);
            long start = System.nanoTime();
            while (sender.sendCq().poll(completions) == 0) {
                assertTrue(System.nanoTime() - start < 20_000_000_000L, () -> "no completion; " + faults.hits());
                Thread.onSpinWait();
            }
            assertEquals(WcStatus.SUCCESS, completions.status(0));
            assertEquals(1, faults.hits().getFirst().fired());
            assertTrue(faults.hits().getFirst().matched() >= 2, () -> "no second ACK; " + faults.hits());
            left.capability(DeviceRemoval.class).orElseThrow().remove();
            right.capability(DeviceRemoval.class).orElseThrow().remove();
        }
    }

    private static QueuePair queuePair(RdmaContext context) {
        return context.allocatePd().createQueuePair(
                QpInitAttributes.builder(QpType.RC).cq(context.createCompletionQueue(16)).build());
    }

    @Test
    void retriesAreExhaustedWhenEveryPacketIsLost() {
        FaultInjection faults = faults();
        try (LayeredPair pair = new LayeredPair(faults)) {
            pair.reconnectSender(8, 1, 7);
            pair.sender.postSend(pair.write(1, SIGNALED));
            assertEquals(List.of("1 SUCCESS"), pair.await(pair.sendCq, 1));
            faults.add(FaultRule.losePacket());
            pair.sender.postSend(pair.write(2, SIGNALED));
            assertEquals(List.of("2 RETRY_EXC_ERR"), pair.await(pair.sendCq, 1));
        }
    }

    @Test
    void rulesCanBeAddedAndClearedAtAnyTime() {
        FaultInjection faults = faults();
        try (LayeredPair pair = new LayeredPair(faults)) {
            assertEquals(0, pair.sender.tryPostSend(pair.write(1, 0)));
            faults.add(FaultRule.failSend(Errno.EINVAL));
            assertEquals(Errno.EINVAL.code(), pair.sender.tryPostSend(pair.write(2, 0)));
            faults.clear();
            assertEquals(0, pair.sender.tryPostSend(pair.write(3, 0)));
        }
    }
}
