package io.jverbs.soft.layers.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AsyncEventType;
import io.jverbs.CompletionQueue;
import io.jverbs.SendFlags;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.fault.FaultRule;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Catalogue C18 to C27 for completions that fault injection makes visible later than the device added them: each arming
 * raises one event, and no event is lost.
 */
final class FaultyEventsTest extends FaultyPair {
    private static final Duration LONG = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(5);
    private static final int SIGNALED = SendFlags.SIGNALED;

    private void write(int... wrIds) {
        for (int wrId : wrIds) {
            pair.sender.postSend(pair.write(wrId, SIGNALED));
        }
    }

    private void assertEvent(CompletionQueue cq) throws InterruptedException {
        assertSame(cq, pair.channel.awaitEvent(LONG));
        cq.acknowledgeEvents(1);
    }

    private void assertNoEvent() throws InterruptedException {
        assertNull(pair.channel.awaitEvent(SHORT));
    }

    /** Holds the first completion, waits without result, releases the completion and polls it. */
    private void releaseAndPollFirst() throws InterruptedException {
        open(FaultRule.hold().nth(1));
        pair.sendCq.requestNotification(false);
        write(1);
        assertNoEvent();
        faults.release();
        assertEquals(List.of("1 SUCCESS"), pair.polled(pair.sendCq));
    }

    @Test
    void aCompletionReleasedAndPolledBeforeTheWaitRaisesItsEvent() throws InterruptedException {
        releaseAndPollFirst();

        assertEvent(pair.sendCq);
        assertNoEvent();
    }

    @Test
    void theCompletionAfterAReleasedOneRaisesItsEvent() throws InterruptedException {
        releaseAndPollFirst();
        assertEvent(pair.sendCq);
        pair.sendCq.requestNotification(false);
        assertNoEvent();
        write(2);
        assertEvent(pair.sendCq);
        assertEquals(List.of("2 SUCCESS"), pair.polled(pair.sendCq));
    }

    /** The program waits briefly, polls whether or not there was an event, and arms again only after an event. */
    @Test
    void armingOnlyAfterEachEventRaisesAnEventForEachDelayedCompletion() throws InterruptedException {
        open(FaultRule.delay(Duration.ofMillis(2)));
        pair.sendCq.requestNotification(false);
        for (int i = 1; i <= 20; i++) {
            write(i);
            boolean fired = false;
            boolean polled = false;
            long start = System.nanoTime();
            while (!fired || !polled) {
                assertTrue(System.nanoTime() - start < LONG.toNanos(), fired ? "no completion" : "no event");
                if (pair.channel.awaitEvent(Duration.ofNanos(200_000)) != null) {
                    pair.sendCq.acknowledgeEvents(1);
                    pair.sendCq.requestNotification(false);
                    fired = true;
                }
                polled |= !pair.polled(pair.sendCq).isEmpty();
            }
        }
        assertNoEvent();
    }

    @Test
    void anEarlierEventOfTheDeviceIsNotDeliveredInAddition() throws InterruptedException {
        open(FaultRule.hold().nth(1));
        pair.sendCq.requestNotification(false);
        write(1);
        // the event of the device is pending
        assertEquals(List.of(), pair.polled(pair.sendCq));
        faults.release();
        assertEvent(pair.sendCq);
        pair.sendCq.requestNotification(false);
        assertNoEvent();
        write(2);
        assertEvent(pair.sendCq);
        assertNoEvent();
        assertEquals(List.of("1 SUCCESS", "2 SUCCESS"), pair.polled(pair.sendCq));
    }

    @Test
    void anEventOfTheDeviceIsDiscardedWhileTheQueueIsNotArmed() throws InterruptedException {
        open(FaultRule.hold().nth(1));
        pair.sendCq.requestNotification(false);
        write(1);
        pair.polled(pair.sendCq);
        faults.release();
        assertEvent(pair.sendCq);
        write(2);
        assertNoEvent();
    }

