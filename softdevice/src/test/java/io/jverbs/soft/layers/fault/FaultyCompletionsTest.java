package io.jverbs.soft.layers.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.fault.FaultInjection;
import io.jverbs.fault.FaultRule;
import io.jverbs.soft.layers.LayeredPair;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks completions that fault injection makes fail, delays or holds: their effects conform to the verbs semantics.
 */
final class FaultyCompletionsTest {
    private static final int SIGNALED = SendFlags.SIGNALED;

    private static FaultInjection faults(FaultRule... rules) {
        return FaultInjection.of(rules);
    }

    /** Catalogue D27, D28, D29: the queue pair is in ERR, and each outstanding request is flushed once and in order. */
    @Test
    void aFailedCompletionFlushesAllOutstandingRequests() {
        FaultInjection faults = faults(FaultRule.failCompletion(WcStatus.RETRY_EXC_ERR).nth(2));
        try (LayeredPair pair = new LayeredPair(faults)) {
            pair.sender.postReceive(pair.receive(11).next(pair.receive(12)));
            pair.sender.postSend(pair.write(1, SIGNALED).next(pair.write(2, 0).next(pair.write(3, SIGNALED)
                    .next(pair.write(4, 0).next(pair.write(5, SIGNALED).next(pair.write(6, 0)))))));

            assertEquals(List.of("1 SUCCESS", "3 RETRY_EXC_ERR", "4 WR_FLUSH_ERR", "5 WR_FLUSH_ERR", "6 WR_FLUSH_ERR"),
                    pair.polled(pair.sendCq), "request 2 succeeded without a completion");
            assertEquals(List.of("11 WR_FLUSH_ERR", "12 WR_FLUSH_ERR"), pair.polled(pair.recvCq));
            assertEquals(QpState.ERR, pair.sender.state());
            assertEquals(QpState.RTS, pair.receiver.state());

            pair.sender.postSend(pair.write(7, 0));
            pair.sender.postReceive(pair.receive(13));
            assertEquals(List.of("7 WR_FLUSH_ERR"), pair.polled(pair.sendCq));
            assertEquals(List.of("13 WR_FLUSH_ERR"), pair.polled(pair.recvCq));
        }
    }

    @Test
    void aQueuePairThatFailedByInjectionWorksAgainAfterReset() {
        try (LayeredPair pair = new LayeredPair(faults(FaultRule.failCompletion(WcStatus.RETRY_EXC_ERR).nth(1)))) {
            pair.sender.postSend(pair.write(1, SIGNALED));
            assertEquals(List.of("1 RETRY_EXC_ERR"), pair.polled(pair.sendCq));
            pair.reconnectSender(14, 7, 7);
            pair.sender.postSend(pair.write(2, SIGNALED));
            assertEquals(List.of("2 SUCCESS"), pair.await(pair.sendCq, 1));
        }
    }

    @Test
    void successfulReceivesAreReportedBeforeTheFlush() {
        FaultInjection faults = faults(FaultRule.failCompletion(WcStatus.LOC_PROT_ERR).opcode(WcOpcode.RECV).nth(1));
        try (LayeredPair pair = new LayeredPair(faults)) {
            pair.receiver.postReceive(pair.receive(1).next(pair.receive(2).next(pair.receive(3))));
            pair.sender.postSend(pair.send(1).next(pair.send(2)));

            assertEquals(List.of("1 LOC_PROT_ERR", "2 SUCCESS", "3 WR_FLUSH_ERR"), pair.polled(pair.recvCq));
            assertEquals(QpState.ERR, pair.receiver.state());
        }
    }

