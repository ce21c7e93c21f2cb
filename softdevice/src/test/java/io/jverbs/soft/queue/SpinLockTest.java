package io.jverbs.soft.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a spin lock can be acquired, and when a thread that awaits its release goes on. */
final class SpinLockTest {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final SpinLock lock = new SpinLock();

    /** L is lock, U is unlock, t and f are a tryLock and its result. */
    @ParameterizedTest
    @CsvSource({"t", "LfU", "LffUt", "tfU", "tfUtU", "LULULfUt", "tUtUtf"})
    void theLockIsFreeUnlessItWasAcquiredAndNotReleased(String scenario) {
        for (char step : scenario.toCharArray()) {
            switch (step) {
                case 'L' -> lock.lock();
                case 'U' -> lock.unlock();
                default -> assertEquals(step == 't', lock.tryLock(), scenario);
            }
        }
    }

    @Test
    void theReleaseOfAFreeLockIsNotAwaited() {
        lock.awaitRelease();
        lock.lock();
        lock.unlock();
        lock.awaitRelease();
        assertTrue(lock.tryLock());
    }

    private Thread start(Runnable action) throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            started.countDown();
            action.run();
        });
        thread.setDaemon(true);
        thread.start();
        started.await();
        return thread;
    }

    private static void assertEnds(Thread thread) throws InterruptedException {
        assertTrue(thread.join(DEADLINE), () -> "the thread waits in " + thread.getStackTrace()[0]);
    }

    /** A holder can be unmounted because it waits for a lock of the JDK. It then needs a carrier to go on. */
    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void virtualThreadsThatWaitDoNotKeepAHolderWithoutACarrierFromRunning(boolean interrupted, boolean awaitRelease)
            throws InterruptedException {
        int waiters = 4 * Runtime.getRuntime().availableProcessors();
        CountDownLatch waiting = new CountDownLatch(waiters);
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        AtomicInteger unchanged = new AtomicInteger();
        Thread holder = Thread.ofVirtual().start(() -> {
            lock.lock();
            held.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            lock.unlock();
        });
        held.await();
        List<Thread> others = Stream.generate(() -> Thread.ofVirtual().start(() -> {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            waiting.countDown();
            if (awaitRelease) {
                lock.awaitRelease();
            } else {
                lock.lock();
                lock.unlock();
            }
            if (Thread.currentThread().isInterrupted() == interrupted) {
                unchanged.incrementAndGet();
            }
        })).limit(waiters).toList();
        waiting.await();
        // the holder becomes ready when the others have spun for a while
        LockSupport.parkNanos(20_000_000);
        released.countDown();
        assertEnds(holder);
        for (Thread other : others) {
            assertEnds(other);
        }
        assertEquals(waiters, unchanged.get(), "threads whose interrupt status is as before");
        assertTrue(lock.tryLock());
    }

    private static Thread.Builder builder(boolean isVirtual) {
        return isVirtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
    }

    /** A holder that was preempted may need the processor of a carrier. A platform thread yields in Java. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void onlyAVirtualThreadCallsTheSystemToYieldItsProcessorBeforeItParks(boolean isVirtual) throws Exception {
        AtomicInteger yields = new AtomicInteger();
        lock.lock();
        Runnable before = ProcessorYield.provide(yields::incrementAndGet);
        try {
            Thread waiter = builder(isVirtual).start(lock::lock);
            awaitPark(waiter);
            // fewer if other processes keep this one from running
            assertTrue(isVirtual ? yields.get() > 0 && yields.get() <= 100 : yields.get() == 0, yields::toString);
            lock.unlock();
            assertEnds(waiter);
        } finally {
            ProcessorYield.provide(before);
        }
    }

    /** Each call may last as long as other threads of the system keep the core busy. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aVirtualThreadCallsTheSystemNoLongerIfThatHasTakenMilliseconds(boolean awaitRelease) throws Exception {
        AtomicInteger yields = new AtomicInteger();
        lock.lock();
        Runnable before = ProcessorYield.provide(() -> {
            yields.incrementAndGet();
            long start = System.nanoTime();
            while (System.nanoTime() - start <= ProcessorYield.MAX_NANOS) {
                Thread.onSpinWait();
            }
        });
        try {
            Thread waiter = Thread.ofVirtual().start(awaitRelease ? lock::awaitRelease : lock::lock);
            awaitPark(waiter);
            assertEquals(1, yields.get());
            lock.unlock();
            assertEnds(waiter);
        } finally {
            ProcessorYield.provide(before);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OutOfMemoryError.class, StackOverflowError.class, NoClassDefFoundError.class})
    void aVirtualThreadThatFailsToYieldItsProcessorAcquiresTheLockNevertheless(Class<? extends Error> type)
            throws Exception {
        Error failure = type.getConstructor(String.class).newInstance("on purpose");
        CountDownLatch failed = new CountDownLatch(1);
        lock.lock();
        Runnable before = ProcessorYield.provide(() -> {
            failed.countDown();
            throw failure;
        });
        try {
            FutureTask<Void> wait = new FutureTask<>(() -> {
                lock.lock();
                lock.unlock();
            }, null);
            Thread.ofVirtual().start(wait);
            assertTrue(failed.await(DEADLINE.toSeconds(), TimeUnit.SECONDS));
            lock.unlock();
            wait.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
        } finally {
            ProcessorYield.provide(before);
        }
        assertTrue(lock.tryLock());
    }

    /** The wait for the lock parks, and may use up what another thread has unparked this one for. */
    @Test
    void aThreadThatWaitedForTheLockDoesNotLoseThatItWasUnparked() throws InterruptedException {
        lock.lock();
        Thread waiter = start(() -> {
            lock.lock();
            LockSupport.park();
            lock.unlock();
        });
        awaitPark(waiter);
        LockSupport.unpark(waiter);
        LockSupport.parkNanos(20_000_000);
        lock.unlock();
        assertEnds(waiter);
    }

    /** A thread awaits one holder, not all of them: the lock may be held again when the thread sees it. */
    @Test
    void oneReleaseEndsTheWaitEvenIfTheLockIsHeldAgain() throws InterruptedException {
        lock.lock();
        Thread waiter = start(lock::awaitRelease);
        awaitPark(waiter);
        assertTrue(waiter.isAlive());
        lock.unlock();
        assertTrue(lock.tryLock(), "a thread that awaits a release does not acquire the lock");
        assertEnds(waiter);
        assertFalse(lock.tryLock());
    }

    @Test
    void oneReleaseEndsTheWaitOfAllThreadsThatAwaitThatHolder() throws InterruptedException {
        lock.lock();
        Thread first = start(lock::awaitRelease);
        awaitPark(first);
        Thread second = start(lock::awaitRelease);
        awaitPark(second);
        lock.unlock();
        lock.lock();
        Thread third = start(lock::awaitRelease);
        assertEnds(first);
        assertEnds(second);
        awaitPark(third);
        lock.unlock();
        assertEnds(third);
        assertTrue(lock.tryLock());
    }

    @Test
    void aThreadThatWaitsForTheLockAcquiresItOnceItIsReleased() throws InterruptedException {
        lock.lock();
        int[] acquired = new int[1];
        Thread waiter = start(() -> {
            lock.lock();
            acquired[0]++;
            lock.unlock();
        });
        awaitPark(waiter);
        assertEquals(0, acquired[0]);
        lock.unlock();
        assertEnds(waiter);
        assertEquals(1, acquired[0]);
        assertTrue(lock.tryLock());
    }

    @Test
    void anInterruptNeitherEndsTheWaitNorIsLost() throws InterruptedException {
        lock.lock();
        boolean[] interrupted = new boolean[1];
        Thread waiter = start(() -> {
            lock.lock();
            interrupted[0] = Thread.currentThread().isInterrupted();
            lock.unlock();
        });
        waiter.interrupt();
        assertFalse(lock.tryLock());
        lock.unlock();
        assertEnds(waiter);
        assertTrue(interrupted[0]);
    }

    /** Waits until the thread has spun and yielded without getting the lock, and parks. */
    private static void awaitPark(Thread thread) {
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            assertTrue(thread.isAlive() && System.nanoTime() < end, "the thread does not wait");
            Thread.onSpinWait();
        }
    }
}