    /** Catalogue C27: the completion for the first arming is added before the second arming. */
    @Test
    void eachOfTwoArmingsRaisesAnEventIfACompletionWasAddedBetweenThem() throws InterruptedException {
        open(FaultRule.hold().nth(9));
        pair.sendCq.requestNotification(false);
        write(1);
        pair.sendCq.requestNotification(false);
        assertEvent(pair.sendCq);
        assertNoEvent();
        write(2);
        assertEvent(pair.sendCq);
        assertNoEvent();
    }

    @Test
    void aDiscardedCompletionDoesNotConsumeTheArming() throws InterruptedException {
        open(FaultRule.failCompletion(WcStatus.GENERAL_ERR).nth(1));
        pair.sendCq.requestNotification(false);
        write(1, 2);
        assertEvent(pair.sendCq);
        assertEquals(List.of("1 GENERAL_ERR", "2 WR_FLUSH_ERR"), pair.polled(pair.sendCq));
        pair.sendCq.requestNotification(false);
        assertNoEvent();
        write(3);
        assertEvent(pair.sendCq);
        assertEquals(List.of("3 WR_FLUSH_ERR"), pair.polled(pair.sendCq));
    }

    /** Catalogue C24: the device decides whether a completion is solicited, even if it becomes visible later. */
    @Test
    void aDelayedUnsolicitedReceiveRaisesNoEventOfAQueueArmedForSolicitedOnes() throws InterruptedException {
        open(FaultRule.delay(Duration.ofMillis(1)).opcode(WcOpcode.RECV));
        pair.receiver.postReceive(pair.receive(1).next(pair.receive(2)));
        pair.recvCq.requestNotification(true);
        pair.sender.postSend(pair.send(1));
        assertNoEvent();
        pair.sender.postSend(pair.send(2).flags(SIGNALED | SendFlags.SOLICITED));
        assertEvent(pair.recvCq);
        assertEquals(List.of("1 SUCCESS", "2 SUCCESS"), pair.await(pair.recvCq, 2));
    }

    @Test
    void waitsEndWhenACompletionIsReleasedOrAnEventIsRaised() throws Exception {
        open(FaultRule.hold().nth(1));
        pair.sendCq.requestNotification(false);
        write(1);
        assertNoEvent();
        CompletableFuture<Object> waiter = CompletableFuture.supplyAsync(() -> {
            try {
                return pair.channel.awaitEvent(Duration.ofHours(1));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        CompletableFuture<AsyncEventType> async = CompletableFuture.supplyAsync(() -> {
            try {
                return pair.context.awaitAsyncEvent(Duration.ofHours(1)).type();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        faults.release();
        assertSame(pair.sendCq, waiter.get(10, TimeUnit.SECONDS));
        pair.sendCq.acknowledgeEvents(1);
        faults.raise(AsyncEventType.PORT_ERR, pair.sender);
        assertEquals(AsyncEventType.PORT_ERR, async.get(10, TimeUnit.SECONDS));
    }

    /** Two threads wait on one channel for two queues with delayed completions. */
    @Test
    void twoThreadsThatWaitOnOneChannelGetTheEventsOfTwoQueues() throws Exception {
        open(FaultRule.delay(Duration.ofMillis(20)));
        pair.receiver.postReceive(pair.receive(1));
        pair.sendCq.requestNotification(false);
        pair.recvCq.requestNotification(false);
        CompletableFuture<Object> one = CompletableFuture.supplyAsync(this::awaitEvent);
        CompletableFuture<Object> other = CompletableFuture.supplyAsync(this::awaitEvent);
        pair.sender.postSend(pair.send(1));
        assertTrue(one.get(10, TimeUnit.SECONDS) != other.get(10, TimeUnit.SECONDS));
        pair.sendCq.acknowledgeEvents(1);
        pair.recvCq.acknowledgeEvents(1);
    }

    private Object awaitEvent() {
        try {
            return pair.channel.awaitEvent(Duration.ofHours(1));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