    @Test
    void aStatusThatOnlySendsCanHaveDoesNotMatchReceives() {
        try (LayeredPair pair = new LayeredPair(faults(FaultRule.failCompletion(WcStatus.RNR_RETRY_EXC_ERR)))) {
            pair.receiver.postReceive(pair.receive(1));
            pair.sender.postSend(pair.send(1));
            assertEquals(List.of("1 SUCCESS"), pair.polled(pair.recvCq));
            assertEquals(List.of("1 RNR_RETRY_EXC_ERR"), pair.polled(pair.sendCq));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    void connectedQueuePairsGoToErr(QpType type) {
        try (LayeredPair pair = new LayeredPair(type, faults(FaultRule.failCompletion(WcStatus.GENERAL_ERR).nth(1)))) {
            pair.sender.postSend(pair.write(1, SIGNALED));
            assertEquals(List.of("1 GENERAL_ERR"), pair.polled(pair.sendCq));
            assertEquals(QpState.ERR, pair.sender.state());
        }
    }

    @Test
    void aHeldCompletionHoldsLaterOnesAndTheirOrderIsKept() {
        FaultInjection faults = faults(FaultRule.hold().nth(2));
        try (LayeredPair pair = new LayeredPair(faults)) {
            for (int i = 1; i <= 4; i++) {
                pair.sender.postSend(pair.write(i, SIGNALED));
            }
            assertEquals(List.of("1 SUCCESS"), pair.polled(pair.sendCq));
            assertEquals(List.of(), pair.polled(pair.sendCq));
            assertEquals(3, faults.held());

            faults.release();

            assertEquals(0, faults.held());
            assertEquals(List.of("2 SUCCESS", "3 SUCCESS", "4 SUCCESS"), pair.polled(pair.sendCq));
        }
    }

    @Test
    void aPollAfterReleaseReturnsHeldAndNewCompletions() {
        FaultInjection faults = faults(FaultRule.hold().nth(1));
        try (LayeredPair pair = new LayeredPair(faults)) {
            pair.sender.postSend(pair.write(1, SIGNALED));
            assertEquals(List.of(), pair.polled(pair.sendCq));
            pair.sender.postSend(pair.write(2, SIGNALED));
            faults.release();
            assertEquals(List.of("1 SUCCESS", "2 SUCCESS"), pair.polled(pair.sendCq));
        }
    }

    /** Catalogue C19 to C24: a completion that becomes visible after arming raises an event, a held one does not. */
    @Test
    void releaseOfAHeldCompletionRaisesTheEventOfAnArmedQueue() throws InterruptedException {
        FaultInjection faults = faults(FaultRule.hold().nth(1));
        try (LayeredPair pair = new LayeredPair(faults)) {
            pair.sendCq.requestNotification(false);
            pair.sender.postSend(pair.write(1, SIGNALED));
            assertNull(pair.channel.awaitEvent(Duration.ofMillis(20)), "event for a held completion");
            CompletableFuture<Object> waiter = CompletableFuture.supplyAsync(() -> awaitEvent(pair));

            faults.release();

            assertSame(pair.sendCq, waiter.join());
            pair.sendCq.acknowledgeEvents(1);
            assertEquals(List.of("1 SUCCESS"), pair.polled(pair.sendCq));
            assertNull(pair.channel.awaitEvent(Duration.ofMillis(5)), "second event after arming once");
            pair.sendCq.requestNotification(false);
            pair.sender.postSend(pair.write(2, SIGNALED));
            assertSame(pair.sendCq, pair.channel.awaitEvent(Duration.ofSeconds(10)));
            pair.sendCq.acknowledgeEvents(1);
            pair.polled(pair.sendCq);
            pair.sender.close();
            pair.receiver.close();
            pair.sendCq.close();
        }
    }

    private static Object awaitEvent(LayeredPair pair) {
        try {
            return pair.channel.awaitEvent(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aQueueArmedAfterACompletionWasHeldRaisesItsEventOnRelease() throws InterruptedException {
        FaultInjection faults = faults(FaultRule.hold().opcode(WcOpcode.RECV).nth(1));
        try (LayeredPair pair = new LayeredPair(faults)) {
            pair.receiver.postReceive(pair.receive(1));
            pair.sender.postSend(pair.send(1));
            assertEquals(List.of(), pair.polled(pair.recvCq));
            pair.recvCq.requestNotification(true);
            assertNull(pair.channel.awaitEvent(Duration.ofMillis(5)));
            faults.release();
            assertSame(pair.recvCq, pair.channel.awaitEvent(Duration.ofSeconds(10)));
            assertEquals(List.of("1 SUCCESS"), pair.polled(pair.recvCq));
            pair.sender.close();
            pair.receiver.close();
            CompletableFuture<Void> closing = CompletableFuture.runAsync(pair.recvCq::close);
            assertThrows(TimeoutException.class, () -> closing.get(20, TimeUnit.MILLISECONDS),
                    "close() returned before the event was acknowledged");
            pair.recvCq.acknowledgeEvents(1);
            closing.join();
        }
    }

    @Test
    void anEventThatWasNotDeliveredNeedsNoAcknowledgement() throws Exception {
        try (LayeredPair pair = new LayeredPair(faults(FaultRule.hold().nth(1)))) {
            pair.sendCq.requestNotification(false);
            pair.sender.postSend(pair.write(1, SIGNALED));
            assertNull(pair.channel.awaitEvent(Duration.ofMillis(20)));
            pair.sender.close();
            pair.receiver.close();
            CompletableFuture.runAsync(pair.sendCq::close).get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void aCompletionReleasedBeforeArmingRaisesNoEvent() throws InterruptedException {
        FaultInjection faults = faults(FaultRule.hold().nth(1));
        try (LayeredPair pair = new LayeredPair(faults)) {
            pair.sender.postSend(pair.write(1, SIGNALED));
            pair.polled(pair.sendCq);
            faults.release();
            pair.sendCq.requestNotification(false);
            assertNull(pair.channel.awaitEvent(Duration.ofMillis(5)));
            assertEquals(List.of("1 SUCCESS"), pair.polled(pair.sendCq));
        }
    }

    @Test
    void aDelayedCompletionWakesAThreadThatWaitsAfterTheDelay() throws InterruptedException {
        Duration late = Duration.ofMillis(100);
        try (LayeredPair pair = new LayeredPair(faults(FaultRule.delay(late).nth(1)))) {
            pair.sendCq.requestNotification(false);
            long start = System.nanoTime();
            pair.sender.postSend(pair.write(1, SIGNALED).next(pair.write(2, SIGNALED)));
            assertEquals(List.of(), pair.polled(pair.sendCq));
            assertSame(pair.sendCq, pair.channel.awaitEvent(Duration.ofSeconds(10)));
            pair.sendCq.acknowledgeEvents(1);
            assertTrue(System.nanoTime() - start >= late.toNanos());
            assertEquals(List.of("1 SUCCESS", "2 SUCCESS"), pair.polled(pair.sendCq));
        }
    }

    @Test
    void anErrorAfterAHeldCompletionIsHeldToo() {
        FaultInjection faults = faults(FaultRule.hold().nth(1),
                FaultRule.failCompletion(WcStatus.REM_ACCESS_ERR).nth(1));
        try (LayeredPair pair = new LayeredPair(faults)) {
            pair.sender.postSend(pair.write(1, SIGNALED).next(pair.write(2, SIGNALED).next(pair.write(3, 0))));
            assertEquals(List.of(), pair.polled(pair.sendCq));
            faults.release();
            assertEquals(List.of("1 SUCCESS", "2 REM_ACCESS_ERR", "3 WR_FLUSH_ERR"), pair.polled(pair.sendCq));
        }
    }

    @Test
    void aFlushRaisesTheEventOfAnArmedQueue() throws InterruptedException {
        try (LayeredPair pair = new LayeredPair(faults(FaultRule.failCompletion(WcStatus.GENERAL_ERR).nth(1)))) {
            pair.sender.postReceive(pair.receive(5));
            pair.recvCq.requestNotification(true);
            pair.sender.postSend(pair.write(1, SIGNALED));
            assertEquals(List.of("1 GENERAL_ERR"), pair.polled(pair.sendCq));
            assertSame(pair.recvCq, pair.channel.awaitEvent(Duration.ofSeconds(10)));
            pair.recvCq.acknowledgeEvents(1);
            assertEquals(List.of("5 WR_FLUSH_ERR"), pair.polled(pair.recvCq));
            assertNull(pair.channel.awaitEvent(Duration.ofMillis(5)));
        }
    }
}
