package io.jverbs.spi.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Timed waits end at their time, with a signal, or with an interrupt, in virtual and in platform threads. */
final class TimedConditionTest {
    private static final long DEADLINE_SECONDS = 30;
    private static final long LONG_MILLIS = 3_600_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final TimedCondition condition = new TimedCondition(lock);
    /** How many of the waiting threads may go on. */
    private int permits;
    private int waiting;

    /**
     * A thread that waits for a permit.
     *
     * @param thread the thread
     * @param left the time left at the end of the wait, or the exception
     */
    private record Waiter(Thread thread, CompletableFuture<Long> left) {
        long millisLeft() throws Exception {
            return TimeUnit.NANOSECONDS.toMillis(left.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
        }
    }

    private Waiter start(boolean isVirtual, long millis) throws InterruptedException {
        CompletableFuture<Long> result = new CompletableFuture<>();
        Thread thread = (isVirtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon()).start(() -> {
            try {
                result.complete(awaitPermit(Duration.ofMillis(millis).toNanos()));
            } catch (InterruptedException | RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        return new Waiter(thread, result);
    }

    private long awaitPermit(long nanos) throws InterruptedException {
        lock.lock();
        try {
            waiting++;
            long left = nanos;
            while (permits == 0 && left > 0) {
                left = condition.awaitNanos(left);
            }
            permits -= permits == 0 ? 0 : 1;
            return left;
        } finally {
            waiting--;
            lock.unlock();
        }
    }

    private void awaitWaiting(int number) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (true) {
            lock.lock();
            int present = waiting;
            lock.unlock();
            if (present == number) {
                return;
            }
            assertTrue(System.nanoTime() - end < 0, present + " threads wait");
            Thread.sleep(1);
        }
    }

    private void permit(int number) {
        lock.lock();
        permits += number;
        condition.signalAll();
        lock.unlock();
    }

    @ParameterizedTest
    @CsvSource({"true, 1", "true, 10", "true, 50", "false, 50"})
    void aWaitEndsWhenItsTimeIsOver(boolean isVirtual, long millis) throws Exception {
        long start = System.nanoTime();
        long left = start(isVirtual, millis).millisLeft();
        assertTrue(System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(millis));
        assertTrue(left <= 0, left + " ms left");
    }

    @Test
    void eachOfSeveralWaitsEndsAtItsOwnTime() throws Exception {
        long start = System.nanoTime();
        List<Waiter> waiters = new ArrayList<>();
        int[] millis = {200, 40, 120, 80, 160, (int) LONG_MILLIS};
        for (int each : millis) {
            waiters.add(start(true, each));
        }
        for (int i = 0; i < millis.length - 1; i++) {
            assertTrue(waiters.get(i).millisLeft() <= 0);
            assertTrue(System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(millis[i]));
        }
        assertFalse(waiters.getLast().left.isDone());
        permit(1);
        assertTrue(waiters.getLast().millisLeft() > LONG_MILLIS / 2);
    }

    @Test
    void aWaitEndsAtItsTimeAlthoughALongerOneOfAnotherConditionHasBegun() throws Exception {
        TimedConditionTest other = new TimedConditionTest();
        Waiter longer = other.start(true, LONG_MILLIS);
        other.awaitWaiting(1);
        assertTrue(start(true, 30).millisLeft() <= 0);
        other.permit(1);
        assertTrue(longer.millisLeft() > 0);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSignalEndsAWaitWithTimeLeft(boolean isVirtual) throws Exception {
        Waiter waiter = start(isVirtual, LONG_MILLIS);
        awaitWaiting(1);
        permit(1);
        assertTrue(waiter.millisLeft() > LONG_MILLIS / 2);
    }

    @Test
    void aWaitAfterManyThatWereSignalledEndsAtItsTime() throws Exception {
        for (int i = 0; i < 100; i++) {
            Waiter waiter = start(true, 20);
            permit(1);
            assertTrue(waiter.millisLeft() <= 20);
        }
        long start = System.nanoTime();
        assertTrue(start(true, 25).millisLeft() <= 0);
        assertTrue(System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(25));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWaitWithoutALimitEndsWithASignalAlone(boolean isVirtual) throws Exception {
        CompletableFuture<Long> result = new CompletableFuture<>();
        (isVirtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon()).start(() -> {
            try {
                result.complete(awaitPermit(Long.MAX_VALUE));
            } catch (InterruptedException e) {
                result.completeExceptionally(e);
            }
        });
        awaitWaiting(1);
        assertNull(result.getNow(null));
        permit(1);
        assertEquals(Long.MAX_VALUE, result.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anInterruptEndsAWait(boolean isVirtual) throws Exception {
        Waiter waiter = start(isVirtual, LONG_MILLIS);
        awaitWaiting(1);
        waiter.thread.interrupt();
        Throwable failure = waiter.left.handle((left, thrown) -> thrown).get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        assertInstanceOf(InterruptedException.class, failure);
        assertTrue(start(true, 15).millisLeft() <= 0);
    }
}
