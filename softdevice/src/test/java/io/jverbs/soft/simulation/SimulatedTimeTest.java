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

/** When events run, and the time of the network's clock. */
final class SimulatedTimeTest {
    private static final String SEED = "seed=5&network=time&time=";
    private static final Duration HOUR = Duration.ofHours(1);
    private static final long LONG_NANOS = 20_000_000_000L;
    /** The maximum number of alarms that expire after the last message of a connection. */
    private static final int TIMERS = 6;

    @Test
    void pollOfEmptyQueueRunsNextEvent() {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 8, SEED + "auto")) {
            pair.network.path(0, 1).loss(1);
            pair.write(1);
            int polls = 0;
            while (!pair.hasSent()) {
                polls++;
            }
            assertEquals(WcStatus.RETRY_EXC_ERR, pair.status());
            assertTrue(polls < 100, polls + " polls");
            // 67 ms, then twice, then four times as long; eight timeouts in all
            assertTrue(pair.network.now().compareTo(Duration.ofMillis(8 * 67)) > 0);
        }
    }

    @Test
    void waitForEventRunsNextEvents() throws InterruptedException {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 8, SEED + "auto&delay=1s")) {
            pair.network.path(1, 0).delay(Duration.ZERO);
            pair.receive(9);
            pair.received.requestNotification(false);
            pair.send(1);
            assertSame(pair.received, pair.channel.awaitEvent(HOUR));
            pair.received.acknowledgeEvents(1);
            assertEquals(Duration.ofSeconds(1), pair.network.now());
            assertTrue(pair.hasReceived());
        }
    }

    @Test
    void waitThatTimesOutAdvancesRealAndSimulatedTime() throws InterruptedException {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 8, SEED + "auto")) {
            pair.received.requestNotification(false);
            long start = System.nanoTime();
            assertNull(pair.channel.awaitEvent(Duration.ofMillis(30)));
            assertTrue(System.nanoTime() - start >= 30_000_000);
            assertEquals(Duration.ofMillis(30), pair.network.now());
            assertNull(pair.left.awaitAsyncEvent(Duration.ofMillis(2)));
            assertEquals(Duration.ofMillis(32), pair.network.now());
        }
    }

    @Test
    void waitEndsOnEventCausedByAnotherThread() throws InterruptedException {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 8, SEED + "auto")) {
            pair.receive(1);
            pair.received.requestNotification(false);
            CountDownLatch begun = new CountDownLatch(1);
            Thread sender = Thread.ofPlatform().start(() -> {
                try {
                    begun.await(10, TimeUnit.SECONDS);
                    pair.send(2);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            assertNull(pair.channel.awaitEvent(Duration.ofMillis(1)));
            begun.countDown();
            CompletionQueue fired = pair.channel.awaitEvent(Duration.ofSeconds(10));
            assertSame(pair.received, fired);
            fired.acknowledgeEvents(1);
            sender.join();
        }
    }

    /** Starts a thread and returns it when it is blocked. */
    private static Thread startAndAwaitBlocked(FutureTask<?> wait) throws InterruptedException {
        Thread thread = Thread.ofPlatform().start(wait);
        long start = System.nanoTime();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            assertTrue(thread.isAlive() && System.nanoTime() - start < LONG_NANOS,
                    () -> "the thread is " + thread.getState());
            Thread.onSpinWait();
        }
        return thread;
    }

    private static Throwable failure(FutureTask<?> wait) {
        return assertThrows(ExecutionException.class, () -> wait.get(LONG_NANOS, TimeUnit.NANOSECONDS)).getCause();
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "stepped", "real"})
    void waitCanBeInterrupted(String mode) throws InterruptedException {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 8, SEED + mode)) {
            FutureTask<CompletionQueue> wait = new FutureTask<>(() -> pair.channel.awaitEvent(HOUR));
            startAndAwaitBlocked(wait).interrupt();
            assertInstanceOf(InterruptedException.class, failure(wait));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "stepped", "real"})
    void waitEndsWhenChannelIsClosed(String mode) throws InterruptedException {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 8, SEED + mode)) {
            CompletionChannel channel = pair.left.createCompletionChannel();
            FutureTask<CompletionQueue> wait = new FutureTask<>(() -> channel.awaitEvent(HOUR));
            startAndAwaitBlocked(wait);
            channel.close();
            assertInstanceOf(IllegalStateException.class, failure(wait));
        }
    }

    private static boolean hasNoEvent(ConnectedPair pair, Duration within) {
        try {
            return pair.left.awaitAsyncEvent(within) == null;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void waitsInConditionOfRunUntilDoNotAdvanceClock() {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 8, SEED + "auto&delay=1ms")) {
            pair.write(1);
            assertTrue(
                    pair.network.runUntil(() -> hasNoEvent(pair, Duration.ofMillis(5)) && pair.hasSent(), HOUR));
            assertEquals(Duration.ofMillis(2), pair.network.now());
        }
    }

    @Test
    void runUntilChecksConditionAtDeadline() {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 8, SEED + "stepped")) {
            assertTrue(pair.network.runUntil(() -> pair.network.now().equals(HOUR), HOUR));
        }
    }

    @Test
    void steppedTimeRunsEventsOnlyOnStep() {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 8, SEED + "stepped")) {
            pair.write(1);
            for (int i = 0; i < 1000; i++) {
                assertFalse(pair.hasSent());
            }
            assertEquals(Duration.ZERO, pair.network.now());
            assertTrue(pair.network.step());
            pair.assertWritten(1);
            pair.awaitSent(1);
            // the timers of the connection, which have nothing left to do
            int steps = 0;
            while (pair.network.step()) {
                steps++;
            }
            assertTrue(steps > 0 && steps <= TIMERS, steps + " steps");
        }
    }

    @Test
    void pollsInConditionOfRunUntilRunNoEvents() {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 8, SEED + "auto&delay=1ms")) {
            pair.write(1);
            assertFalse(pair.network.runUntil(pair::hasSent, Duration.ofNanos(1_999_999)));
            assertEquals(Duration.ofNanos(1_999_999), pair.network.now());
            assertTrue(pair.network.runUntil(pair::hasSent, Duration.ofNanos(1)));
        }
    }

    @Test
    void realTimeRunsEventsWithoutPolling() {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 8, SEED + "real&delay=2ms")) {
            long start = System.nanoTime();
            pair.write(7);
            while (pair.target.segment().get(ValueLayout.JAVA_BYTE, 7) == 0) {
                assertTrue(System.nanoTime() - start < LONG_NANOS, "the WRITE did not arrive");
                Thread.onSpinWait();
            }
            assertTrue(System.nanoTime() - start >= 2_000_000);
            while (!pair.hasSent()) {
                assertTrue(System.nanoTime() - start < LONG_NANOS, "no completion was added");
            }
            assertTrue(pair.network.now().compareTo(Duration.ofMillis(4)) >= 0);
        }
    }

    @Test
    void waitsWithRealTimeTakeRealTime() throws InterruptedException {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 8, SEED + "real")) {
            pair.receive(1);
            pair.received.requestNotification(false);
            pair.send(1);
            CompletionQueue fired = pair.channel.awaitEvent(Duration.ofSeconds(20));
            assertSame(pair.received, fired);
            fired.acknowledgeEvents(1);
            Duration before = pair.network.now();
            pair.network.advance(Duration.ofMillis(3));
            assertTrue(pair.network.now().minus(before).compareTo(Duration.ofMillis(3)) >= 0);
            assertFalse(pair.network.runUntil(() -> false, Duration.ofMillis(1)));
        }
    }

    @Test
    void stepWithRealTimeWaitsUntilEventIsDue() {
        long start = System.nanoTime();
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 8, SEED + "real&delay=20ms")) {
            long written = System.nanoTime();
            pair.write(1);
            assertTrue(pair.network.step());
            pair.assertWritten(1);
            assertTrue(System.nanoTime() - written >= 20_000_000);
            long clock = pair.network.now().toNanos();
            assertTrue(clock <= System.nanoTime() - start, "the clock does not run ahead of real time");
        }
    }

    @Test
    void interruptedThreadDoesNotWaitForRealTime() {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 8, SEED + "real&delay=3600s")) {
            pair.write(1);
            long start = System.nanoTime();
            Thread.currentThread().interrupt();
            assertFalse(pair.network.runUntil(() -> false, HOUR));
            pair.network.advance(HOUR);
            assertFalse(pair.network.step());
            assertTrue(Thread.interrupted());
            assertTrue(System.nanoTime() - start < LONG_NANOS);
        }
    }
}
