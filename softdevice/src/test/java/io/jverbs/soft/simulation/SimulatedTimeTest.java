package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** A thread that waits, once it does. */
    private static Thread waiting(FutureTask<?> wait) throws InterruptedException {
        Thread thread = Thread.ofPlatform().start(wait);
        long start = System.nanoTime();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            assertTrue(thread.isAlive() && System.nanoTime() - start < LONG_NANOS, () -> "it is " + thread.getState());
            Thread.onSpinWait();
        }
        return thread;
    }

    private static Throwable failure(FutureTask<?> wait) {
        return assertThrows(ExecutionException.class, () -> wait.get(LONG_NANOS, TimeUnit.NANOSECONDS)).getCause();
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "stepped", "real"})
    void aWaitCanBeInterrupted(String mode) throws InterruptedException {
        try (Couple couple = new Couple(QpType.RC, 8, SEED + mode)) {
            FutureTask<CompletionQueue> wait = new FutureTask<>(() -> couple.channel.awaitEvent(HOUR));
            waiting(wait).interrupt();
            assertInstanceOf(InterruptedException.class, failure(wait));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "stepped", "real"})
    void aWaitEndsWhenItsChannelIsClosed(String mode) throws InterruptedException {
        try (Couple couple = new Couple(QpType.RC, 8, SEED + mode)) {
            CompletionChannel channel = couple.left.createCompletionChannel();
            FutureTask<CompletionQueue> wait = new FutureTask<>(() -> channel.awaitEvent(HOUR));
            waiting(wait);
            channel.close();
            assertInstanceOf(IllegalStateException.class, failure(wait));
        }
    }

    private static boolean hasNoEvent(Couple couple, Duration within) {
        try {
            return couple.left.awaitAsyncEvent(within) == null;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aConditionsWaitsLeaveTheClockAlone() {
        try (Couple couple = new Couple(QpType.RC, 8, SEED + "auto&delay=1ms")) {
            couple.write(1);
            assertTrue(
                    couple.network.runUntil(() -> hasNoEvent(couple, Duration.ofMillis(5)) && couple.hasSent(), HOUR));
            assertEquals(Duration.ofMillis(2), couple.network.now());
        }
    }

    @Test
    void aConditionThatHoldsAtTheEndHolds() {
        try (Couple couple = new Couple(QpType.RC, 8, SEED + "stepped")) {
            assertTrue(couple.network.runUntil(() -> couple.network.now().equals(HOUR), HOUR));
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

    @Test
    void aStepWaitsForTheRealClock() {
        long start = System.nanoTime();
        try (Couple couple = new Couple(QpType.RC, 8, SEED + "real&delay=20ms")) {
            long written = System.nanoTime();
            couple.write(1);
            assertTrue(couple.network.step());
            couple.assertWritten(1);
            assertTrue(System.nanoTime() - written >= 20_000_000);
            long clock = couple.network.now().toNanos();
            assertTrue(clock <= System.nanoTime() - start, "the clock stands still for a while");
        }
    }

    @Test
    void whoIsInterruptedDoesNotWaitForTheRealClock() {
        try (Couple couple = new Couple(QpType.RC, 8, SEED + "real&delay=3600s")) {
            couple.write(1);
            long start = System.nanoTime();
            Thread.currentThread().interrupt();
            assertFalse(couple.network.runUntil(() -> false, HOUR));
            couple.network.advance(HOUR);
            assertFalse(couple.network.step());
            assertTrue(Thread.interrupted());
            assertTrue(System.nanoTime() - start < LONG_NANOS);
        }
    }
}
