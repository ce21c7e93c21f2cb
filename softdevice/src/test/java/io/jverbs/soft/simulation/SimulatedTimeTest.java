package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.CompletionQueue;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When things happen, and what the clock says. */
final class SimulatedTimeTest {
    private static final String SEED = "seed=5&network=time&time=";
    private static final Duration HOUR = Duration.ofHours(1);
    private static final long LONG_NANOS = 20_000_000_000L;

    @Test
    void whoPollsHasThingsHappen() {
        try (Couple couple = new Couple(QpType.RC, 8, SEED + "auto")) {
            couple.network.path(0, 1).loss(1);
            couple.write(1);
            int polls = 0;
            while (!couple.hasSent()) {
                polls++;
            }
            assertEquals(WcStatus.RETRY_EXC_ERR, couple.status());
            assertTrue(polls < 100, polls + " polls");
            // 67 ms, then twice and then four times as long, eight times in all
            assertTrue(couple.network.now().compareTo(Duration.ofMillis(8 * 67)) > 0);
        }
    }

    @Test
    void whoWaitsForAnEventHasThingsHappen() throws InterruptedException {
        try (Couple couple = new Couple(QpType.RC, 8, SEED + "auto&delay=1s")) {
            couple.network.path(1, 0).delay(Duration.ZERO);
            couple.receive(9);
            couple.received.requestNotification(false);
            couple.send(1);
            assertSame(couple.received, couple.channel.awaitEvent(HOUR));
            couple.received.acknowledgeEvents(1);
            assertEquals(Duration.ofSeconds(1), couple.network.now());
            assertTrue(couple.hasReceived());
        }
    }

    @Test
    void aWaitInVainTakesItsTimeOnBothClocks() throws InterruptedException {
        try (Couple couple = new Couple(QpType.RC, 8, SEED + "auto")) {
            couple.received.requestNotification(false);
            long start = System.nanoTime();
            assertNull(couple.channel.awaitEvent(Duration.ofMillis(30)));
            assertTrue(System.nanoTime() - start >= 30_000_000);
            assertEquals(Duration.ofMillis(30), couple.network.now());
            assertNull(couple.left.awaitAsyncEvent(Duration.ofMillis(2)));
            assertEquals(Duration.ofMillis(32), couple.network.now());
        }
    }

    @Test
    void whoWaitsSeesWhatAnotherThreadDoes() throws InterruptedException {
        try (Couple couple = new Couple(QpType.RC, 8, SEED + "auto")) {
            couple.receive(1);
            couple.received.requestNotification(false);
            CountDownLatch begun = new CountDownLatch(1);
            Thread sender = Thread.ofPlatform().start(() -> {
                try {
                    begun.await(10, TimeUnit.SECONDS);
                    couple.send(2);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            assertNull(couple.channel.awaitEvent(Duration.ofMillis(1)));
            begun.countDown();
            CompletionQueue fired = couple.channel.awaitEvent(Duration.ofSeconds(10));
            assertSame(couple.received, fired);
            fired.acknowledgeEvents(1);
            sender.join();
        }
    }

    @Test
    void aWaitCanBeInterruptedAndTheChannelClosed() throws InterruptedException {
        try (Couple couple = new Couple(QpType.RC, 8, SEED + "auto")) {
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, () -> couple.channel.awaitEvent(HOUR));
        }
    }

    @Test
    void nothingHappensUnlessTold() {
        try (Couple couple = new Couple(QpType.RC, 8, SEED + "stepped")) {
            couple.write(1);
            for (int i = 0; i < 1000; i++) {
                assertFalse(couple.hasSent());
            }
            assertEquals(Duration.ZERO, couple.network.now());
            assertTrue(couple.network.step());
            couple.assertWritten(1);
            couple.awaitSent(1);
            // the timer of the connection, which has nothing to do any more
            assertTrue(couple.network.step());
            assertFalse(couple.network.step());
        }
    }

    @Test
    void aConditionsPollsHaveNothingHappen() {
        try (Couple couple = new Couple(QpType.RC, 8, SEED + "auto&delay=1ms")) {
            couple.write(1);
            assertFalse(couple.network.runUntil(couple::hasSent, Duration.ofNanos(1_999_999)));
            assertEquals(Duration.ofNanos(1_999_999), couple.network.now());
            assertTrue(couple.network.runUntil(couple::hasSent, Duration.ofNanos(1)));
        }
    }

    @Test
    void theRealClockNeedsNobodyWhoPolls() {
        try (Couple couple = new Couple(QpType.RC, 8, SEED + "real&delay=2ms")) {
            long start = System.nanoTime();
            couple.write(7);
            while (couple.target.segment().get(ValueLayout.JAVA_BYTE, 7) == 0) {
                assertTrue(System.nanoTime() - start < LONG_NANOS, "nothing came");
                Thread.onSpinWait();
            }
            assertTrue(System.nanoTime() - start >= 2_000_000);
            while (!couple.hasSent()) {
                assertTrue(System.nanoTime() - start < LONG_NANOS, "no completion came");
            }
            assertTrue(couple.network.now().compareTo(Duration.ofMillis(4)) >= 0);
        }
    }

    @Test
    void withTheRealClockWaitsAreReal() throws InterruptedException {
        try (Couple couple = new Couple(QpType.RC, 8, SEED + "real")) {
            couple.receive(1);
            couple.received.requestNotification(false);
            couple.send(1);
            CompletionQueue fired = couple.channel.awaitEvent(Duration.ofSeconds(20));
            assertSame(couple.received, fired);
            fired.acknowledgeEvents(1);
            Duration before = couple.network.now();
            couple.network.advance(Duration.ofMillis(3));
            assertTrue(couple.network.now().minus(before).compareTo(Duration.ofMillis(3)) >= 0);
            assertFalse(couple.network.runUntil(() -> false, Duration.ofMillis(1)));
        }
    }
}
